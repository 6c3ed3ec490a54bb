import assert from 'node:assert/strict';
import type { LedgerEvent } from '../../src/records.ts';
import { eventsOf, Lab } from '../cli/lab.ts';
import { linesIn, readPage, samplesIn } from './pages.ts';

const BETTER = "export const slug = (title) => title.normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase().match(/[a-z0-9]+/g).join('-');\n";
/** Right about the titles of the scorer by chance of their letters, and about no others. */
const FITTED = "const plain = { è: 'e', é: 'e', û: 'u' };\nexport const slug = (title) => (title.toLowerCase().replace(/[èéû]/g, (sign) => plain[sign]).match(/[a-fh-z]{2,}/g) ?? []).join('-');\n";

describe('docs/gates.md', function () {
  this.timeout(60_000);
  let lab: Lab;
  afterEach(() => lab.close());

  it('shows a run that keeps an honest change, and not one that fits the scorer', async () => {
    const page = await readPage('gates.md');
    const [line = ''] = linesIn(page);
    assert.equal(linesIn(page).length, 1);
    assert.match(line, /^ratchet run slug\.js /);
    lab = await Lab.open({ ...Object.fromEntries(samplesIn(page)), 'r/1.md': whole(FITTED), 'r/2.md': whole(BETTER) });
    const { stdout } = await lab.ratchet('run', 'slug.js', '--proposer', 'replay:r', '--attempts', '2', '--yes', '--json');
    const events = eventsOf(stdout);
    assert.deepEqual(events.flatMap((event) => (event.type === 'judged' ? [`${event.verdict} ${event.evidence.code ?? ''}`] : [])), ['kept ', 'discarded holdout', 'kept '], stdout);
    assert.deepEqual(rolesOf(events), ['canary', 'candidate', 'gate', 'holdout', 'parent', 'stage']);
  });
});

function rolesOf(events: readonly LedgerEvent[]): readonly string[] {
  return [...new Set(events.flatMap((event) => (event.type === 'measured' ? [event.role] : [])))].sort();
}

function whole(text: string): string {
  return `It should help.\n\n\`\`\`js\n${text}\`\`\`\n`;
}
