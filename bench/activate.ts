// What `activate` takes in the newest editor: wall time, and processor time over all threads of the extension host. Five
// starts, each of a fresh editor.
import { join } from 'node:path';
import { bundleForHost, runInEditor } from '../test/host/in-editor.ts';
import { EDITOR_PINS } from '../test/host/pins.ts';
import type { Activation } from './activate-in-host.ts';
import { median } from './figures.ts';

const STARTS = 5;
const ROOT = join(import.meta.dirname, '..');

const module = await bundleForHost('bench-activate', "export { run } from './activate-in-host.ts';\n", import.meta.dirname);
const seen: Activation[] = [];
for (let start = 0; start < STARTS; start++) {
  const { result, failure } = await runInEditor({ label: 'newest', desktop: false, extension: ROOT, module });
  if (result === undefined) throw new Error(`The editor gave no figures. ${failure?.message ?? ''}`);
  seen.push(result as Activation);
}
const row = (values: readonly number[]): string => `median ${median(values).toFixed(1)} ms   (${values.map((value) => value.toFixed(1)).join(', ')})`;
console.log(`activate in VS Code ${EDITOR_PINS.newest.version}, ${STARTS} starts   (goal: ≤ 20 ms)`);
console.log(`wall time        ${row(seen.map(({ wallMs }) => wallMs))}`);
console.log(`processor time   ${row(seen.map(({ cpuMs }) => cpuMs))}`);
