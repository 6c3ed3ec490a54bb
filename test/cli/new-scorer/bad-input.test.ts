import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { hashTree, Lab, type Ended } from '../lab.ts';
import { withoutRights } from '../worlds.ts';

const FILES = {
  'slug.js': 'export function slug(title) {\n  return title;\n}\n',
  'none.js': 'console.log(1);\n',
  'none.py': 'print(1)\n',
  'view.tsx': 'export const View = () => <p />;\n',
  'notes.txt': 'Hello\n',
  'taken.mjs': '// mine\n',
};

function says({ code, stdout, stderr }: Ended, sentence: RegExp): void {
  assert.match(stderr, sentence);
  assert.doesNotMatch(stderr, /\n\s+at |fault of ours/, 'no stack trace');
  assert.equal(stdout, '');
  assert.equal(code, 2, stderr);
}

describe('ratchet new-scorer', function () {
  this.timeout(30_000);
  let lab: Lab;
  beforeEach(async () => (lab = await Lab.open(FILES)));
  afterEach(() => lab.close());

  const cases: readonly (readonly [name: string, args: readonly string[], sentence: RegExp])[] = [
    ['an unknown kind', ['slug.js', '--kind', 'beauty'], /^ratchet: beauty is not something.*checks, tests, function/],
    ['an unknown language', ['slug.js', '--kind', 'checks', '--language', 'cobol'], /There are no templates in cobol/],
    ['a missing file', ['gone.js', '--kind', 'checks'], /There is no file .*gone\.js/],
    ['a kind without a file', ['--kind', 'checks'], /Which file should the script score/],
    ['a file without a kind', ['slug.js'], /What should the script measure\?[^]*checks {4}cases/],
    ['no function (JavaScript)', ['none.js', '--kind', 'function'], /none\.js has no function.*Export one/],
    ['no function (Python)', ['none.py', '--kind', 'checks'], /none\.py has no function.*top level/],
    ['no function in a text', ['notes.txt', '--kind', 'function'], /No script can call into notes\.txt/],
    ['a language that can\'t call the file', ['slug.js', '--kind', 'function', '--language', 'python'], /can't be written in python here.*--language javascript/],
    ['a language that can\'t see the memory', ['none.py', '--kind', 'memory', '--language', 'js'], /Node can't see the memory.*python or shell/],
    ['a language that the script\'s name has, and that can\'t call the file', ['slug.js', '--kind', 'function', '--out', 'bench.py'], /can't be written in python here/],
    ['JSX', ['view.tsx', '--kind', 'function'], /Node can't load view\.tsx/],
    ['no tests', ['slug.js', '--kind', 'tests'], /No tests of slug\.js were found.*--kind checks/],
    ['no linter', ['slug.js', '--kind', 'lint'], /No linter for slug\.js was found\. Install ESLint/],
    ['a file that nothing starts', ['notes.txt', '--kind', 'command'], /How notes\.txt is started isn't known/],
    ['a script that is there', ['slug.js', '--kind', 'checks', '--out', 'taken.mjs'], /taken\.mjs is there already and stays as it is/],
    ['a folder that isn\'t there', ['slug.js', '--kind', 'checks', '--out', 'gone/score.mjs'], /There is no folder .*gone/],
    ['a folder as the file', ['.', '--kind', 'checks'], /is a folder/],
  ];
  for (const [name, args, sentence] of cases)
    it(`says what to do and writes nothing: ${name}`, async () => {
      const before = await hashTree(lab.folder);
      says(await lab.ratchet('new-scorer', ...args), sentence);
      assert.equal(await hashTree(lab.folder), before);
    });

  it('says that tests whose report is read as it is need no script, and names their command', async () => {
    await lab.write('package.json', '{"devDependencies":{"ava":"6"}}');
    await lab.write('slug.test.js', 'import test from "ava";\nimport { slug } from "./slug.js";\ntest("slug", (t) => t.is(slug("a"), "a"));\n');
    await lab.write('node_modules/ava/package.json', '{"name":"ava","version":"6.0.0"}');
    await lab.write('node_modules/.bin/ava', '#!/bin/sh\n');
    await chmod(lab.path('node_modules/.bin/ava'), 0o755);
    says(await lab.ratchet('new-scorer', 'slug.js', '--kind', 'tests'), /No script is needed: the report of your tests is read as it is\. Use them as the scorer: --score '.*ava.*--tap/);
  });

  it('says so where the folder is read-only', async function () {
    const could = await withoutRights(lab, async (ratchet) => {
      await chmod(lab.folder, 0o555);
      says(ratchet('new-scorer', 'slug.js', '--kind', 'checks'), /can't be written \(EACCES\)\. Name a file elsewhere/);
    });
    if (!could) this.skip();
  });

  it('lists what can be measured, prints a script instead of writing it, and takes a free name', async () => {
    const list = await lab.ratchet('new-scorer');
    assert.equal(list.code, 0);
    assert.equal(list.stdout.match(/^ {2}\w+ /gm)?.length, 8);
    const before = await hashTree(lab.folder);
    const printed = await lab.ratchet('new-scorer', 'slug.js', '--kind', 'function', '--out', '-');
    assert.match(printed.stdout, /^\/\/ How fast[^]*const TARGET = 'slug\.js';[^]*const FUNCTION = 'slug';/);
    assert.equal(await hashTree(lab.folder), before);
    for (const name of ['score.mjs', 'slug.score.mjs', 'slug-2.score.mjs']) {
      const { stdout } = await lab.ratchet('new-scorer', 'slug.js', '--kind', 'checks');
      assert.match(stdout, new RegExp(`^Made ${name}: `));
    }
  });

  it('keeps a copy of the file as it is to compare with, and never writes over one', async () => {
    const first = await lab.ratchet('new-scorer', 'slug.js', '--kind', 'function');
    assert.match(first.stdout, /Made slug\.original\.js/);
    await lab.write('slug.js', 'export const slug = (title) => title;\n');
    const second = await lab.ratchet('new-scorer', 'slug.js', '--kind', 'function');
    assert.match(second.stdout, /slug\.original\.js was there already and stays/);
    assert.equal(await lab.read('slug.original.js'), FILES['slug.js']);
  });
});
