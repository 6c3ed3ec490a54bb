// The licences of everything of others that is shipped, as one text: npm packages by what esbuild put into the bundles,
// grammars by name, since they come compiled inside another package and without their own texts.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const RULE = `\n${'-'.repeat(100)}\n\n`;

/** The words of the MIT licence, as the authors of the grammars use it. */
const mit = (copyright) => `The MIT License (MIT)

${copyright}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`;

/** Whose work lies in the compiled files. The grammar tree-sitter-tsx is a part of tree-sitter-typescript. */
const GRAMMARS = {
  'tree-sitter': 'Copyright (c) 2018-2024 Max Brunsfeld',
  'tree-sitter-python': 'Copyright (c) 2016 Max Brunsfeld',
  'tree-sitter-javascript': 'Copyright (c) 2014 Max Brunsfeld',
  'tree-sitter-typescript': 'Copyright (c) 2017 Max Brunsfeld',
  'tree-sitter-tsx': 'Copyright (c) 2017 Max Brunsfeld',
};

/** Folders of the packages that have at least a byte in a bundle, each once. */
function bundledPackages(metafiles) {
  const folders = new Set();
  for (const { outputs } of metafiles) {
    for (const [file, { bytesInOutput }] of Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs))) {
      const folder = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
      if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
    }
  }
  return [...folders].sort();
}

async function noticeOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice|third-?party-?notices?)\b/i.test(file)).sort();
  // What is under a licence must not be shipped without it.
  if (!files.some((file) => /^(licen[cs]e|copying)/i.test(file))) throw new Error(`The package ${name} has no licence text to ship with it.`);
  const texts = await Promise.all(files.map(async (file) => (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n').trim()));
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}

/** The whole text, for the metafiles of the bundles and the names of the compiled grammars. */
export async function thirdPartyNotices(metafiles, grammars) {
  const packages = await Promise.all(bundledPackages(metafiles).map(noticeOf));
  const compiled = grammars.map((name) => {
    if (GRAMMARS[name] === undefined) throw new Error(`Say in notices.mjs whose work ${name} is.`);
    return `${name} (MIT)\n\n${mit(GRAMMARS[name])}`;
  });
  return [`Ratchet contains the work of others, under these licences.\n`, ...packages, ...compiled].join(RULE);
}
