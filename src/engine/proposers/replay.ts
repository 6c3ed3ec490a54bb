import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cancelledError, ProposerError } from './proposer.ts';
import type { Proposer } from './proposer.ts';
import { transcript } from './transcript.ts';

/**
 * Answers from files, for tests and audits: attempt n gets the text of the n-th of `001.md`, `002.md`, … in `dir`.
 * Rejects with ProposerError when the folder can't be read; ends with `nothing-left` after the last file.
 */
export async function createReplayProposer(dir: string): Promise<Proposer> {
  const files = await replyFiles(dir);
  return {
    async propose({ attempt, messages }, signal) {
      if (signal.aborted) throw cancelledError();
      const file = files[attempt - 1];
      if (file === undefined) {
        const last = files.at(-1);
        throw new ProposerError(
          'nothing-left',
          `The replay folder has no reply for attempt ${attempt} (${last === undefined ? 'it holds no files named like 001.md' : `${last} is its last`}).`,
        );
      }
      let reply: string;
      try {
        reply = await readFile(join(dir, file), { encoding: 'utf8', signal });
      } catch {
        throw signal.aborted ? cancelledError() : new ProposerError('not-found', `The reply ${file} of the replay folder can't be read: check that it is a text file.`);
      }
      return { request: transcript(await messages()), reply };
    },
  };
}

/** Names of the replies by their number, so that 10.md comes after 9.md. */
async function replyFiles(dir: string): Promise<readonly string[]> {
  let names: readonly string[];
  try {
    names = await readdir(dir);
  } catch {
    throw new ProposerError('not-found', `There is no replay folder at ${dir}: give a folder with replies named 001.md, 002.md and so on.`);
  }
  return names
    .filter((name) => /^\d+\.md$/.test(name))
    .sort((a, b) => parseInt(a, 10) - parseInt(b, 10) || (a < b ? -1 : 1));
}
