import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { Lab } from '../cli/lab.ts';

describe('a client of an engine', () => {
  it('starts another one where that takes the connection in its last moment and is gone', async () => {
    const lab = await Lab.open({ 'f.py': 'A = 10\n', 's.sh': 'sed "s/A = /score: /" f.py\n' });
    const { socket, token } = await lab.runtime();
    // A process that was killed closes what it has open one by one: the door may be the last of it.
    await writeFile(token, 'of the one that is gone');
    const dying = createServer((connection) => {
      connection.destroy();
      dying.close();
    });
    dying.listen(socket);
    await once(dying, 'listening');
    const { code, stderr } = await lab.ratchet('run', 'f.py', '--score', 'sh s.sh', '--proposer', 'literals', '--attempts', '1', '--confirm', 'off');
    assert.ok(code === 0 || code === 3, stderr);
    assert.equal(dying.listening, false, 'it was asked first');
    await lab.close();
  }).timeout(30_000);
});
