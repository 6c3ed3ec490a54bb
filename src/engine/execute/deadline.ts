/** The longest wait that one timer can take; a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Calls `action` once after `ms` milliseconds, which may be months or Infinity. The returned function calls it off. */
export function after(ms: number, action: () => void): () => void {
  const deadline = performance.now() + ms;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const left = deadline - performance.now();
    timer = left > LONGEST_MS ? setTimeout(wait, LONGEST_MS) : setTimeout(action, left);
  };
  wait();
  return () => { clearTimeout(timer); };
}
