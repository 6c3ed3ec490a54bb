import type { ChildProcess } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { constants as os, totalmem } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { ResourceLimits } from '../../records.ts';
import type { Exceeded } from '../../loop/score/over-limit.ts';
import type { Command } from '../command.ts';
import type { Cgroup } from './cgroup.ts';
import { taskCount } from './proc.ts';

/** A shell counts the size of files in these. */
const BLOCK_BYTES = 512;
/** Between the signal that can be told from others and the one that nobody can ignore. */
const CPU_GRACE_S = 5;
/**
 * The system counts threads too, and those of the person's other programs: its own limit is only the wall behind ours,
 * so that a fork bomb can't outrun who ends it.
 */
export const TASKS_PER_PROCESS = 4;

/**
 * Sets what a process can only set for itself and its children, and enters the control groups, before anything of the
 * command has run: a fork bomb would be out of reach in the millisecond that it takes to move it from outside. What can't be
 * set, because a lower limit stands, is left as it is. Shells differ in the letter for processes: `u` in bash, zsh and ksh, `p`
 * in dash and busybox.
 */
const SCRIPT = `
if [ -n "$1" ]; then { ulimit -S -t "$1" && ulimit -H -t "$2"; } 2> /dev/null || :; fi
if [ -n "$3" ]; then ulimit -f "$3" 2> /dev/null || :; fi
if [ -n "$4" ]; then ulimit -u "$4" 2> /dev/null || ulimit -p "$4" 2> /dev/null || :; fi
shift 4
while [ "$1" != -- ]; do
  { echo 0 > "$1/cgroup.procs"; } 2> /dev/null || :
  shift
done
shift
exec "$@"
`;

/** Of the machine's memory, or of what the engine's own control group may use: the rest is for the person's other programs. */
const MEMORY_PART = 0.8;
const MOST_PROCESSES = 1_000;

/** What stands where a person chose nothing: it spares a working scorer, and a machine. */
export function withDefaults(chosen: ResourceLimits = {}): ResourceLimits {
  const constrained = process.constrainedMemory();
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return { memoryBytes: Math.floor(MEMORY_PART * memory), processes: MOST_PROCESSES, ...chosen };
}

/** The command under the limits that it has to take on itself; unchanged where there are none, and on Windows. */
export function limitedCommand(command: Command, { cpuS, fileBytes, processes }: ResourceLimits, cgroup: Cgroup | undefined): Command {
  // Where a control group counts them there is no need, and for root the system doesn't.
  const tasks = processes === undefined || cgroup?.controllers.includes('pids') === true || process.getuid?.() === 0 ? undefined : taskCount();
  const most = tasks === undefined || processes === undefined ? undefined : tasks + TASKS_PER_PROCESS * processes;
  if (process.platform === 'win32' || (cpuS === undefined && fileBytes === undefined && most === undefined && cgroup === undefined)) return command;
  // What can't be started is not a matter of limits: without the shell the system says why.
  if (!isProgram(command)) return command;
  const words = [cpuS, cpuS === undefined ? undefined : cpuS + CPU_GRACE_S, fileBytes === undefined ? undefined : Math.ceil(fileBytes / BLOCK_BYTES), most];
  const args = ['-c', SCRIPT, 'ratchet', ...words.map((word) => (word === undefined ? '' : String(word))), ...(cgroup?.folders ?? []), '--', command.file, ...command.args];
  return { ...command, file: '/bin/sh', args };
}

/** As the languages write EFBIG. */
const FILE_TOO_LARGE = /\bEFBIG\b|\[Errno 27\]|File too large/;

/** Whether the signal that ended the command, or that its shell saw end its last program, is that of a limit; a program that ignores the signal may tell of it as it fails. */
export function toldLimit({ cpuS, fileBytes }: ResourceLimits, { exitCode, signalCode: signal }: Pick<ChildProcess, 'exitCode' | 'signalCode'>, stderr: string): Exceeded | undefined {
  const ended = (name: 'SIGXCPU' | 'SIGXFSZ'): boolean => signal === name || exitCode === 128 + os.signals[name];
  if (cpuS !== undefined && ended('SIGXCPU')) return 'cpu';
  return fileBytes !== undefined && (ended('SIGXFSZ') || (exitCode !== 0 && FILE_TOO_LARGE.test(stderr))) ? 'file-size' : undefined;
}

/** Where the system looks when it isn't told. */
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

function isProgram({ file, cwd, env }: Command): boolean {
  const places = file.includes('/') ? [isAbsolute(file) ? file : join(cwd, file)] : (env['PATH'] ?? DEFAULT_PATH).split(delimiter).map((folder) => join(folder, file));
  return isFolder(cwd) && places.some((place) => {
    try {
      accessSync(place, constants.X_OK);
      return !isFolder(place);
    } catch {
      return false;
    }
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
