import type { Command } from '../command.ts';
import { bubblewrapWords, FILTER_DESCRIPTOR, type Confined, type Ids } from '../confine/bubblewrap.ts';
import type { Link, Mount } from '../confine/mount.ts';

/** Exit code where a slot couldn't be made ready for a command. */
const ENTER_FAILED = 125;

/** The line on stderr that says that the slot is entered: whatever comes after it is the command's own. */
const ENTERED = 'ratchet: entered';
const ENTERED_LINE = new RegExp(`^${ENTERED}\n`, 'm');

/** Programs of the system by absolute path, so that no folder of the scorer's PATH can stand in for them. */
export interface Tools {
  readonly sh: string;
  readonly unshare: string;
  readonly mount: string;
  readonly rm: string;
  /** Ties the slot's life to the process that starts it. Not on every system. */
  readonly setpriv?: string;
}

/** How far this system lets an unprivileged or privileged process go. */
export interface Reach {
  readonly tools: Tools;
  /** Root needs no user namespace. */
  readonly root: boolean;
  /** A /proc of the slot's own processes. */
  readonly proc: boolean;
  /** The person's own ids inside; else the scorer sees itself as root. Absent for root. */
  readonly ids?: { readonly uid: number; readonly gid: number };
}

/** Mounts the slot's layers; in the slot's folder. */
const MOUNTING = `
engine=$1 mount=$2 rm=$3 table=$4
shift 4
fail() { echo "ratchet: $1" >&2; exit ${ENTER_FAILED}; }
# The engine may have died before this process was tied to it. /proc is still the engine's own here.
[ -d "/proc/$engine" ] || fail "the engine is gone"
# Overlays without a sync leave this mark, and refuse to be mounted again while it is there.
for mark in w*/work/incompat; do
  if [ -d "$mark" ]; then "$rm" -rf w*/work || fail "the slot could not be made ready"; break; fi
done
"$mount" -n -i -a -T "$table" || fail "the private layers could not be mounted"
`;

/** The command's own folder and locale, once everything around it stands. */
const BEGINNING = `
echo "${ENTERED}" >&2
cd "$1" || { echo "ratchet: there is no folder $1" >&2; exit ${ENTER_FAILED}; }
if [ -n "$2" ]; then LC_ALL=\${2#=}; export LC_ALL; else unset LC_ALL; fi
shift 2
`;

/**
 * The rest runs as the slot's first process and stays as its init: when it ends, the kernel ends all the others. It must
 * not exec the command, because a first process ignores signals that it has no handler for.
 */
const IN_A_CHILD = '(exec "$@")\nexit $?\n';
const OPEN_SCRIPT = `${MOUNTING}${BEGINNING}${IN_A_CHILD}`;
const FILTER = `
if [ -n "$1" ]; then exec ${FILTER_DESCRIPTOR}< "$1" || exit ${ENTER_FAILED}; fi
shift
`;
const CONFINED_SCRIPT = `${MOUNTING}${FILTER}${IN_A_CHILD}`;
const FILTER_SCRIPT = `${FILTER}exec "$@"\n`;
const BEGIN_SCRIPT = `${BEGINNING}exec "$@"\n`;

/** How a command is confined: what is seen, and the slot's own entries over it. */
export interface Confining {
  readonly confined: Confined;
  readonly own: readonly (Mount | Link)[];
  /** The file of the filter of system calls, absolute. */
  readonly filter: string;
}

/**
 * The command inside private namespaces. `slot` (absolute) holds the file `table`, an fstab with paths relative to it.
 * pdeath signals are cleared by a change of credentials, so setpriv comes after the user namespace; the inner unshare
 * passes the death on to the slot's first process.
 */
export function enterSlot(reach: Reach, slot: string, engine: number, command: Command, table = 'mounts', confining?: Confining): Command {
  const { tools } = reach;
  const mounts = ['--mount', '--propagation', 'private'];
  const processes = ['--pid', '--fork', '--kill-child'];
  const tie = tools.setpriv === undefined ? [] : [tools.setpriv, '--pdeathsig', 'KILL'];
  const namespaces = reach.root ? [...tie, tools.unshare, ...mounts, ...processes] : [tools.unshare, '--user', '--map-root-user', ...mounts, ...tie, tools.unshare, ...processes];
  const [file, ...args] = [
    ...namespaces, tools.sh, '-c', confining === undefined ? OPEN_SCRIPT : CONFINED_SCRIPT, 'ratchet', String(engine), tools.mount, tools.rm, table,
    ...(confining === undefined ? [...beginning(command), ...backToOneself(reach), command.file, ...command.args] : [filterOf(confining), ...confinedWords(confining, insideIds(reach), command)]),
  ];
  // In the C locale the programs of the chain read no language files: a few milliseconds for each attempt.
  return { file: file ?? tools.unshare, args, cwd: slot, env: { ...command.env, LC_ALL: 'C' } };
}

/** The command in a view of its own, without a slot's layers. `ids`: in a user namespace, for all but root. */
export function enterConfined(confining: Confining, ids: Ids | undefined, command: Command): Command {
  const { sh } = confining.confined.bubblewrap;
  return { file: sh, args: ['-c', FILTER_SCRIPT, 'ratchet', filterOf(confining), ...confinedWords(confining, ids, command)], cwd: '/', env: { ...command.env, LC_ALL: 'C' } };
}

function filterOf({ confined, filter }: Confining): string {
  return confined.bubblewrap.seccomp ? filter : '';
}

function confinedWords({ confined, own }: Confining, ids: Ids | undefined, command: Command): readonly string[] {
  return [...bubblewrapWords(confined, own, ids), confined.bubblewrap.sh, '-c', BEGIN_SCRIPT, 'ratchet', ...beginning(command), command.file, ...command.args];
}

/** What the beginning needs to know. */
function beginning({ cwd, env: { LC_ALL: locale } }: Command): readonly string[] {
  return [cwd, locale === undefined ? '' : `=${locale}`];
}

function backToOneself({ tools, ids }: Reach): readonly string[] {
  return ids === undefined ? [] : [tools.unshare, '--user', `--map-user=${ids.uid}`, `--map-group=${ids.gid}`, '--'];
}

/** Who is no root has a user namespace, and where its own ids can't be had, takes itself for root in it. */
function insideIds({ root, ids }: Reach): Ids | undefined {
  return root ? undefined : (ids ?? { uid: 0, gid: 0 });
}

/**
 * What a command wrote on stderr itself; undefined where its slot couldn't be entered, so that it never ran. Nothing that
 * a command does can take back the line that was written before it began.
 */
export function afterEntering(stderr: string): string | undefined {
  const line = ENTERED_LINE.exec(stderr);
  return line === null ? undefined : stderr.slice(line.index + line[0].length);
}

/** Why a slot couldn't be entered: the first line that a program of the system wrote is the cause; our own after it is the consequence. */
export function causeOf(stderr: string): string | undefined {
  return stderr.split('\n').map((line) => line.trim()).find((line) => line !== '');
}
