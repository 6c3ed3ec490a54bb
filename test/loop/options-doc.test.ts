import { OPTIONS, type OptionInfo } from '../../src/loop/options.ts';
import { assertGolden } from './golden.ts';

describe('docs/options.md', () => {
  it('is the table that the schema makes', () => {
    const rows = Object.entries(OPTIONS).map(([key, info]: [string, OptionInfo]) =>
      `| \`${key}\` | ${info.type} | ${info.default} | ${info.flag === undefined ? '' : `\`${info.flag}\``} | ${info.setting === undefined ? '' : `\`${info.setting}\``} | ${info.live === true ? 'yes' : ''} | ${info.doc} |\n`);
    assertGolden('../../../docs/options.md', `# Options

Every key can stand in the front matter of \`program.md\` (or \`<file>.program.md\`) beside the file. Flag over front matter over
setting over default. *Live*: an edit of \`program.md\` steers a run that is going on; the other keys wait for the next run.

| key | type | default | flag | setting | live | what it does |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('')}
Two more settings: \`ratchet.model.baseUrl\`, the server of the proposer \`openai\` (in the terminal \`OPENAI_BASE_URL\`), and none for the
key: **Ratchet: Set API Key** keeps it in the editor's secret storage (in the terminal \`OPENAI_API_KEY\`).
`);
  });
});
