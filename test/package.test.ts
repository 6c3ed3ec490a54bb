/** What is built for shipping names everyone whose work is in it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

describe('the third-party notices', function () {
  this.timeout(60_000);
  let out: string;
  let notices: string;

  before(() => {
    out = mkdtempSync(join(tmpdir(), 'ratchet-build-'));
    execFileSync(process.execPath, ['build.mjs', '--out', out], { cwd: ROOT });
    notices = readFileSync(join(out, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  });
  after(() => rmSync(out, { recursive: true, force: true }));

  /** Names of the packages whose sources a bundle's source map lists. */
  function packagesOf(bundle: string): readonly string[] {
    const { sources } = JSON.parse(readFileSync(join(out, `${bundle}.map`), 'utf8')) as { readonly sources: readonly string[] };
    return sources.flatMap((source) => /.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
  }

  /** Whether there is a part that begins with the name and goes on with a licence. */
  function isNamed(name: string): boolean {
    const part = notices.split(/^-{100}$/m).find((text) => text.trimStart().startsWith(`${name} `));
    return part !== undefined && /permission|redistribution|licensed|licence|license/i.test(part.split('\n').slice(2).join('\n'));
  }

  it('name each bundled package with its licence', () => {
    const packages = new Set([...packagesOf('cli.js'), ...packagesOf('extension.cjs')]);
    assert.ok(packages.has('openai') && packages.has('vscode-languageclient'));
    assert.deepEqual([...packages].filter((name) => !isNamed(name)), []);
  });

  it('name each grammar with its licence', () => {
    const grammars = readdirSync(join(out, 'wasm')).map((file) => basename(file, '.wasm'));
    assert.ok(grammars.includes('tree-sitter-python'));
    assert.deepEqual(grammars.filter((name) => !isNamed(name)), []);
  });
});
