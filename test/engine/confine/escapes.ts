import { readFileSync } from 'node:fs';

/** Ways out of a confinement: each is a program for Node that ends well where it got out. `world` is what the test put outside. */
export interface World {
  /** The person's home folder; the workspace lies in it. */
  readonly home: string;
  readonly top: string;
  readonly port: number;
  /** Sockets that somebody listens on. */
  readonly sockets: { readonly engine: string; readonly agent: string; readonly abstract: string; readonly run?: string };
  /** A process that belongs to nobody of the run. */
  readonly pid: number;
  /** The result file of another slot. */
  readonly otherResult: string;
}

export interface Escape {
  readonly name: string;
  /** Undefined where it can't be tried here. */
  readonly script: (world: World) => string | undefined;
}

const reads = (path: string): string => `require('fs').readFileSync(${JSON.stringify(path)})`;
const writes = (path: string): string => `require('fs').writeFileSync(${JSON.stringify(path)}, 'escaped')`;
const connects = (to: string | number): string => `require('net').connect(${JSON.stringify(to)}).on('connect', () => process.exit(0)).on('error', () => process.exit(7))`;
const asRoot = (script: string): string | undefined => (process.getuid?.() === 0 ? script : undefined);

/** Calls that Node knows nothing of. */
const python = (script: string): string => `require('child_process').execFileSync('python3', ['-c', ${JSON.stringify(script)}], { stdio: 'ignore' })`;
const [ADD_KEY, KEYCTL] = process.arch === 'arm64' ? [217, 219] : [248, 250];
const hasVsock = (): boolean => readFileSync('/proc/net/protocols', 'utf8').includes('AF_VSOCK');

export const ESCAPES: readonly Escape[] = [
  { name: 'reads a key in the home folder', script: ({ home }) => reads(`${home}/.ssh/id_ed25519`) },
  { name: 'reads the tokens of tools', script: ({ home }) => reads(`${home}/.config/gh/hosts.yml`) },
  { name: 'lists the home folder\'s other projects', script: ({ home }) => `if (!require('fs').existsSync(${JSON.stringify(`${home}/other/secret.txt`)})) process.exit(7)` },
  { name: 'writes outside of the workspace', script: ({ home }) => writes(`${home}/outside.txt`) },
  { name: 'writes what a shell will run', script: ({ home }) => writes(`${home}/.bashrc`) },
  { name: 'writes into the person\'s own file', script: ({ top }) => writes(`${top}/beside.txt`) },
  { name: 'reads the ledger', script: ({ top }) => reads(`${top}/.ratchet/runs/1/ledger.jsonl`) },
  { name: 'reads the workspace\'s .env', script: ({ top }) => reads(`${top}/.env`) },
  { name: 'reads what is held out', script: ({ top }) => reads(`${top}/heldout/answers.txt`) },
  { name: 'forges the result of another slot', script: ({ otherResult }) => writes(otherResult) },
  { name: 'reaches a server on this machine', script: ({ port }) => `require('net').connect(${port}, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(7))` },
  { name: 'reaches the engine\'s socket', script: ({ sockets }) => connects(sockets.engine) },
  { name: 'reaches an agent\'s socket in /tmp', script: ({ sockets }) => connects(sockets.agent) },
  { name: 'reaches a socket without a file', script: ({ sockets }) => connects(`\0${sockets.abstract}`) },
  { name: 'reaches a service\'s socket in /run', script: ({ sockets }) => (sockets.run === undefined ? undefined : connects(sockets.run)) },
  { name: 'signals another process', script: ({ pid }) => `process.kill(${pid}, 0)` },
  { name: 'reads another process\'s environment', script: ({ pid }) => `if (!${reads(`/proc/${pid}/environ`)}.includes('RATCHET_SECRET_OF_ANOTHER=')) process.exit(7)` },
  { name: 'makes a device of the disk', script: () => asRoot(`require('child_process').execFileSync('mknod', ['/tmp/ratchet-disk-' + process.pid, 'b', '7', '250']); require('fs').rmSync('/tmp/ratchet-disk-' + process.pid)`) },
  { name: 'changes the kernel\'s settings', script: () => asRoot(`require('fs').closeSync(require('fs').openSync('/proc/sys/kernel/core_pattern', 'r+'))`) },
  { name: 'plants a key in the kernel\'s keyring', script: () => python(`import ctypes, sys
call = ctypes.CDLL(None, use_errno=True).syscall
key = call(${ADD_KEY}, b"user", b"ratchet-escape", b"x", 1, -4)
sys.exit(7) if key < 0 else call(${KEYCTL}, 21, key)`) },
  { name: 'makes a socket to the host of a virtual machine', script: () => (hasVsock() ? python('import socket; socket.socket(40, socket.SOCK_STREAM).close()') : undefined) },
  { name: 'mounts something', script: () => asRoot(`require('fs').mkdirSync('/tmp/ratchet-mount', { recursive: true }); require('child_process').execFileSync('mount', ['-t', 'tmpfs', 'none', '/tmp/ratchet-mount']); require('child_process').execFileSync('umount', ['/tmp/ratchet-mount'])`) },
];
