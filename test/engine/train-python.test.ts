import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPython } from '../../src/engine/tools.ts';
import { findTrainPython, type TrainPython } from '../../src/engine/train-python.ts';

describe('what runs a train.py', () => {
  let root: string;
  const write = async (name: string, text = '', mode = 0o644): Promise<void> => {
    await mkdir(join(root, name, '..'), { recursive: true });
    await writeFile(join(root, name), text, { mode });
  };
  const find = async (text = ''): Promise<TrainPython> => {
    const place = { root, folder: join(root, 'sub') };
    const env = { PATH: join(root, 'bin') };
    return findTrainPython(text, await findPython(place, env), place, env);
  };

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'ratchet-uv-'));
    await write('bin/python3', '#!/bin/sh\n', 0o755);
    await write('bin/uv', '#!/bin/sh\n', 0o755);
  });
  afterEach(() => rm(root, { recursive: true }));

  it('is python3 where nothing asks for more', async () => {
    await write('pyproject.toml', '[project]\nname = "x"\n');
    assert.deepEqual((await find()).argv, [join(root, 'bin/python3')]);
  });

  it('is uv run for the projects of uv, and for a file that names its packages', async () => {
    assert.deepEqual((await find('# /// script\n# dependencies = []\n# ///\n')).argv, [join(root, 'bin/uv'), 'run']);
    await write('uv.lock');
    const { argv, why } = await find();
    assert.deepEqual(argv, [join(root, 'bin/uv'), 'run']);
    assert.match(why, /uv\.lock, and there is no \.venv/);
    await rm(join(root, 'uv.lock'));
    await write('sub/pyproject.toml', '[tool.uv.sources]\n');
    assert.match((await find()).why, /pyproject\.toml is uv's/);
  });

  it('is the .venv where there is one, and python3 where uv is not there', async () => {
    await write('uv.lock');
    await write('.venv/bin/python', '#!/bin/sh\n', 0o755);
    assert.deepEqual((await find()).argv, [join(root, '.venv/bin/python')]);
    await rm(join(root, '.venv'), { recursive: true });
    await rm(join(root, 'bin/uv'));
    assert.deepEqual((await find()).argv, [join(root, 'bin/python3')]);
  });
});
