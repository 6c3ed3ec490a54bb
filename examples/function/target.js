import { pathToFileURL } from 'node:url';

/** Loads topCustomers from the file that Ratchet is trying out, or from the one beside this when run by hand. */
export async function loadTarget() {
  const candidate = process.env.RATCHET_TARGET;
  const url = candidate ? pathToFileURL(candidate) : new URL('./top-customers.js', import.meta.url);
  const { topCustomers } = await import(url);
  if (typeof topCustomers !== 'function') throw new Error('the target has no function topCustomers');
  return topCustomers;
}
