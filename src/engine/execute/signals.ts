/** Signals one process. What is gone or not ours to signal is left to the look that follows. */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Signals a process group; true if anyone was there to get it. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  return signalProcess(-group, signal);
}
