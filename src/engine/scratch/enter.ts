import type { Command } from '../command.ts';

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

/**
 * Runs as the slot's first process, in the slot's folder, and stays as its init: when it ends, the kernel ends all the
 * others. It must not exec the command, because a first process ignores signals that it has no handler for.
 */
const SCRIPT = `
engine=$1 cwd=$2 mount=$3 rm=$4 locale=$5 table=$6
shift 6
fail() { echo "ratchet: $1" >&2; exit ${ENTER_FAILED}; }
# The engine may have died before this process was tied to it. /proc is still the engine's own here.
[ -d "/proc/$engine" ] || fail "the engine is gone"
# Overlays without a sync leave this mark, and refuse to be mounted again while it is there.
for mark in w*/work/incompat; do
  if [ -d "$mark" ]; then "$rm" -rf w*/work || fail "the slot could not be made ready"; break; fi
done
"$mount" -n -i -a -T "$table" || fail "the private layers could not be mounted"
echo "${ENTERED}" >&2
cd "$cwd" || fail "there is no folder $cwd"
if [ -n "$locale" ]; then LC_ALL=\${locale#=}; export LC_ALL; else unset LC_ALL; fi
(exec "$@")
exit $?
`;

/**
 * The command inside private namespaces. `slot` (absolute) holds the file `table`, an fstab with paths relative to it.
 * pdeath signals are cleared by a change of credentials, so setpriv comes after the user namespace; the inner unshare
 * passes the death on to the slot's first process.
 */
export function enterSlot(reach: Reach, slot: string, engine: number, command: Command, table = 'mounts'): Command {
  const { tools } = reach;
  const { LC_ALL: locale } = command.env;
  const mounts = ['--mount', '--propagation', 'private'];
  const processes = ['--pid', '--fork', '--kill-child'];
  const tie = tools.setpriv === undefined ? [] : [tools.setpriv, '--pdeathsig', 'KILL'];
  const back = reach.ids === undefined ? [] : [tools.unshare, '--user', `--map-user=${reach.ids.uid}`, `--map-group=${reach.ids.gid}`, '--'];
  const [file, ...args] = [
    ...(reach.root ? [...tie, tools.unshare, ...mounts, ...processes] : [tools.unshare, '--user', '--map-root-user', ...mounts, ...tie, tools.unshare, ...processes]),
    tools.sh, '-c', SCRIPT, 'ratchet', String(engine), command.cwd, tools.mount, tools.rm, locale === undefined ? '' : `=${locale}`, table,
    ...back, command.file, ...command.args,
  ];
  // In the C locale the five programs of the chain read no language files: a few milliseconds for each attempt.
  return { file: file ?? tools.unshare, args, cwd: slot, env: { ...command.env, LC_ALL: 'C' } };
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
