import assert from 'node:assert/strict';
import { Workspace } from '../workspace.ts';

describe('offers of linters', () => {
  let at: Workspace;
  beforeEach(() => {
    at = new Workspace();
  });
  afterEach(() => at.dispose());

  const commands = async (target: string): Promise<readonly unknown[]> => (await at.offers(target)).map(({ scorer }) => scorer);

  it('of ESLint need one that is installed, and a configuration', async () => {
    const ending = 'node_modules/.bin/eslint -f json t.ts || test $? -eq 1';
    at.write({ 'package.json': '{"devDependencies": {"eslint": "*"}, "scripts": {"lint": "eslint --cache ."}}', 't.ts': '', 't.py': '' });
    at.binaries('.', 'eslint');
    assert.deepEqual(await commands('t.ts'), []);
    for (const config of ['.eslintrc', '.eslintrc.json', 'eslint.config.mts']) {
      const other = new Workspace().write({ 'package.json': '{}', 't.ts': '', 't.py': '', [config]: '' });
      assert.deepEqual(await other.offers('t.ts'), [], config);
      other.binaries('.', 'eslint');
      assert.deepEqual((await other.offers('t.ts')).map(({ scorer }) => scorer), [ending], config);
      assert.deepEqual(await other.offers('t.py'), []);
      await other.dispose();
    }
    at.write({ 'package.json': '{"eslintConfig": {}}' });
    assert.deepEqual(await commands('t.ts'), [ending]);
  });

  it('of ESLint run where it is configured, with a configuration that a script names', async () => {
    at.write({ 'package.json': '{}', 'eslint.config.js': '', 'a/package.json': '{}', 'a/src/my file.js': '' }).binaries('.', 'eslint');
    assert.deepEqual(await at.shown('a/src/my file.js'), [
      "$ node_modules/.bin/eslint -f json 'a/src/my file.js' || test $? -eq 1 # I found ESLint; I read `findings` of `my file.js`, lower is better; less code has fewer of them, so let tests be a gate beside it",
    ]);
    const own = new Workspace().write({ 'package.json': '{"scripts": {"lint": "tsc && eslint --fix --cache -c \\"conf/my lint.js\\" ."}}', 't.js': '' }).binaries('.', 'eslint');
    assert.deepEqual((await own.offers('t.js')).map(({ scorer }) => scorer), ["node_modules/.bin/eslint --config 'conf/my lint.js' -f json t.js || test $? -eq 1"]);
    await own.dispose();
  });

  it('of ruff need a word of it in the project\'s files, or one in its .venv', async () => {
    const ending = 'check --no-cache --ignore-noqa --output-format json t.py || test $? -eq 1';
    const says: readonly (readonly [name: string, text: string, offered: boolean])[] = [
      ['ruff.toml', '', true], ['.ruff.toml', 'fix = false\n', true], ['pyproject.toml', '[tool.ruff.lint]\nselect = ["E"]\n', true], ['pyproject.toml', '[dependency-groups]\ndev = ["ruff>=0.5"]\n', true],
      ['requirements-dev.txt', 'pytest\nruff==0.5.0\n', true], ['requirements/dev.txt', 'ruff\n', true], ['tox.ini', '[testenv:lint]\ncommands = ruff check .\n', true], ['setup.cfg', '[options.extras_require]\ndev =\n  ruff\n', true],
      ['.pre-commit-config.yaml', '- repo: https://github.com/astral-sh/ruff-pre-commit\n', true],
      ['requirements.txt', '# ruff\nruff-lsp\nmy-ruff\n', false], ['pyproject.toml', '[tool.black]\n', false], ['README.md', 'ruff\n', false],
    ];
    for (const [name, text, offered] of says) {
      const other = new Workspace().write({ 't.py': '', 't.js': '', [name]: text });
      assert.deepEqual((await other.offers('t.py')).map(({ scorer }) => scorer), offered ? [`ruff ${ending}`] : [], `${name}: ${text}`);
      assert.deepEqual(await other.offers('t.js'), []);
      await other.dispose();
    }
    at.write({ 't.py': '', '.venv/bin/python': '', '.venv/bin/ruff': '' });
    assert.deepEqual(await commands('t.py'), [`.venv/bin/ruff ${ending}`]);
  });

  it('come after tests and benchmarks', async () => {
    at.write({ 't.py': '', 'ruff.toml': '', 'test_t.py': 'import t\n\n\ndef test_it(benchmark):\n    benchmark(t.run)\n' });
    assert.deepEqual((await at.offers('t.py')).map(({ why }) => /pytest-benchmark|imports the file|is a test|ruff/.exec(why)?.[0]), ['pytest-benchmark', 'imports the file', 'is a test', 'ruff']);
  });
});
