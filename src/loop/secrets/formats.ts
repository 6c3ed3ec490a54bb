/** A kind of secret that is known by its looks. */
export interface SecretFormat {
  /** What stands in its place, in a few words. */
  readonly name: string;
  /**
   * Global. `before` is kept in front of what is masked. Each begins with letters of its own and is bounded, so that
   * a long text is read once; hashes, uuids and ordinary names fit none.
   */
  readonly pattern: RegExp;
  /** A text without this holds none; where the pattern would have to look at every word. */
  readonly needs?: string;
}

const WORD_BEFORE = '(?<![A-Za-z0-9_])';
const WORD_AFTER = '(?![A-Za-z0-9_-])';

function format(name: string, pattern: string, flags = 'g'): SecretFormat {
  return { name, pattern: new RegExp(pattern, flags) };
}

/** A token by its beginning. */
function token(name: string, pattern: string): SecretFormat {
  return format(name, `${WORD_BEFORE}(?:${pattern})`);
}

/**
 * A token of long parts that may hold `-`, with something that must follow. It begins behind no `-`: else each beginning
 * in a long row of them would be read on for thousands of characters.
 */
function longToken(name: string, pattern: string): SecretFormat {
  return format(name, `(?<![A-Za-z0-9_-])(?:${pattern})`);
}

/** A value that no person would write by hand: with a digit, and long. */
const VALUE = '(?=[A-Za-z0-9+/_.~=-]{0,64}[0-9])(?=[A-Za-z0-9+/_.~=-]{0,64}[A-Za-z])[A-Za-z0-9+/_.~=-]';

export const FORMATS: readonly SecretFormat[] = [
  token('AWS key', `(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}${WORD_AFTER}`),
  format('AWS key', '(?<before>aws_?secret_?(?:access_?)?key["\']?[ \\t]{0,4}[=:][ \\t]{0,4}["\']?)[A-Za-z0-9/+=]{40}(?![A-Za-z0-9/+=])', 'gi'),
  token('GitHub token', 'gh[pousr]_[A-Za-z0-9]{30,255}'),
  token('GitHub token', 'github_pat_[A-Za-z0-9_]{22,255}'),
  token('GitLab token', 'gl(?:pat|dt|rt|ptt|cbt|oas)-[A-Za-z0-9_-]{20,255}'),
  token('Anthropic key', 'sk-ant-[A-Za-z0-9_-]{20,255}'),
  token('OpenAI key', 'sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,255}'),
  token('key', `sk-(?:or-v1-)?(?=[A-Za-z]*[0-9])[A-Za-z0-9]{32,128}${WORD_AFTER}`),
  token('Stripe key', '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,255}'),
  token('Slack token', 'xox[abeoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,255}'),
  token('Slack token', 'xapp-[0-9]-[A-Za-z0-9-]{10,255}'),
  format('Slack address', '(?<before>hooks\\.slack\\.com/(?:services|workflows)/)[A-Za-z0-9/_-]{20,255}'),
  token('Google key', `AIza[A-Za-z0-9_-]{35}${WORD_AFTER}`),
  token('Google token', 'ya29\\.[A-Za-z0-9_-]{20,1024}'),
  token('Google key', `GOCSPX-[A-Za-z0-9_-]{28}${WORD_AFTER}`),
  token('Hugging Face token', `hf_[A-Za-z0-9]{30,64}${WORD_AFTER}`),
  token('npm token', `npm_[A-Za-z0-9]{36}${WORD_AFTER}`),
  token('PyPI token', 'pypi-AgE[A-Za-z0-9_-]{40,1024}'),
  token('SendGrid key', 'SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}'),
  token('DigitalOcean token', 'do[opr]_v1_[a-f0-9]{64}'),
  format('Azure key', '(?<before>AccountKey=)[A-Za-z0-9+/]{64,128}={0,2}'),
  longToken('JWT', 'eyJ[A-Za-z0-9_-]{10,4096}\\.eyJ[A-Za-z0-9_-]{10,8192}\\.[A-Za-z0-9_-]{10,2048}'),
  format('authorization', `(?<before>${WORD_BEFORE}bearer[ \\t]{1,4})${VALUE}{16,4096}`, 'gi'),
  format('authorization', '(?<before>authorization["\']?[ \\t]{0,4}[:=][ \\t]{0,4}["\']?basic[ \\t]{1,4})[A-Za-z0-9+/=]{8,4096}', 'gi'),
  { needs: '://', ...format('password', '(?<before>[a-z][a-z0-9+.-]{1,20}://[^\\s:/@"\'<>[\\]]{0,64}:)[^\\s/@"\'<>[\\]]{3,128}(?=@[A-Za-z0-9[])', 'gi') },
  // A variable whose name says what it is, set to what nobody would write by hand.
  format('secret', `(?<before>(?<![A-Za-z0-9_])[A-Z0-9_]{0,64}(?:API_?KEY|ACCESS_?KEY|SECRET_?KEY|PRIVATE_?KEY|SECRET|TOKEN|PASSWORD|PASSWD)=["']?)${VALUE}{16,4096}`),
];
