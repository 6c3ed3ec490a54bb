import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { scorerTemplate } from '../../../src/editor/start/templates.ts';

describe('scorer templates', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ratchet-template-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (target: string, text: string): { readonly scorer: string; readonly target: string } => {
    const template = scorerTemplate(join(folder, target));
    writeFileSync(join(folder, template.name), template.text);
    writeFileSync(join(folder, target), text);
    return { scorer: join(folder, template.name), target: join(folder, target) };
  };

  it('score as they are, and notice a file that can\'t be loaded (JavaScript)', async () => {
    const { scorer, target } = write('a.mjs', 'export function main() {}\n');
    const module = (await import(pathToFileURL(scorer).href)) as { readonly default: (path: string) => Promise<number> };
    assert.equal(await module.default(target), 100);
    writeFileSync(join(folder, 'b.mjs'), 'throw new Error("broken");\n');
    await assert.rejects(module.default(join(folder, 'b.mjs')), /broken/);
  });

  it('score as they are (Python)', () => {
    const { scorer, target } = write('a.py', 'def main():\n    pass\n');
    const code = `import runpy; print(runpy.run_path(${JSON.stringify(scorer)})["score"](${JSON.stringify(target)}))`;
    assert.equal(spawnSync('python3', ['-c', code], { encoding: 'utf8' }).stdout.trim(), '100.0');
  });

  it('score as they are (any other file)', () => {
    const { scorer, target } = write('a.txt', 'Hello\n');
    assert.equal(spawnSync('sh', [scorer], { encoding: 'utf8', env: { ...process.env, RATCHET_TARGET: target } }).stdout, 'score: 100\n');
  });
});
