/**
 * A filter of system calls for what no namespace closes: the kernel's keyring, which is the user's and not the process's, and
 * sockets to a virtual machine's host. For bubblewrap's `--seccomp`: an array of the kernel's `sock_filter`, as
 * `linux/filter.h` and `linux/seccomp.h` have it.
 */
export function systemCallFilter(arch: string): Buffer | undefined {
  const own = ARCHITECTURES[arch];
  return own === undefined ? undefined : assembled(own.flatMap(rulesOf));
}

interface Architecture {
  /** AUDIT_ARCH_… of `linux/audit.h`. */
  readonly audit: number;
  /** Numbers of add_key, request_key and keyctl. */
  readonly keys: readonly number[];
  readonly socket: number;
  /** From this number on calls are those of another convention, with the same effects. */
  readonly foreignFrom?: number;
}

/** By Node's `process.arch`: what a processor runs besides its own programs, too. */
const ARCHITECTURES: Readonly<Partial<Record<string, readonly Architecture[]>>> = {
  x64: [
    { audit: 0xc000003e, keys: [248, 249, 250], socket: 41, foreignFrom: 0x40000000 },
    { audit: 0x40000003, keys: [286, 287, 288], socket: 359 },
  ],
  arm64: [
    { audit: 0xc00000b7, keys: [217, 218, 219], socket: 198 },
    { audit: 0x40000028, keys: [309, 310, 311], socket: 281 },
  ],
};

/** The same on all of them. It opens sockets past a filter, and who finds none does without. */
const IO_URING_SETUP = 425;
const AF_VSOCK = 40;

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Where the call's number, its architecture and its first argument lie in `seccomp_data`. */
const [NUMBER, ARCH, FIRST] = [0, 4, 16];

interface Instruction {
  readonly code: number;
  readonly k: number;
  /** Instructions to skip where the comparison holds, and where it doesn't. */
  readonly then?: number;
  readonly else?: number;
}

const load = (offset: number): Instruction => ({ code: 0x20, k: offset });
const fail = (errno: number): Instruction => ({ code: 0x06, k: 0x0005_0000 | errno });
const ALLOW: Instruction = { code: 0x06, k: 0x7fff_0000 };

function rulesOf({ audit, keys, socket, foreignFrom }: Architecture): readonly Instruction[] {
  const block = [
    load(NUMBER),
    ...(foreignFrom === undefined ? [] : [{ code: 0x35, k: foreignFrom, then: 0, else: 1 }, fail(ENOSYS)]),
    ...keys.flatMap((key) => whereEqual(key, [fail(EPERM)])),
    ...whereEqual(IO_URING_SETUP, [fail(ENOSYS)]),
    ...whereEqual(socket, [load(FIRST), ...whereEqual(AF_VSOCK, [fail(EAFNOSUPPORT)])]),
    ALLOW,
  ];
  return [load(ARCH), ...whereEqual(audit, block)];
}

function whereEqual(k: number, then: readonly Instruction[]): readonly Instruction[] {
  return [{ code: 0x15, k, then: 0, else: then.length }, ...then];
}

function assembled(rules: readonly Instruction[]): Buffer {
  const all = [...rules, ALLOW];
  const bytes = Buffer.alloc(all.length * 8);
  all.forEach(({ code, k, then = 0, else: otherwise = 0 }, index) => {
    const at = index * 8;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(then, at + 2);
    bytes.writeUInt8(otherwise, at + 3);
    bytes.writeUInt32LE(k >>> 0, at + 4);
  });
  return bytes;
}
