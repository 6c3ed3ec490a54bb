import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

type Versions = Readonly<Record<string, string>>;

const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const manifest = json('package.json') as { readonly dependencies: Versions; readonly devDependencies: Versions };
const lock = json('package-lock.json') as { readonly packages: Readonly<Record<string, { readonly resolved?: string; readonly integrity?: string; readonly link?: boolean; readonly license?: string }>> };
const page = readFileSync('docs/dependencies.md', 'utf8');

/** The rows of the table below a heading. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const part = page.split(/^## /m).find((text) => text.startsWith(heading)) ?? '';
  return part.split('\n').filter((line) => line.startsWith('| `')).map((line) => line.slice(1, -1).split('|').map((cell) => cell.trim()));
}

describe('docs/dependencies.md', () => {
  for (const [heading, named] of [['In what ships', manifest.dependencies], ['To build and test', manifest.devDependencies]] as const)
    it(`names what package.json names, with versions, licence and a reason: ${heading.toLowerCase()}`, () => {
      const rows = rowsBelow(heading);
      assert.deepEqual(rows.map(([name, versions]) => [name, versions]), Object.entries(named).map(([name, versions]) => [`\`${name}\``, versions]));
      for (const [name = '', , licence, why = ''] of rows) {
        const { license } = json(`node_modules/${name.replaceAll('`', '')}/package.json`) as { readonly license?: string };
        assert.equal(licence, license, name);
        assert.match(why, /^[A-Z].{15,}\.$/, name);
      }
    });

  it('speaks of packages that the lock file fixes by their hash, and come from a registry alone', () => {
    for (const [path, { resolved = '', integrity, link }] of Object.entries(lock.packages)) {
      if (path === '' || link === true) continue;
      // Without an address it comes from the registry that npm is set to.
      assert.match(resolved, /^$|^https:\/\//, path);
      assert.match(integrity ?? '', /^sha512-/, path);
    }
  });
});
