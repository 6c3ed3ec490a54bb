// `node pack.mjs [FILE]`: the .vsix, ratchet.vsix by default, and what lies in it. It is packed from a folder of its own, so that dist stays the build
// that people and tests use. There is no public repository to link to yet, so relative links of the README stay as they are.
import { createVSIX } from '@vscode/vsce';
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const top = import.meta.dirname;
const packagePath = resolve(process.argv[2] ?? 'ratchet.vsix');
const stage = await mkdtemp(join(tmpdir(), 'ratchet-pack-'));
try {
  const { status } = spawnSync(process.execPath, ['build.mjs', '--production', '--out', join(stage, 'dist')], { cwd: top, stdio: 'inherit' });
  // What is wrong has been said.
  if (status !== 0) throw new Error('The build failed, so nothing was packed.');
  const manifest = JSON.parse(await readFile(join(top, 'package.json'), 'utf8'));
  // It is built already and the bundles hold what they depend on; of what developers need nothing is shipped.
  for (const key of ['scripts', 'dependencies', 'devDependencies', 'allowScripts']) delete manifest[key];
  await writeFile(join(stage, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  // The folder holds more than is shipped; what is shipped says `files` in package.json.
  for (const name of ['media', 'docs', 'package.nls.json', 'README.md', 'CHANGELOG.md', 'LICENSE']) await cp(join(top, name), join(stage, name), { recursive: true });
  await createVSIX({ cwd: stage, packagePath, dependencies: false, allowMissingRepository: true, rewriteRelativeLinks: false });
} finally {
  await rm(stage, { recursive: true, force: true });
}
console.log(`${packagePath}: ${((await stat(packagePath)).size / 1024 / 1024).toFixed(2)} MB`);
