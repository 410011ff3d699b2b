import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import {
  daysAfter,
  isTimeZone,
  mailDate,
  nextTimeOfDay,
  parseTime,
  plainTime,
  readTime,
  unixSeconds,
} from './index.ts';

const TIMES: [text: string, time: string][] = [
  ['0', '1970-01-01T00:00:00.000Z'],
  ['1448013600', '2015-11-20T10:00:00.000Z'],
  ['1448013600.25', '2015-11-20T10:00:00.250Z'],
  ['99999999999', '5138-11-16T09:46:39.000Z'],
  ['2015-11', '2015-11-01T00:00:00.000Z'],
  ['2015-11-20', '2015-11-20T00:00:00.000Z'],
  ['2015-11-20T10:00', '2015-11-20T10:00:00.000Z'],
  ['2015-11-20 10:00:05', '2015-11-20T10:00:05.000Z'],
  ['2015-11-20T10:00:00Z', '2015-11-20T10:00:00.000Z'],
  ['2015-11-20t10:00:00.123456z', '2015-11-20T10:00:00.123Z'],
  ['2015-11-20T10:00:00,5Z', '2015-11-20T10:00:00.500Z'],
  ['2015-11-20T12:30:00+02:30', '2015-11-20T10:00:00.000Z'],
  ['2015-11-20T12:30:00 02:30', '2015-11-20T10:00:00.000Z'],
  ['2015-11-20T05:00:00-0500', '2015-11-20T10:00:00.000Z'],
  ['2015-11-20T24:00:00Z', '2015-11-21T00:00:00.000Z'],
  ['2016-02-29', '2016-02-29T00:00:00.000Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['0099-01-01', '0099-01-01T00:00:00.000Z'],
  ['Fri, 20 Nov 2015 10:00:00 +0000', '2015-11-20T10:00:00.000Z'],
  ['Fri, 20 Nov 2015 10:00:00 -0000', '2015-11-20T10:00:00.000Z'],
  ['Fri, 20 Nov 2015 10:00:00  0000', '2015-11-20T10:00:00.000Z'],
  ['Fri, 20 Nov 2015 10:00:00 GMT', '2015-11-20T10:00:00.000Z'],
  ['Fri, 20 Nov 2015 10:00:00 UTC', '2015-11-20T10:00:00.000Z'],
  ['fri, 20 nov 2015 12:00:00 +0200 (CEST)', '2015-11-20T10:00:00.000Z'],
  ['20 Nov 15 05:00 EST', '2015-11-20T10:00:00.000Z'],
  ['1 Jan 69 00:00 GMT', '1969-01-01T00:00:00.000Z'],
  ['20-Nov-2015 10:00:00', '2015-11-20T10:00:00.000Z'],
  ['Fri Nov 20 2015 11:00:00 GMT+0100 (Central European Standard Time)', '2015-11-20T10:00:00.000Z'],
];

const NO_TIMES = [
  'soon',
  'yesterday',
  // Node takes these for days of 2001.
  'foo 1',
  'garden 5',
  '-1',
  '1e9',
  '123456789012',
  '1.',
  '2015-13-01',
  '2015-00-01',
  '2015-02-29',
  '2026-02-30',
  'Mon, 30 Feb 2026 00:00:00 +0000',
  '2015-11-20T24:00:01Z',
  '2015-11-20T10:60:00Z',
  '2015-11-20T10',
  '11/20/2015',
  'Fri, 20 Foo 2015 10:00:00 GMT',
  '20 Nov 2015',
  '2015-11-20T10:00:00Z; drop table events',
  `${' '.repeat(50_000)}x`,
  `20 Nov 2015 10:00${' '.repeat(50_000)}`.concat('!'),
];

describe('a time', () => {
  for (const [text, time] of TIMES) it(`is ${text}`, () => assert.equal(parseTime(text)?.toISOString(), time));
  for (const text of NO_TIMES)
    it(`is not ${JSON.stringify(text.trim().slice(0, 40))}`, () => assert.equal(parseTime(text), undefined));

  it('is the same wherever the service runs', () => {
    const program =
      `import('${new URL('index.ts', import.meta.url).href}').then(({ parseTime }) => ` +
      `console.log(['2015-11-20T10:00', '20 Nov 2015 10:00:00'].map((text) => parseTime(text).toISOString()).join()))`;
    const said = execFileSync(process.execPath, ['-e', program], { env: { ...process.env, TZ: 'Asia/Tokyo' } });
    assert.equal(said.toString().trim(), '2015-11-20T10:00:00.000Z,2015-11-20T10:00:00.000Z');
  });

  it('may be left out of a field, and is refused with its words', () => {
    assert.deepEqual([readTime('begin', undefined), readTime('begin', '')], [undefined, undefined]);
    assert.throws(() => readTime('begin', 'soon'), {
      code: 'invalid_request',
      message: 'begin "soon" is not a time; give it as RFC 2822 or ISO 8601.',
    });
  });

  it('is written in the form of each group', () => {
    const date = new Date('2015-11-20T10:00:00.999Z');
    assert.deepEqual(
      [unixSeconds(date), mailDate(date), plainTime(date), daysAfter(date, 1.5).toISOString()],
      [1448013600, 'Fri, 20 Nov 2015 10:00:00 GMT', '2015-11-20T10:00:00', '2015-11-21T22:00:00.999Z'],
    );
  });
});

describe('nextTimeOfDay', () => {
  const CASES: [after: string, time: [hour: number, minute: number], zone: string, wanted: string][] = [
    ['2026-01-10T12:00:00Z', [12, 0], 'UTC', '2026-01-10T12:00:00.000Z'],
    ['2026-01-10T12:00:01Z', [12, 0], 'UTC', '2026-01-11T12:00:00.000Z'],
    ['2026-01-10T12:00:00Z', [9, 0], 'Asia/Tokyo', '2026-01-11T00:00:00.000Z'],
    ['2026-01-10T23:30:00Z', [9, 0], 'America/Los_Angeles', '2026-01-11T17:00:00.000Z'],
    ['2026-01-10T12:00:00Z', [0, 0], 'Pacific/Kiritimati', '2026-01-11T10:00:00.000Z'],
    ['2026-01-10T12:00:00Z', [17, 45], 'Asia/Kathmandu', '2026-01-10T12:00:00.000Z'],
    ['2026-01-10T12:00:00Z', [9, 0], '+05:30', '2026-01-11T03:30:00.000Z'],
    // Summer time begins: there is no 02:30, and later days are an hour earlier in UTC.
    ['2026-03-28T23:00:00Z', [2, 30], 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29T02:00:00Z', [2, 30], 'Europe/Berlin', '2026-03-30T00:30:00.000Z'],
    // It ends: 02:30 comes twice.
    ['2026-10-24T23:00:00Z', [2, 30], 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T01:00:00Z', [2, 30], 'Europe/Berlin', '2026-10-25T01:30:00.000Z'],
    // A day that was left out.
    ['2011-12-30T09:00:00Z', [12, 0], 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
  ];
  for (const [after, [hour, minute], zone, wanted] of CASES)
    it(`${hour}:${minute} in ${zone} after ${after}`, () =>
      assert.equal(nextTimeOfDay(new Date(after), { hour, minute }, zone).toISOString(), wanted));

  it('knows no zone that there is not', () => {
    for (const zone of ['Mars/Base', '', 'Europe', '+99:00', 'UTC; drop']) assert.equal(isTimeZone(zone), false, zone);
  });
});
