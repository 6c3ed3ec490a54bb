import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** Compares with `golden/<name>`; a mismatch writes what came as `<name>.actual` beside it, to be looked at and renamed. */
export function assertGolden(name: string, actual: string): void {
  const file = new URL(`golden/${name}`, import.meta.url);
  const actualFile = new URL(`golden/${name}.actual`, import.meta.url);
  const expected = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (actual === expected) {
    rmSync(actualFile, { force: true });
    return;
  }
  writeFileSync(actualFile, actual);
  assert.equal(actual, expected, `differs from test/loop/golden/${name}: see the .actual beside it`);
}
