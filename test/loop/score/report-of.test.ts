import assert from 'node:assert/strict';
import { reportOf } from '../../../src/loop/score.ts';

describe('reportOf', () => {
  const found: readonly (readonly [string, string, string])[] = [
    ['pytest --junitxml=out/r.xml tests', 'out/r.xml', 'junit'],
    ['.venv/bin/python -m pytest -q --junit-xml r.xml', 'r.xml', 'junit'],
    ['pytest "--junitxml=my report.xml" || test $? -eq 1', 'my report.xml', 'junit'],
    ["pytest --junitxml='a b.xml'; true", 'a b.xml', 'junit'],
    ['pytest --junitxml=r.xml>/dev/null', 'r.xml', 'junit'],
    ['gotestsum --junitfile unit.xml ./...', 'unit.xml', 'junit'],
    ['node_modules/.bin/vitest run --reporter=junit --outputFile=v.xml', 'v.xml', 'junit'],
    ['vitest run --reporter junit --reporter default --outputFile.junit v.xml', 'v.xml', 'junit'],
    ['node --test --test-reporter=junit --test-reporter-destination=n.xml', 'n.xml', 'junit'],
    ['node_modules/.bin/vitest bench --run --outputJson bench.json', 'bench.json', 'vitest-bench'],
    ['npx vitest bench --outputJson=bench.json', 'bench.json', 'vitest-bench'],
    ['"C:\\tools\\hyperfine.exe" -N --export-json h.json "node a.js"', 'h.json', 'hyperfine'],
    ['hyperfine --export-json /tmp/h.json ./a.out', '/tmp/h.json', 'hyperfine'],
    ['jest --json --outputFile=j.json || test -s j.json', 'j.json', 'jest'],
    ['vitest run --reporter=json --outputFile v.json', 'v.json', 'jest'],
    ['vitest run --reporter=default --reporter=json --outputFile.json=v.json', 'v.json', 'jest'],
    ['node --test --test-reporter=tap --test-reporter-destination=n.tap', 'n.tap', 'tap'],
    ['python3 -m pytest -q --benchmark-json=b.json', 'b.json', 'pytest-benchmark'],
    ['eslint -f json -o e.json src', 'e.json', 'eslint'],
    ['npx eslint --format=json --output-file=e.json src', 'e.json', 'eslint'],
    ['ruff check --output-format json -o r.json .', 'r.json', 'ruff'],
    ['.venv/bin/ruff check --output-format=json --output-file r.json', 'r.json', 'ruff'],
    ['pytest', '-', 'pytest'],
    ['cd sub && python3 -m pytest -q || test $? -eq 1', '-', 'pytest'],
    ['node_modules/.bin/jest --json', '-', 'jest'],
    ['vitest run --reporter=json', '-', 'jest'],
    ['node --test --test-reporter=tap a.test.js', '-', 'tap'],
    ['node --test --test-reporter tap --test-reporter-destination=stdout', '-', 'tap'],
    ['npx ava --tap', '-', 'tap'],
    ['tap --reporter=tap', '-', 'tap'],
    ['tape test.js', '-', 'tap'],
    ['eslint -f json a.js', '-', 'eslint'],
    ['ruff check --output-format json a.py', '-', 'ruff'],
  ];
  for (const [command, file, format] of found) it(command, () => assert.deepEqual(reportOf(command), { file, format }));

  it('finds none where the command writes none, or does not say which', () => {
    for (const command of [
      '', 'jest', 'vitest run', 'ava', 'eslint a.js', 'ruff check', 'node --test', 'node score.js', 'hyperfine ./a.out', 'other --export-json h.json', 'vitest run --outputFile=v.json', 'tool --outputJson x.json',
      'pytest --junitxml=$OUT', 'pytest --junitxml=`x`', 'pytest --junitxml', 'pytest --junitxml=', 'cd sub && pytest --junitxml=r.xml',
      'node --test --test-reporter=junit --test-reporter-destination=stdout', "echo 'pytest --junitxml=r.xml'", 'vitest bench --outputJson %OUT%',
    ]) assert.equal(reportOf(command), undefined, command);
  });
});
