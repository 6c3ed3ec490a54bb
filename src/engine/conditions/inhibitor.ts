import { execFile, spawn, type ChildProcess } from 'node:child_process';

/** A program of the system that keeps the machine awake for as long as it runs. */
export interface Inhibitor {
  readonly file: string;
  readonly args: readonly string[];
}

/** What can keep this machine awake, or in a few words why nothing can. */
export type InhibitorProbe = { readonly inhibitor: Inhibitor } | { readonly why: string };

const PROBE_MS = 5000;
const WHY = ['--who=Ratchet', '--why=A run is going on', '--mode=block'];

/** Looks what this system has, by letting it run for a moment. Never rejects. */
export async function probeInhibitor(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Promise<InhibitorProbe> {
  switch (platform) {
    case 'linux': {
      // Where somebody else's session may not hold up a sleep that was asked for, it may still keep the machine from falling asleep by itself.
      let why = '';
      for (const what of ['--what=sleep:idle', '--what=idle']) {
        why = await tried('systemd-inhibit', [what, ...WHY, 'true'], env);
        if (why === '') return { inhibitor: { file: 'systemd-inhibit', args: [what, ...WHY, 'cat'] } };
      }
      return { why };
    }
    case 'darwin': {
      const why = await tried('caffeinate', ['-i', '-s', 'true'], env);
      return why === '' ? { inhibitor: { file: 'caffeinate', args: ['-i', '-s', 'cat'] } } : { why };
    }
    case 'win32': {
      const args = ['-NoProfile', '-NonInteractive', '-Command', WINDOWS];
      const why = await tried('powershell.exe', args, env);
      return why === '' ? { inhibitor: { file: 'powershell.exe', args } } : { why };
    }
    default:
      return { why: `there is no way that is known on ${platform}` };
  }
}

/** ES_CONTINUOUS and ES_SYSTEM_REQUIRED, for the life of a process that waits for the end of its input. */
const WINDOWS = `$t = Add-Type -PassThru -Name Awake -Namespace Ratchet -MemberDefinition '[DllImport("kernel32.dll")] public static extern uint SetThreadExecutionState(uint flags);'; if ($t::SetThreadExecutionState([uint32]"0x80000001") -eq 0) { exit 1 }; [void][Console]::In.ReadToEnd()`;

/** Empty where the program ran to its end, else why not. */
function tried(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile(file, args, { env, timeout: PROBE_MS, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 }, (error, _, said) => {
      if (error === null) resolve('');
      else if (error.code === 'ENOENT') resolve(`this system has no ${file}`);
      else resolve(`${file} can't start (${said.trim().split('\n').at(-1)?.slice(0, MAX_WHY_CHARS) || 'it doesn\'t end'})`);
    });
    child.stdin?.end();
  });
}

const MAX_WHY_CHARS = 120;

/**
 * Keeps the machine awake until the returned function is called, or this process ends in whatever way: its end closes the
 * pipe that the program waits at. `onEnd`: the program has ended, asked or not.
 */
export function inhibit({ file, args }: Inhibitor, env: NodeJS.ProcessEnv, onEnd: () => void): () => void {
  const child: ChildProcess = spawn(file, args, { env, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'], windowsHide: true });
  // Whatever happens to it, runs go on.
  child.once('error', onEnd).once('exit', onEnd);
  child.stdin?.on('error', () => undefined);
  child.unref();
  return () => { child.stdin?.end(); };
}
