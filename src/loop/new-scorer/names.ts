/** What a scoring script can measure, as a person names it. */
export const SCORER_KINDS = ['checks', 'tests', 'function', 'command', 'memory', 'size', 'lint', 'mix'] as const;
export type ScorerKind = (typeof SCORER_KINDS)[number];

/** The languages that scoring scripts are written in; JavaScript loads TypeScript too. */
export const SCRIPT_LANGUAGES = ['javascript', 'python', 'shell'] as const;
export type ScriptLanguage = (typeof SCRIPT_LANGUAGES)[number];

/** Ending of a script's name. */
export const ENDING_OF: Readonly<Record<ScriptLanguage, string>> = { javascript: '.mjs', python: '.py', shell: '.sh' };

/** The language of a target's family; undefined where scripts can only start it as a command. */
export function scriptLanguageOf(target: string): ScriptLanguage | undefined {
  const ending = /\.(\w+)$/.exec(target)?.[1]?.toLowerCase() ?? '';
  if (/^(?:[cm]?[jt]s|[jt]sx)$/.test(ending)) return 'javascript';
  if (ending === 'py') return 'python';
  return ending === 'sh' || ending === 'bash' ? 'shell' : undefined;
}

/** The languages in which a target can be measured so, the most natural first; a script that calls into a file must be in its language. */
export function languagesFor(kind: ScorerKind, target: string): readonly ScriptLanguage[] {
  const own = scriptLanguageOf(target);
  const others = (all: readonly ScriptLanguage[]): readonly ScriptLanguage[] => all.filter((language) => language !== own);
  const first = own === undefined ? [] : [own];
  switch (kind) {
    case 'function':
      return first;
    case 'checks':
      return own === undefined || own === 'shell' ? ['shell'] : [own, 'shell'];
    case 'memory':
      // Node knows what a program of Node held, and nothing of others.
      return [...first, ...others(own === 'javascript' ? SCRIPT_LANGUAGES : ['python', 'shell'])];
    case 'tests':
    case 'command':
    case 'size':
    case 'lint':
    case 'mix':
      return [...first, ...others(own === undefined ? ['shell', 'python', 'javascript'] : SCRIPT_LANGUAGES)];
  }
}

/** The language by the name that a person gives it. */
export function readLanguage(name: string): ScriptLanguage | undefined {
  const known = { js: 'javascript', ts: 'javascript', typescript: 'javascript', node: 'javascript', py: 'python', sh: 'shell', bash: 'shell' } as const;
  return SCRIPT_LANGUAGES.find((language) => language === name) ?? (Object.hasOwn(known, name) ? known[name as keyof typeof known] : undefined);
}
