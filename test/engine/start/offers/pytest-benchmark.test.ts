import assert from 'node:assert/strict';
import { Workspace } from '../workspace.ts';

const COMMAND = '-m pytest -q --benchmark-only --benchmark-json=ratchet-bench.json';
const ONE = 'from pkg.slug import slug\n\n\ndef test_slug(benchmark):\n    benchmark(slug, "A")\n';

describe('offers of pytest-benchmark', () => {
  let at: Workspace;
  beforeEach(() => {
    at = new Workspace().write({ 'pkg/__init__.py': '', 'pkg/slug.py': '' });
  });
  afterEach(() => at.dispose());

  const shown = async (): Promise<readonly string[]> => (await at.shown('pkg/slug.py')).filter((offer) => offer.includes('--benchmark-only'));

  it('say what is read where one thing is timed; those that import the file come first', async () => {
    at.write({
      'benchmarks/test_all.py': 'import other\n\n\nclass TestAll:\n    def test_a(self, benchmark, n):\n        pass\n\n    def test_b(\n        self,\n        benchmark: BenchmarkFixture,\n    ) -> None:\n        pass\n',
      'tests/bench_slug.py': ONE, 'tests/test_slug.py': 'from pkg.slug import slug\n\n\ndef test_a(): pass\n',
    });
    assert.deepEqual(await shown(), [
      `$ python3 ${COMMAND} tests/bench_slug.py # I found pytest-benchmark; I read \`mean\` of \`test_slug\`, in s, lower is better`,
      `$ python3 ${COMMAND} benchmarks/test_all.py # I found pytest-benchmark in test_all.py; pick one of its times after Try once, in s, lower is better`,
    ]);
    assert.deepEqual((await at.offers('pkg/slug.py'))[0]?.metric, { name: 'mean', direction: 'lower', unit: 's' });
  });

  it('name no metric where parameters make more than one', async () => {
    at.write({ 'test_slug.py': `import pytest\n${ONE.replace('def test', '@pytest.mark.parametrize("n", [1, 2])\ndef test').replace('benchmark)', 'benchmark, n)')}` });
    assert.match((await shown())[0] ?? '', /pick one of its times/);
  });

  it('need the one of the .venv, where there is one', async () => {
    at.write({ 'bench_slug.py': ONE, '.venv/bin/python': '', '.venv/bin/pytest': '' });
    assert.deepEqual(await shown(), []);
    at.write({ '.venv/bin/pytest-benchmark': '' });
    assert.match((await shown())[0] ?? '', /^\$ \.venv\/bin\/python -m pytest .* bench_slug\.py #/);
  });

  it('are none where the fixture is another\'s', async () => {
    at.write({ 'bench_slug.py': ONE.replace('def test', 'def benchmark(f, x): pass\n\n\ndef test') });
    assert.deepEqual(await shown(), []);
    at.write({ 'bench_slug.py': ONE, 'pyproject.toml': '[project.optional-dependencies]\ntest = ["pytest-codspeed"]\n' });
    assert.deepEqual(await shown(), []);
    at.write({ 'requirements.txt': 'pytest_benchmark\n' });
    assert.equal((await shown()).length, 1);
  });
});
