import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENDING_OF, SCORER_KINDS, SCRIPT_LANGUAGES, type ScorerKind, type ScriptLanguage } from '../../../loop/new-scorer/names.ts';

/** Texts of the scoring scripts that come with Ratchet. */
export type Templates = (kind: ScorerKind, language: ScriptLanguage) => string;

/** Reads them all into memory: the folder is not needed afterwards. Rejects with the file system's error where one is missing. */
export async function loadTemplates(folder: string): Promise<Templates> {
  const texts = new Map<string, string>();
  await Promise.all(SCRIPT_LANGUAGES.flatMap((language) => SCORER_KINDS.map(async (kind) => {
    const file = join(folder, language, `${kind}${ENDING_OF[language]}`);
    texts.set(`${language}/${kind}`, await readFile(file, 'utf8'));
  })));
  return (kind, language) => texts.get(`${language}/${kind}`) ?? '';
}
