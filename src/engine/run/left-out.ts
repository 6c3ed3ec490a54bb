import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isWithin } from '../../wire/root.ts';
import { matcher } from '../../loop/globs.ts';
import { isCache, isNeverSeen, isOutput } from '../scratch/names.ts';
import type { Slot, Workspace } from '../scratch/slot.ts';

/** How programs say that they miss a file. */
const MISSING = /cannot find|can't find|could ?n[o']t find|not found|no such file|no module named|cannot open|can't open|does not exist|ENOENT/i;
const WORDS = /[^\s'"`()<>[\],;]+/g;

/**
 * Why a scorer misses a file that the person has, in one sentence: it lies in what a scorer is never shown. Undefined
 * where its output speaks of no such file. `cwd` is the scorer's folder in the person's tree.
 */
export function leftOutSentence(output: string, { top, root, target, heldOut = [] }: Workspace, slot: Slot, cwd: string): string | undefined {
  const inSlot = slot.inside(top);
  const isHeldOut = matcher(heldOut);
  for (const line of output.split('\n').filter((each) => MISSING.test(each))) {
    for (const word of line.match(WORDS) ?? []) {
      const named = word.replace(/[.:]+$/, '');
      const places = isAbsolute(named) ? [isWithin(inSlot, named) ? join(top, relative(inSlot, named)) : named] : [cwd, root, dirname(target)].map((folder) => resolve(folder, named));
      for (const place of places.filter((each) => isWithin(top, each))) {
        const path = relative(root, place).split(sep).join('/');
        if (isHeldOut(path)) return `You have ${path}, but it is held out (\`holdout\`): only the holdout is shown it.`;
        const found = hiddenPart(relative(top, place).split(sep), top, slot);
        if (found !== undefined) return sentenceOf(found);
      }
    }
  }
  return undefined;
}

/** The first part of a path (with what is above it) that lies there and isn't shown. */
function hiddenPart(parts: readonly string[], top: string, slot: Slot): string | undefined {
  for (const [index, name] of parts.entries()) {
    if (!isNeverSeen(name) && !isOutput(name) && !isCache(name)) continue;
    const path = parts.slice(0, index + 1).join('/');
    return existsSync(join(top, path)) && !slot.showed(path) ? path : undefined;
  }
  return undefined;
}

function sentenceOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.startsWith('.env')) return `You have ${path}, but files of secrets are never shown to a scorer: let it do without, or read what it needs from another file.`;
  const kind = isCache(name) ? 'a cache' : isOutput(name) ? 'an ignored build output' : 'not a project file';
  return `You have ${path}, but as ${kind} it is not shown to a scorer, for it could be stale: let the scorer make it first (npm run build && …).`;
}
