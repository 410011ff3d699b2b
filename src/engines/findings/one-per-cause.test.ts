import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { atEachPlace, onePerCause, PLACES_MAX } from './one-per-cause.ts';
import { reportOf, writeReport, type ReportFormat } from '../reports/index.ts';
import type { Finding } from './types.ts';

const link = (line: number, over: Partial<Finding> = {}): Finding => ({
  rule: 'links/target',
  severity: 'error',
  message: 'The link leads to “#”, a placeholder.',
  fix: 'Write where it leads.',
  details: { url: '#' },
  where: { line, column: 3, selector: `p:nth-child(${line}) > a`, snippet: '<a href="#">' },
  ...over,
});

describe('findings of one cause', () => {
  it('are one finding with all its places, in the order of the first', () => {
    const links = Array.from({ length: 18 }, (_, index) => link(index + 1));
    const other = link(4, { message: 'Another.' });
    const title: Finding = { rule: 'hygiene/title', severity: 'info', message: 'No title.' };
    const [one, alone, last, ...more] = onePerCause([links[0]!, other, ...links.slice(1), title]);
    assert.deepEqual(one, { ...link(1), places: links.map(({ where }) => where), count: 18 });
    assert.deepEqual([alone, last, more], [other, title, []]);
    assert.deepEqual(onePerCause([one!, alone!]), [one, alone]);
    assert.deepEqual(
      atEachPlace(one!).map(({ where, message }) => [where?.line, message]),
      links.map(({ where, message }) => [where?.line, message]),
    );
    assert.deepEqual(atEachPlace(other), [other]);
  });

  it('stay apart where anything but the place differs', () => {
    for (const over of [
      { rule: 'links/x' },
      { severity: 'warning' as const },
      { fix: 'Other.' },
      { clients: ['Gmail'] },
      { details: { url: '#a' } },
      { source: 'RFC' },
    ]) {
      assert.equal(onePerCause([link(1), link(2, over)]).length, 2, JSON.stringify(over));
    }
  });

  it('without a place are counted, and beyond the bound not listed', () => {
    const { where: _, ...nowhere } = link(1);
    assert.deepEqual(onePerCause([nowhere, nowhere]), [{ ...nowhere, count: 2 }]);
    const [many] = onePerCause(Array.from({ length: PLACES_MAX + 5 }, (_each, index) => link(index + 1)));
    assert.deepEqual([many!.places!.length, many!.count], [PLACES_MAX, PLACES_MAX + 5]);
  });

  const written = (format: ReportFormat) =>
    writeReport(format, {
      tool: { name: 'Galley', version: '1.0.0' },
      emails: [reportOf([link(2), link(5), link(9)], { email: 'a.html', kind: 'links' })],
    });

  it('are one result in every report, which keeps every place', () => {
    const {
      emails: [email],
    } = JSON.parse(written('json'));
    assert.deepEqual(
      [email.counts.errors, email.checks[0].findings.length, email.checks[0].findings[0].count],
      [1, 1, 3],
    );
    assert.deepEqual(
      email.checks[0].findings[0].places.map(({ line }: any) => line),
      [2, 5, 9],
    );
    const {
      runs: [{ results }],
    } = JSON.parse(written('sarif'));
    assert.deepEqual([results.length, results[0].occurrenceCount], [1, 3]);
    assert.deepEqual(
      results[0].locations.map((one: any) => [
        one.physicalLocation.region.startLine,
        one.logicalLocations[0].fullyQualifiedName,
      ]),
      [2, 5, 9].map((line) => [line, `p:nth-child(${line}) > a`]),
    );
    assert.match(
      written('github'),
      /^::error file=a\.html,line=2,col=3,title=links\/target::The link leads to “#”, a placeholder\. \(and in 2 more places: lines 5, 9\)%0AFix: Write where it leads\.$/m,
    );
    assert.match(
      written('pretty'),
      /Links {2}1 error\n {4}✖ links\/target {2}3 places {2}fails\n {6}The link leads to “#”, a placeholder\.\n {6}2:3 .*\n {6}5:3 .*\n {6}9:3 /,
    );
    assert.equal(written('junit').match(/a\.html:\d+:3: The link/g)?.length, 3);
    assert.match(written('junit'), /<testsuites[^>]* tests="1" failures="1"/);
  });
});
