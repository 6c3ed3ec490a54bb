import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CLI, type Lab } from './lab.ts';

/** Runs a program in a terminal of its own; types `send` when `when` was shown; prints what the terminal shows, and ends with its exit code. */
const IN_TERMINAL = `
import os, pty, sys
when, send, argv = sys.argv[1].encode(), sys.argv[2].encode(), sys.argv[3:]
pid, fd = pty.fork()
if pid == 0:
    os.execvp(argv[0], argv)
shown = b''
typed = send == b''
while True:
    try:
        data = os.read(fd, 65536)
    except OSError:
        break
    if not data:
        break
    shown += data
    if not typed and when in shown:
        typed = True
        os.write(fd, send)
sys.stdout.buffer.write(shown)
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) % 256)
`;

export interface Typed {
  readonly when: string;
  readonly send: string;
}

/** The client as a person at a terminal meets it: what it showed, both streams together, and its exit code. */
export async function atTerminal(lab: Lab, args: readonly string[], typed: Typed = { when: '', send: '' }): Promise<{ readonly code: number | null; readonly shown: string }> {
  const child = spawn('python3', ['-c', IN_TERMINAL, typed.when, typed.send, process.execPath, CLI, ...lab.words(args)], { cwd: lab.folder, env: lab.env, stdio: ['ignore', 'pipe', 'inherit'] });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
  const code = await once(child, 'close').then(([given]) => given as number | null);
  return { code, shown };
}
