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
  ];
  for (const [command, file, format] of found) it(command, () => assert.deepEqual(reportOf(command), { file, format }));

  it('finds none where the command writes none, or does not say which', () => {
    for (const command of [
      '', 'pytest', 'node score.js', 'hyperfine ./a.out', 'other --export-json h.json', 'vitest run --outputFile=v.json', 'tool --outputJson x.json',
      'pytest --junitxml=$OUT', 'pytest --junitxml=`x`', 'pytest --junitxml', 'pytest --junitxml=', 'cd sub && pytest --junitxml=r.xml',
      'node --test --test-reporter=junit --test-reporter-destination=stdout', "echo 'pytest --junitxml=r.xml'", 'vitest bench --outputJson %OUT%',
    ]) assert.equal(reportOf(command), undefined, command);
  });
});
