import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readReport } from '../../../../src/loop/score/adapters/read.ts';

const junit = (text: string): ReturnType<typeof readReport> => readReport(text, 'junit');
const figures = (text: string): Record<string, number> => Object.fromEntries(junit(text).figures);

describe('JUnit XML', () => {
  it('of pytest: share of passed tests, skipped ones not among them', () => {
    const text = `<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="5" time="0.04">
<testcase classname="test_a" name="test_one" time="0.001" /><testcase classname="test_a" name="test_two[a&gt;b]" time="0.001"></testcase>
<testcase classname="test_a" name="test_three"><failure message="assert 1 == 2&#10;  +1">def test_three(): &lt;testcase/&gt; &gt;</failure></testcase>
<testcase classname="test_a" name="test_four"><skipped type="pytest.skip" message="later">x</skipped></testcase>
<testcase classname="test_a" name="test_five"><error message="failed on setup">y</error></testcase></testsuite></testsuites>`;
    assert.deepEqual(figures(text), { score: 40, tests: 5, failures: 2, skipped: 1 });
    assert.deepEqual(junit(text).cases, [
      { name: 'test_a > test_one', score: 100 }, { name: 'test_a > test_two[a>b]', score: 100 },
      { name: 'test_a > test_three', score: 0, note: 'assert 1 == 2\n  +1' }, { name: 'test_a > test_five', score: 0, note: 'failed on setup' },
    ]);
  });

  it('of node:test: nested suites, a bare > in an attribute, comments', () => {
    const text = `<?xml version="1.0" encoding="utf-8"?>
<testsuites>
	<testsuite name="a &lt;x>" tests="3" failures="1" skipped="1">
		<testcase name="p" classname="a &lt;x>"/>
		<testcase name="f" failure="1 == 2"><failure type="testCodeFailure" message="1 == 2">Error: <![CDATA[<testcase name="no"/>]]></failure></testcase>
		<testsuite name="n" tests="1"><testcase name="p2"/></testsuite>
		<testcase name="s"><skipped type="skipped" message="true"/></testcase>
	</testsuite>
	<testcase name="top"/>
	<!-- tests 5 <testcase name="no"/> -->
</testsuites>`;
    assert.deepEqual(figures(text), { score: 60, tests: 5, failures: 1, skipped: 1 });
  });

  it('of mocha: one suite as the root, a failure counted among errors', () => {
    const text = `<testsuite name="Mocha Tests" tests="3" failures="0" errors="1" skipped="1">
<testcase classname="m" name="p" time="0"/>
<testcase classname="m" name="f" time="0"><failure>a &#x3E; b</failure></testcase>
<testcase classname="m" name="s" time="0"><skipped/></testcase>
</testsuite>`;
    const { score, ...counts } = figures(text);
    assert.ok(score !== undefined && Math.abs(score - 100 / 3) < 1e-9);
    assert.deepEqual(counts, { tests: 3, failures: 1, skipped: 1 });
  });

  it('a test with a failure and an error is one failed test; a failure outside any test is one too', () => {
    assert.deepEqual(figures('<testsuite><testcase name="a"><failure/><error/></testcase><testcase name="b"/></testsuite>'), { score: 50, tests: 2, failures: 1, skipped: 0 });
    assert.deepEqual(figures('<testsuites><testsuite name="s"><error message="no import"/></testsuite></testsuites>'), { score: 0, tests: 1, failures: 1, skipped: 0 });
    assert.deepEqual(figures('<testsuite><testcase name="a"><skipped/><failure/></testcase></testsuite>'), { score: 0, tests: 1, failures: 1, skipped: 0 });
  });

  it('no test is no score', () => {
    for (const text of ['<testsuites/>', '<testsuites></testsuites>', '<testsuite tests="5" failures="0"></testsuite>']) {
      assert.deepEqual(figures(text), { tests: 0, failures: 0, skipped: 0 }, text);
      assert.match(junit(text).problem ?? '', /nothing was checked/);
    }
  });

  it('other text is refused', () => {
    for (const text of ['', 'oops', '{"a": 1}', '<html><body>', '<testcase name="a"/>']) {
      assert.match(junit(text).problem ?? '', /not JUnit/, text);
      assert.equal(junit(text).figures.size, 0);
    }
  });

  it('a report that is cut off anywhere gives no score', () => {
    const text = '<?xml version="1.0"?><testsuites><testsuite name="s"><testcase name="a"/><testcase name="b"><failure message="x > y">t</failure></testcase></testsuite></testsuites>';
    for (let end = 0; end < text.length; end += 1) assert.equal(junit(text.slice(0, end)).figures.get('score'), undefined, text.slice(0, end));
    assert.equal(junit(text).figures.get('score'), 50);
  });

  it('never throws, and takes hostile text in one pass', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom('<testsuite', '<testcase', '</testcase>', ' name="a"', '/>', '>', '"', "'", '<!--', '-->', '<![CDATA[', ']]>', '<failure/>', '&#x110000;', '<?')).map((parts) => parts.join('')), (text) => {
      const score = junit(text).figures.get('score');
      assert.ok(score === undefined || (score >= 0 && score <= 100));
    }));
    for (const text of ['<!--'.repeat(500_000), '<a '.repeat(500_000), `<testsuite ${'a'.repeat(3_000_000)}></testsuite>`, `<testsuite name=${' '.repeat(3_000_000)}></testsuite>`, `<testsuite>${'<testcase name="a"/>'.repeat(100_000)}</testsuite>`]) junit(text);
  }).timeout(20_000);
});
