import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareLinks, readExpected, type ActualLink } from './index.ts';

describe('readExpected', () => {
  it('reads columns by their names, wherever the header stands', () => {
    const rows = [
      [],
      ['Link text', 'URL', 'Status Code', 'Final URL'],
      ['Shop', 'https://a.example/', '200', ''],
      ['', '', '', ''],
      ['Old', 'https://a.example/old', '301', 'https://a.example/new'],
    ];
    assert.deepEqual(readExpected(rows), [
      { row: 3, url: 'https://a.example/', text: 'Shop', status: '200' },
      { row: 5, url: 'https://a.example/old', text: 'Old', status: '301', finalUrl: 'https://a.example/new' },
    ]);
    assert.deepEqual(
      readExpected([
        ['Destination', 'Expected link'],
        ['https://b.example/', 'https://a.example/'],
      ]),
      [{ row: 2, url: 'https://a.example/', finalUrl: 'https://b.example/' }],
    );
  });
  it('takes the column of addresses where no column has a name', () => {
    assert.deepEqual(
      readExpected([
        ['Spring mail', ''],
        ['Shop', 'https://a.example/'],
        ['Mail', 'mailto:x@a.example'],
      ]),
      [
        { row: 2, url: 'https://a.example/' },
        { row: 3, url: 'mailto:x@a.example' },
      ],
    );
  });
  it('gives up without addresses', () => {
    assert.equal(readExpected([]), undefined);
    assert.equal(readExpected([['a', 'b'], ['c']]), undefined);
    assert.deepEqual(readExpected([['URL']]), []);
  });
});

describe('compareLinks', () => {
  const link = (url: string, more: Partial<ActualLink> = {}): ActualLink => ({
    url,
    statuses: [200],
    finalUrl: url,
    ...more,
  });
  it('finds nothing when all agree, spelling and order of the addresses apart', () => {
    const actual = [
      link('https://a.example/größen', { text: 'Größen' }),
      link('https://a.example/old', { statuses: [301, 200], finalUrl: 'https://a.example/new', text: 'Old  offer' }),
      link('https://a.example/'),
    ];
    const expected = [
      { row: 2, url: 'HTTPS://A.example' },
      { row: 3, url: 'https://a.example/old', text: 'old offer', status: '301', finalUrl: 'https://a.example/new' },
      { row: 4, url: 'https://a.example/gr%C3%B6%C3%9Fen', text: 'Größen', status: '200' },
    ];
    assert.deepEqual(compareLinks(expected, actual), []);
  });
  it('names what is missing, what is not expected, and what leads elsewhere', () => {
    const actual = [
      link('https://a.example/1?utm=x', { text: 'Shop', line: 7 }),
      link('https://a.example/extra', { text: 'More', line: 9 }),
      link('https://a.example/extra', { line: 12 }),
    ];
    assert.deepEqual(
      compareLinks(
        [
          { row: 2, url: 'https://a.example/1?utm=y', text: 'Shop' },
          { row: 3, url: 'https://a.example/2' },
        ],
        actual,
      ),
      [
        {
          row: 2,
          message: '“Shop” should lead to https://a.example/1?utm=y, but leads to https://a.example/1?utm=x.',
          alert: {
            type: 'other_url',
            expected: 'https://a.example/1?utm=y',
            actual: 'https://a.example/1?utm=x',
            line: 7,
          },
        },
        {
          row: 3,
          message: 'https://a.example/2 is not in the test.',
          alert: { type: 'missing', expected: 'https://a.example/2', actual: null },
        },
        {
          row: 0,
          message: 'https://a.example/extra (“More”) is in the test, but not in the file.',
          alert: { type: 'unexpected', expected: null, actual: 'https://a.example/extra', line: 9 },
        },
      ],
    );
  });
  it('names differing status, end and text', () => {
    const actual = [link('https://a.example/', { statuses: [302, 404], finalUrl: 'https://b.example/', text: 'Buy' })];
    assert.deepEqual(
      compareLinks(
        [{ row: 2, url: 'https://a.example/', status: '200', finalUrl: 'https://c.example/', text: 'Shop' }],
        actual,
      ).map(({ row, message, alert }) => [row, message, alert.type, alert.expected, alert.actual]),
      [
        [2, 'https://a.example/ should answer with 200, but answers with 302 → 404.', 'status', '200', '404'],
        [
          2,
          'https://a.example/ should end at https://c.example/, but ends at https://b.example/.',
          'final_url',
          'https://c.example/',
          'https://b.example/',
        ],
        [2, 'The text of https://a.example/ should be “Shop”, but is “Buy”.', 'text', 'Shop', 'Buy'],
      ],
    );
  });
  it('reads statuses as people write them', () => {
    const agrees = (status: string, statuses: number[]) =>
      compareLinks([{ row: 1, url: 'https://a.example/', status }], [link('https://a.example/', { statuses })])
        .length === 0;
    for (const [status, statuses] of [
      ['301', [301, 200]],
      ['200', [301, 200]],
      ['200.0', [200]],
      ['2xx', [204]],
      ['OK', [302, 200]],
      ['broken', [404]],
      ['dead', []],
    ] as const)
      assert.ok(agrees(status, [...statuses]), status);
    for (const [status, statuses] of [
      ['302', [301, 200]],
      ['3xx', [200]],
      ['ok', [500]],
      ['ok', []],
      ['200', []],
      ['broken', [200]],
      ['maybe', [200]],
    ] as const)
      assert.ok(!agrees(status, [...statuses]), status);
  });
  it('counts what it does not list', () => {
    const expected = Array.from({ length: 6_000 }, (_, index) => ({
      row: index + 1,
      url: `https://a.example/${index}`,
    }));
    const found = compareLinks(expected, []);
    assert.deepEqual(
      [found.length, found.at(-1)!.message, found.at(-1)!.alert.type],
      [5_001, 'There are 1000 more differences.', 'more'],
    );
  });
});
