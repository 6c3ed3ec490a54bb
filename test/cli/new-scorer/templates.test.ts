/** Each template in each language, filled in and run as it is: a good target, a worse one and one that doesn't load. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { KINDS } from '../../../src/loop/new-scorer/kinds.ts';
import { ENDING_OF, SCORER_KINDS, SCRIPT_LANGUAGES } from '../../../src/loop/new-scorer/names.ts';
import { pythonOrSkip } from '../../examples/scoring.ts';
import { Lab } from '../lab.ts';
import { SUBJECTS } from './targets.ts';
import { labOf, ROOT, tryOut } from './try-out.ts';

const hasPytest = spawnSync('python3', ['-c', 'import pytest']).status === 0;

describe('templates of scoring scripts', function () {
  this.timeout(120_000);
  let lab: Lab;
  before(async function () {
    await pythonOrSkip(this);
  });
  afterEach(() => lab.close());

  it('run where they lie too, on an example beside them', async () => {
    lab = await Lab.open({});
    await cp(join(ROOT, 'media', 'scorers'), lab.folder, { recursive: true });
    const programs = { javascript: process.execPath, python: 'python3', shell: 'sh' } as const;
    for (const language of SCRIPT_LANGUAGES)
      for (const kind of SCORER_KINDS) {
        if (language === 'python' && kind === 'tests' && !hasPytest) continue;
        const { status, stdout, stderr } = spawnSync(programs[language], [`${kind}${ENDING_OF[language]}`], { cwd: lab.path(language), env: lab.env, encoding: 'utf8' });
        assert.equal(status, 0, `${language} ${kind}: ${stderr}`);
        assert.match(stdout, new RegExp(`^(?:METRIC ${KINDS[kind].metric.name}=|score: )\\d`, 'm'), `${language} ${kind}`);
      }
  });

  for (const language of SCRIPT_LANGUAGES)
    for (const kind of SCORER_KINDS)
      it(`work as they are: ${kind}, ${language}`, async function () {
        if (language === 'python' && kind === 'tests' && !hasPytest) {
          console.log('pytest is not installed: its test is skipped.');
          this.skip();
        }
        const subject = SUBJECTS[language];
        lab = await labOf(subject);
        await tryOut(lab, kind, subject, []);
      });
});
