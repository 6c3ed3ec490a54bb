const rest = (length: number): string => 'A1b2C3d4E5f6G7h8I9j0'.repeat(20).slice(0, length);
const line = 'MIIEpAIBAAKCAQEA0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL';

/** One made-up secret of each format, put together here so that nothing takes this file for a leak. */
export const SECRETS: readonly (readonly [name: string, text: string, secret?: string])[] = [
  ['AWS id', `AKIA${rest(16).toUpperCase()}`],
  ['AWS temporary id', `ASIA${rest(16).toUpperCase()}`],
  ['AWS secret', `aws_secret_access_key = ${rest(40)}`],
  ['GitHub', `ghp_${rest(36)}`],
  ['GitHub server', `ghs_${rest(36)}`],
  ['GitHub fine-grained', `github_pat_${rest(22)}_${rest(59)}`],
  ['GitLab', `glpat-${rest(20)}`],
  ['Anthropic', `sk-ant-api03-${rest(40)}-${rest(40)}`],
  ['OpenAI', `sk-${rest(48)}`],
  ['OpenAI project', `sk-proj-${rest(30)}_${rest(30)}-${rest(20)}`],
  ['OpenRouter', `sk-or-v1-${'0123456789abcdef'.repeat(4)}`],
  ['Stripe', `sk_live_${rest(24)}`],
  ['Slack bot', `xoxb-123456789012-${rest(24)}`],
  ['Slack app', `xapp-1-${rest(24)}`],
  ['Slack hook', `https://hooks.slack.com/services/T0000000/B0000000/${rest(24)}`],
  ['Google key', `AIza${rest(35)}`],
  ['Google token', `ya29.${rest(60)}`],
  ['Google client', `GOCSPX-${rest(28)}`],
  ['Hugging Face', `hf_${rest(34)}`],
  ['npm', `npm_${rest(36)}`],
  ['PyPI', `pypi-AgEIcHlwaS5vcmc${rest(60)}`],
  ['SendGrid', `SG.${rest(22)}.${rest(43)}`],
  ['DigitalOcean', `dop_v1_${'0123456789abcdef'.repeat(4)}`],
  ['Azure', `AccountKey=${rest(86)}==`],
  ['JWT', `eyJ${rest(30)}.eyJ${rest(60)}.${rest(43)}`],
  ['Bearer', `Bearer ${rest(30)}`],
  ['bearer', `authorization: bearer ${rest(30)}`],
  ['Basic', `Authorization: Basic ${rest(24)}`],
  ['address', `redis://:${rest(20)}@localhost:6379`, rest(20)],
  ['assignment', `SERVICE_API_KEY=${rest(24)}`],
  ['assignment', `DB_PASSWORD=${rest(24)}`],
  ['private key', `-----BEGIN PRIVATE KEY-----\n${line}\n${line}\n${rest(12)}\n-----END PRIVATE KEY-----`],
  ['private key in JSON', `-----BEGIN PRIVATE KEY-----\\n${line}\\n${line}\\n-----END PRIVATE KEY-----\\n`],
  ['OpenSSH', `-----BEGIN OPENSSH PRIVATE KEY-----\r\n${line}\r\n${rest(20)}\r\n-----END OPENSSH PRIVATE KEY-----`],
];

/** What looks a little like one. */
export const HARMLESS: readonly string[] = [
  'score: 42.5', 'commit 3b18e512dba79e4c8300dd08aeb37f8e728b8dad', 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '550e8400-e29b-41d4-a716-446655440000', 'integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
  'class="sk-estimator-doc-link-container sk-toggleable__content"', 'sk-learn', 'task-runner-of-the-project-that-is-long', 'the bearer of bad news', 'bearer authentication-is-required-here',
  'api_key = os.environ["API_KEY"]', 'API_KEY=$API_KEY', 'TOKEN=', 'PASSWORD=changeme', 'EOS_TOKEN=<|endoftext|>', 'max_tokens=4096', 'MAX_TOKENS=4096', 'SORT_KEY=created_at_then_name', 'pad_token_id=50256',
  'https://example.com:8080/a@b', 'http://localhost:3000/x?user=ann@example.com', 'git@github.com:a/b.git', 'mailto:ann@example.com', 'Basic authentication is off',
  'hf_hub_download', 'npm_config_registry', 'npm_lifecycle_event', 'npm ERR! code E401', 'AKIA', 'AIzaShort', 'eyJ', 'eyJhbGciOi.x', 'ya29.', 'SG.', 'xoxo', 'ghp_', 'github_pat_',
  'if "-----BEGIN PRIVATE KEY-----" in text:', 'const [a, b] = ["-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"];', '-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----', '-----BEGIN PUBLIC KEY-----\nMIID\n-----END PUBLIC KEY-----',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk', 'tests/test_token.py::test_secret_key PASSED', 'val_bpb: 0.997900', 'peak_vram_mb: 45060.2', '|██████████| 100/100 [00:12<00:00, 8.1it/s]',
];
