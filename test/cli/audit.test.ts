import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startModelServer, type CannedResponse, type ModelServer } from '../engine/proposers/server.ts';
import { Lab, reply, type Going } from './lab.ts';

const SLUG = `def slug(text):
    return "-".join(text.lower().split())


def parse_date(text):
    year, month = text.split("-")
    return int(year) * 12 + int(month)
`;
const LINE = '    return int(year) * 12 + int(month)';
const SCORE = 'from slug import slug\nprint("score:", 40 if slug("A b") == "a-b" else 0)\n';

describe('a run on a file that nobody has checked', () => {
  let lab: Lab;
  let server: ModelServer;
  afterEach(async () => {
    await server.close();
    await lab.close();
  });

  it('breaks it on purpose while the model thinks, says what it found, tells the model, and keeps it for a check', async () => {
    const { promise: started, resolve: onStart } = Promise.withResolvers<Going>();
    server = await startModelServer([answer(reply(LINE, LINE.replace('12', '13'))), answer(reply(LINE, LINE.replace('12', '14')))], async (request) => {
      if (request === 0) await (await started).until((stdout) => stdout.includes('"type":"noted"'));
    });
    lab = await Lab.open({ 'slug.py': SLUG, 'score.py': SCORE });
    lab.env['OPENAI_BASE_URL'] = `${server.origin}/v1`;
    const scorer = ['slug.py', '--score', 'python3 score.py', '--proposer', 'openai', '--model', 'm'];
    const going = lab.start(['run', ...scorer, '--attempts', '2', '--json']);
    onStart(going);
    const { stdout } = await going.ended;
    const events = stdout.trim().split('\n').map((line) => JSON.parse(line) as { readonly type: string; readonly sentence?: string; readonly blind?: boolean });
    assert.deepEqual(events.filter(({ type }) => type === 'noted').map(({ sentence }) => sentence), ['The score depends on the code? Nothing you measure depends on parse_date (lines 5–7). 1 of 2 parts that were broken changed the score.']);
    assert.doesNotMatch(JSON.stringify(server.requests[0]?.body), /parse_date \(lines/);
    assert.match(JSON.stringify(server.requests[1]?.body), /parse_date \(lines 5 to 7\)/);
    assert.deepEqual(events.filter(({ type }) => type === 'edited').map(({ blind }) => blind), [true, true]);

    const kept = await samples();
    const { code } = await lab.ratchet('check', ...scorer, '--yes');
    assert.equal(code, 3);
    assert.deepEqual((await samples()).filter((id) => !kept.includes(id)), ['pair-1', 'pair-2'], 'the check goes on with what a run leaves out');
  });

  it('says what it found by then where the run ends first', async () => {
    server = await startModelServer([answer(reply(LINE, LINE.replace('12', '13')))], async () => {
      while ((await samples().catch((): readonly string[] => [])).filter((id) => id.startsWith('mutant-')).length < 2) await new Promise((resolve) => setImmediate(resolve));
    });
    lab = await Lab.open({ 'slug.py': SLUG, 'score.py': SCORE });
    lab.env['OPENAI_BASE_URL'] = `${server.origin}/v1`;
    const { events } = await lab.events('run', 'slug.py', '--score', 'python3 score.py', '--proposer', 'openai', '--model', 'm', '--attempts', '1');
    assert.equal(events.filter((event) => event.type === 'noted' && event.sentence.includes('Nothing you measure depends on parse_date')).length, 1);
  });

  it('goes on where what is found can\'t be kept, and says so; a check says what to do', async () => {
    const { promise: started, resolve: onStart } = Promise.withResolvers<Going>();
    server = await startModelServer([answer(reply(LINE, LINE.replace('12', '13')))], async () => (await started).until((stdout) => stdout.includes('"type":"noted"')));
    lab = await Lab.open({ 'slug.py': SLUG, 'score.py': SCORE });
    lab.env['OPENAI_BASE_URL'] = `${server.origin}/v1`;
    const scorer = ['slug.py', '--score', 'python3 score.py', '--proposer', 'openai', '--model', 'm'];
    await lab.ratchet('check', ...scorer, '--yes');
    const [name = ''] = await readdir(lab.path('.ratchet/checks'));
    await rm(lab.path(`.ratchet/checks/${name}`));
    await mkdir(lab.path(`.ratchet/checks/${name}`));
    const going = lab.start(['run', ...scorer, '--attempts', '1', '--json']);
    onStart(going);
    const { stdout } = await going.ended;
    assert.match(stdout, /"sentence":"Breaking the start file on purpose was given up: What a check measured can't be kept in [^"]*\(EISDIR\)\. Move away/);
    assert.match(stdout, /"attempt":1,"verdict":"discarded"/);
    const again = await lab.ratchet('check', ...scorer, '--yes');
    assert.match(again.stderr, /\nratchet: What a check measured can't be kept in .*\(EISDIR\)\. Move away what is in its place, and try again\.\n$/);
  });

  it('leaves it whole where one run each was asked for', async () => {
    server = await startModelServer([answer(reply(LINE, LINE.replace('12', '13')))]);
    lab = await Lab.open({ 'slug.py': SLUG, 'score.py': SCORE });
    lab.env['OPENAI_BASE_URL'] = `${server.origin}/v1`;
    await lab.ratchet('run', 'slug.py', '--score', 'python3 score.py', '--proposer', 'openai', '--model', 'm', '--attempts', '1', '--confirm', 'off');
    await assert.rejects(readdir(join(lab.folder, '.ratchet/checks')));
  });

  async function samples(): Promise<readonly string[]> {
    const folder = join(lab.folder, '.ratchet/checks');
    const [name = ''] = await readdir(folder);
    return Object.keys((JSON.parse(await readFile(join(folder, name), 'utf8')) as { readonly samples: object }).samples);
  }
});

function answer(text: string): CannedResponse {
  const body = { id: 'r', object: 'chat.completion', model: 'm', choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } };
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
