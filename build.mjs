// Two bundles: the extension, and the terminal client that also holds the engine.
// `node build.mjs [--production] [--watch] [--out DIR]`; DIR, by default dist, is emptied first.
import { context } from 'esbuild';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { thirdPartyNotices } from './notices.mjs';

const { values: flags } = parseArgs({ options: { production: { type: 'boolean' }, watch: { type: 'boolean' }, out: { type: 'string', default: 'dist' } } });
const out = (...names) => join(flags.out, ...names);
const require = createRequire(import.meta.url);
const grammars = dirname(require.resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter.wasm'));
const GRAMMARS = ['tree-sitter', 'tree-sitter-python', 'tree-sitter-javascript', 'tree-sitter-typescript', 'tree-sitter-tsx'];

/** An old Node gets one sentence instead of a syntax error or a missing module: with the Node of the checkout, where that is there. */
const nodeCheck = `if (Number(process.versions.node.split('.')[0]) < 22) {
  const own = require('path').join(__dirname, '..', 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  console.error('ratchet: Node 22 or newer is needed; this is Node ' + process.versions.node + '. ' + (require('fs').existsSync(own) ? 'Start it with the one of this package: "' + own + '" "' + __filename + '"' : 'Install a newer one, and start it with that: node "' + __filename + '"'));
  process.exit(2);
}`;

/** Version and a hash of the sources, so that an engine of yesterday's build is known as one. */
async function buildId() {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  const hash = createHash('sha256');
  const files = (await readdir('src', { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.sort()) hash.update(await readFile(file));
  return `${version}+${hash.digest('hex').slice(0, 8)}`;
}

const common = {
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  minify: flags.production ?? false,
  sourcemap: !flags.production,
  metafile: true,
  logLevel: 'warning',
  define: { 'process.env.RATCHET_BUILD': JSON.stringify(await buildId()) },
  // The grammars' loader asks for fs and path only when it isn't given bytes.
  mainFields: ['module', 'main'],
};

/** @type {import('esbuild').BuildOptions[]} */
const bundles = [
  { ...common, entryPoints: ['src/cli/main.ts'], outfile: out('cli.js'), banner: { js: `#!/usr/bin/env node\n${nodeCheck}` } },
  { ...common, entryPoints: ['src/editor/extension.ts'], outfile: out('extension.cjs'), external: ['vscode'] },
];

await rm(flags.out, { recursive: true, force: true });
await mkdir(out('wasm'), { recursive: true });
// The package is a module; the bundles are not, so that the version check runs before anything is linked.
await writeFile(out('package.json'), '{ "type": "commonjs" }\n');
for (const name of GRAMMARS) await cp(join(grammars, `${name}.wasm`), out('wasm', `${name}.wasm`));

const metafiles = [];
for (const options of bundles) {
  const build = await context(options);
  metafiles.push((await build.rebuild()).metafile);
  if (flags.watch) await build.watch();
  else await build.dispose();
}
await writeFile(out('THIRD-PARTY-NOTICES.txt'), await thirdPartyNotices(metafiles, GRAMMARS));
