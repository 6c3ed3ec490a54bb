// `npm run package`: the .vsix, and what lies in it. There is no public repository to link to yet, so relative links of the
// README stay as they are.
import { createVSIX, listFiles } from '@vscode/vsce';
import { stat } from 'node:fs/promises';

const packagePath = process.argv[2] ?? 'ratchet.vsix';
await createVSIX({ cwd: import.meta.dirname, packagePath, dependencies: false, allowMissingRepository: true, rewriteRelativeLinks: false });
for (const file of await listFiles({ cwd: import.meta.dirname, dependencies: false })) console.log(file);
console.log(`${packagePath}: ${((await stat(packagePath)).size / 1024 / 1024).toFixed(2)} MB`);
