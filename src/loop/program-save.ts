import { isMap, parseDocument } from 'yaml';
import { splitFrontMatter } from './front-matter.ts';
import type { Choices } from './options.ts';

/**
 * A program's text with some choices in its front matter: each key of `choices` is set, all else (other keys, comments,
 * the strategy, line ends, byte-order mark) stays. An empty text becomes a program without a strategy. Undefined where
 * the front matter can't be read: then a person mends it first.
 */
export function saveChoices(text: string, choices: Choices): string | undefined {
  const entries = Object.entries(choices).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return text;
  const parts = splitFrontMatter(text);
  if (parts === undefined) return undefined;
  const yaml = parseDocument((parts.yaml ?? []).join('\n'), { strict: true });
  if (yaml.errors.length > 0 || !(yaml.contents === null || isMap(yaml.contents))) return undefined;
  for (const [key, value] of entries) yaml.set(key, value);
  const front = yaml.toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd().split('\n');
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const end = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  return mark + ['---', ...front, '---', ...parts.rest].join(end);
}
