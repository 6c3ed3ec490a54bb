import { fieldOf, textOf } from '../syntax.ts';
import type { SyntaxTree } from '../syntax.ts';
import type { AddedCode } from './added-code.ts';
import { linesNamed } from './sides.ts';
import type { EditSides, Signal } from './sides.ts';
import { argumentsOf, type Use } from './uses.ts';

/** What reaches out of the program, by the full name of what is called. */
const EFFECTS = {
  'writes files': /^(?:os\.(?:remove|unlink|rename|renames|replace|makedirs|mkdir|rmdir|removedirs|symlink|link|truncate|chmod|utime|open|mkfifo)|shutil\.\w+|tempfile\.\w+|(?:pickle|json|marshal|joblib|dill)\.dump|(?:numpy|np|torch)\.save\w*|sqlite3\.connect|(?:shelve|dbm)\.open|mmap\.mmap|fs\.(?:promises\.)?(?:write|append|createWriteStream|rm|unlink|rename|mkdir|mkdtemp|cp|copyFile|symlink|link|truncate|ftruncate|chmod|utimes)\w*|Deno\.(?:write|remove|rename|mkdir|copy)\w*|Bun\.write)$|\.(?:write_text|write_bytes|to_csv|to_parquet|to_pickle|unlink|touch|mkdir|rmdir|savez?|writeFile|writeFileSync)$/,
  'starts processes': /^(?:os\.(?:system|popen|fork|forkpty|exec\w+|spawn\w+|posix_spawn\w*|startfile)|subprocess\.\w+|pty\.\w+|asyncio\.create_subprocess_\w+|child_process\.\w+|cluster\.fork|Deno\.(?:run|Command)|Bun\.spawn\w*)$/,
  'uses the network': /^(?:socket\.\w+|urllib\.request\.\w+|urllib3\.\w+|http\.client\.\w+|requests\.\w+|httpx\.\w+|aiohttp\.\w+|ftplib\.\w+|smtplib\.\w+|fetch|WebSocket|EventSource|XMLHttpRequest|https?\.(?:request|get)|net\.\w*[cC]onnect\w*|net\.(?:createServer|Socket)|tls\.connect|dgram\.\w+|axios(?:\.\w+)?)$/,
} as const;

/** Methods of these names exist on much that is no file; they count on paths and in modules of files alone. */
const SHARED_METHOD = /\.(?:unlink|touch|mkdir|rmdir|savez?|writeFile|writeFileSync)$/;
const FILE_LIKE = /(?:^|\.)(?:pathlib|Path|fs|np|numpy)\b/;
const MODE = /^[rbtU]*["'][rbtU+]*[wax+][wax+bt]*["']$/;

/**
 * The edit writes files, starts processes or uses the network, in a file where nothing of the kind did. Threads and worker
 * processes of `multiprocessing` and `worker_threads` are ways to be fast, and not meant; a mode of `open` that is no
 * literal isn't seen.
 */
export function reachesOut(sides: EditSides, code: AddedCode): readonly Signal[] {
  const { beforeTree, afterTree } = sides;
  if (beforeTree === undefined || afterTree === undefined) return [];
  return Object.entries(EFFECTS).flatMap(([what, names]) => {
    if (code.usesBefore.some((use) => hasEffect(beforeTree, use, what, names))) return [];
    const added = code.usesAfter.filter((use) => code.isAdded(use.node) && hasEffect(afterTree, use, what, names));
    const [first] = added;
    if (first === undefined) return [];
    const lines = new Set(added.map(({ node }) => code.lineOf(node)));
    const said = lines.size === 1 ? what : what.replace(/^(\w+)s\b/, '$1');
    return [{ code: 'writes-outside', reason: `${linesNamed(lines)} ${said} (${first.name}), and nothing in the file did before.` }];
  });
}

function hasEffect(tree: SyntaxTree, { how, name, node }: Use, what: string, names: RegExp): boolean {
  if (how !== 'call') return false;
  if (what === 'writes files' && /^(?:open|io\.open|builtins\.open|codecs\.open|gzip\.open|bz2\.open)$|^pathlib\..*\.open$/.test(name)) return isForWriting(tree, node, name.startsWith('pathlib') ? 0 : 1);
  return names.test(name) && (!SHARED_METHOD.test(name) || FILE_LIKE.test(name));
}

function isForWriting(tree: SyntaxTree, call: Use['node'], position: number): boolean {
  const args = argumentsOf(call);
  const named = args.find((arg) => arg.type === 'keyword_argument' && textOf(tree, fieldOf(arg, 'name') ?? arg) === 'mode');
  const mode = named === undefined ? args.filter(({ type }) => type !== 'keyword_argument')[position] : fieldOf(named, 'value');
  return mode !== undefined && MODE.test(textOf(tree, mode));
}
