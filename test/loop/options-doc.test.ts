import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { OPTIONS, type OptionInfo } from '../../src/loop/options.ts';
import { assertGolden } from './golden.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');

/** Flags of `ratchet run` that no key of program.md stands for. */
const FLAGS_ALONE: Readonly<Record<string, { readonly value: string; readonly doc: string }>> = {
  '--program': { value: 'file', doc: 'The file with strategy and options. Without it: `<file>.program.md`, else `program.md`, beside the file.' },
  '--seed': { value: 'whole number, 1', doc: 'Where the random numbers start: those of `literals`, and of the scorer as RATCHET_SEED.' },
  '--yes': { value: '', doc: 'Runs the command that program.md names without asking. Otherwise it is asked once per command.' },
  '--detach': { value: '', doc: 'Prints the id of the run and returns. The run goes on in the background; `ratchet stop` ends it.' },
  '--json': { value: '', doc: 'Prints the events of the ledger, one JSON a line, and nothing else on standard output.' },
  '--parallel': { value: 'whole number, 1', doc: 'Attempts at a time. This version can do 1.' },
};

describe('docs/options.md', () => {
  it('is the table that the schema makes, and one of the flags beside it', () => {
    const of = (outside: boolean): string => Object.entries<OptionInfo>(OPTIONS).filter(([, info]) => (info.outside === true) === outside).map(([key, info]) =>
      `| \`${key}\` | ${info.type} | ${info.default} | ${info.flag === undefined ? '' : `\`${info.flag}\``} | ${info.setting === undefined ? '' : `\`${info.setting}\``} | ${info.live === true ? 'yes' : ''} | ${info.doc} |\n`).join('');
    const flags = Object.entries(FLAGS_ALONE).map(([flag, { value, doc }]) => `| \`${flag}\` | ${value} | ${doc} |\n`);
    assertGolden('../../../docs/options.md', `# Options

Every key of the first table can stand in the front matter of \`program.md\` (or \`<file>.program.md\`) beside the file. Flag over front matter over
setting over default. *Live*: an edit of \`program.md\` steers a run that is going on; the other keys wait for the next run.

| key | type | default | flag | setting | live | what it does |
| --- | --- | --- | --- | --- | --- | --- |
${of(false)}
## Your machine

What a run of the scorer may use is a matter of the machine: these are flags and settings, and can't stand in \`program.md\`.

| option | type | default | flag | setting | live | what it does |
| --- | --- | --- | --- | --- | --- | --- |
${of(true)}
Two more settings: \`ratchet.model.baseUrl\`, the server of the proposer \`openai\` (in the terminal \`OPENAI_BASE_URL\`), and none for the
key: **Ratchet: Set API Key** keeps it in the editor's secret storage (in the terminal \`OPENAI_API_KEY\`).

## Flags without a key

\`ratchet run\` has them; \`ratchet score\` too, save \`--detach\` and \`--parallel\`. \`--help\` lists all flags.

| flag | value | what it does |
| --- | --- | --- |
${flags.join('')}`);
  });

  it('leaves out no flag of the program, and has none that it doesn\'t know', function () {
    this.timeout(30_000);
    const help = execFileSync(process.execPath, [MAIN, 'run', '--help'], { encoding: 'utf8' });
    const known = [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag).filter((flag) => flag !== '--help');
    const documented = [...Object.values<OptionInfo>(OPTIONS).flatMap(({ flag }) => flag ?? []), ...Object.keys(FLAGS_ALONE)];
    assert.deepEqual(documented.sort(), known.sort());
  });
});
