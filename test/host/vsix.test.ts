/** The package as a person gets it: packed, installed, looked through, and the whole job done with it. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { Lab } from '../cli/lab.ts';
import type { Editor } from './editor.ts';
import { openLab } from './lab.ts';
import { Person } from './person.ts';
import { runTool } from './tool.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const MAX_BYTES = 3 * 1024 * 1024;
const TARGET = '// how far\nexport const LEVEL = 3;\n';
const SCORER = `import { pathToFileURL } from 'node:url';
export default async (path) => {
  const { LEVEL } = await import(pathToFileURL(path).href);
  return 100 - Math.abs(LEVEL - 9);
};
`;

/** Everything that is shipped. What comes to it is named here by hand. */
const SHIPPED = [
  'LICENSE.txt', 'changelog.md', 'readme.md', 'package.json', 'package.nls.json',
  'dist/THIRD-PARTY-NOTICES.txt', 'dist/cli.js', 'dist/extension.cjs', 'dist/package.json',
  ...['tree-sitter', 'tree-sitter-javascript', 'tree-sitter-python', 'tree-sitter-tsx', 'tree-sitter-typescript'].map((name) => `dist/wasm/${name}.wasm`),
  ...readdirSync(path.resolve(import.meta.dirname, '../../docs')).map((name) => `docs/${name}`),
  'media/icon.png', 'media/ratchet.svg', 'media/screenshot.png',
  ...['added-dark', 'added-light', 'removed-dark', 'removed-light'].map((name) => `media/diff/${name}.svg`),
  ...Object.entries({ javascript: 'mjs', python: 'py', shell: 'sh' }).flatMap(([folder, ending]) =>
    ['checks', 'tests', 'function', 'command', 'memory', 'size', 'lint', 'mix', 'example'].map((name) => `media/scorers/${folder}/${name}.${ending}`)),
  'media/scorers/javascript/example.test.mjs', 'media/scorers/python/test_example.py', 'media/scorers/shell/example-report.sh',
];
/** Made by the editor when it installs. */
const BY_THE_EDITOR = '.vsixmanifest';

describe('the packed extension', function () {
  this.timeout(300_000);
  // Each step begins where the last one ended.
  this.bail(true);
  let lab: Lab;
  let vsix: string;
  let editor: Editor;

  before(async () => {
    lab = await Lab.open({ 'target.mjs': TARGET, 'score.mjs': SCORER });
    vsix = path.join(path.dirname(lab.folder), 'ratchet.vsix');
    await runTool(process.execPath, ['pack.mjs', vsix], { cwd: ROOT });
    editor = await openLab(lab, { vsix });
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.screenshot('vsix-failed');
  });
  after(async () => {
    await editor?.close();
    await lab?.close();
  });

  it('is small', async () => {
    const { size } = await stat(vsix);
    assert.ok(size <= MAX_BYTES, `It has ${size} bytes.`);
  });

  it('holds what runs, what is read and the licences, and nothing else', async () => {
    const extensions = path.join(editor.dataDir, 'extensions');
    const [installed] = (await readdir(extensions)).filter((name) => name.startsWith('ratchet.ratchet-'));
    assert.ok(installed);
    const home = path.join(extensions, installed);
    const files = (await readdir(home, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).map((entry) => path.relative(home, path.join(entry.parentPath, entry.name)));
    assert.deepEqual(files.filter((file) => file !== BY_THE_EDITOR).sort(), [...SHIPPED].sort());
  });

  it('does the whole job: right-click, a scorer, numbers only, a kept attempt, accept', async () => {
    const person = new Person(editor);
    await person.autoresearch('target.mjs');
    await person.choose('Start');
    await person.page('Type a Command');
    await editor.screenshot('vsix-1-scorers');
    await person.choose('score.mjs');
    await person.numbersOnly();
    await person.start();
    await person.openKept();
    await editor.screenshot('vsix-2-kept');
    // It has tried all that it can in no time.
    await person.ended();
    assert.equal(await lab.read('target.mjs'), TARGET);
    await person.accept('target.mjs');
    await editor.screenshot('vsix-3-accepted');
    await person.save('target.mjs');
    const level = Number(/^export const LEVEL = (\d+);$/m.exec(await lab.read('target.mjs'))?.[1]);
    assert.ok(Math.abs(level - 9) < 6, `LEVEL = ${level} is nearer to 9 than 3 is`);
  });
});
