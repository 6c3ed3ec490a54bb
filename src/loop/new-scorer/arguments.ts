import type { CallableFunction, Parameter } from './functions.ts';
import type { ScriptLanguage } from './names.ts';

const TEXT = 'The quick brown fox jumps over the lazy dog';
const NUMBERS = '5, 3, 8, 1, 9, 2, 7';

/**
 * Arguments to begin with, as source without brackets: by annotation, else by what a parameter's name usually stands
 * for. What a function really takes only a person knows, so the script has them at the top.
 */
export function sampleArguments({ parameters }: CallableFunction, language: ScriptLanguage): string {
  if (language === 'shell') return quoted(TEXT, language);
  const needed = parameters.findLastIndex(({ optional }) => !optional) + 1;
  return parameters.slice(0, needed).filter(({ name }) => name !== 'self' && name !== 'cls').map((parameter) => sample(parameter, language)).join(', ');
}

function sample({ name, type }: Parameter, language: ScriptLanguage): string {
  const annotated = type === undefined ? undefined : ofType(type, language);
  if (annotated !== undefined) return annotated;
  if (/^(?:xs|ys|arr(?:ay)?|list|items|values|numbers|nums|data|rows|array|points|scores|elements|seq(?:uence)?)$/i.test(name)) return `[${NUMBERS}]`;
  if (/^(?:n|k|i|j|x|y|a|b|num\w*|count|limit|size|length|width|height|depth|max\w*|min\w*|top|seed|\w*(?:count|limit|size|number|index))$/i.test(name)) return '10';
  if (/^(?:is|has|should|use)[A-Z_]|^(?:verbose|strict|flag)$/.test(name)) return language === 'python' ? 'True' : 'true';
  return quoted(TEXT, language);
}

function ofType(type: string, language: ScriptLanguage): string | undefined {
  if (/^(?:string|str)$/.test(type)) return quoted(TEXT, language);
  if (/^(?:number|int|float)$/.test(type)) return '10';
  if (/^(?:boolean|bool)$/.test(type)) return language === 'python' ? 'True' : 'true';
  if (/^(?:readonly )?string\[\]$|^(?:list|List|Sequence|Iterable)\[str\]$/.test(type)) return `[${TEXT.split(' ').map((word) => quoted(word, language)).join(', ')}]`;
  if (/\[\]$|^(?:Readonly)?Array<|^(?:list|List|Sequence|Iterable)\b/.test(type)) return `[${NUMBERS}]`;
  return undefined;
}

/** A text as a literal of the language. */
export function quoted(text: string, language: ScriptLanguage): string {
  switch (language) {
    case 'javascript':
      return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
    case 'python':
      return JSON.stringify(text);
    case 'shell':
      return `'${text.replaceAll("'", "'\\''")}'`;
  }
}
