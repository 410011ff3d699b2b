// What cells, rows and figures say: tables.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countIn, dayIn, nameOf, orderOf, plainCellTime, shareIn } from '../../../platform/spreadsheets/cells.ts';
import { addressRange, canonicalIp, isWithin } from './addresses.ts';
import { waitSecondsOf, wordsOf } from './ask.ts';
import { daysBetween, daysOfRange } from './days.ts';
import { reputationOf } from './figures.ts';
import { domainRecords, loopQuestions } from './google-metrics.ts';
import { readSheet } from './sheet.ts';
import { readSndsJson, readSndsRows } from './snds-report.ts';

function table<Given extends unknown[], Said>(
  name: string,
  read: (...given: Given) => Said,
  rows: readonly [given: Given, wanted: Said][],
): void {
  void describe(name, () => {
    for (const [given, wanted] of rows) it(JSON.stringify(given), () => assert.deepEqual(read(...given), wanted));
  });
}

table('nameOf', nameOf, [
  [['spamRate'], 'spam rate'],
  [['Spam_rate (%)'], 'spam rate'],
  [[' IP-Address '], 'ip address'],
]);
table('countIn', countIn, [
  [['1234'], 1234],
  [['1.234'], 1234],
  [["1'234'567"], 1_234_567],
  [['1 234'], 1234],
  [['12,345'], 12_345],
  [['12.0'], 12],
  [['9.999.999.999'], undefined],
  [['1.2345'], undefined],
  [['-1'], undefined],
  [[''], undefined],
]);
table('shareIn', shareIn, [
  [['0.12%', false], 0.0012],
  [['0,12 %', false], 0.0012],
  [['0,12', true], 0.0012],
  [['0.0012', false], 0.0012],
  [['100%', false], 1],
  [['1e-3', false], 0.001],
  [['12', false], undefined],
  [['101 %', false], undefined],
  [['-1%', false], undefined],
  [['much', false], undefined],
]);
table('dayIn', dayIn, [
  [['2026-11-21', 'month first'], '2026-11-21'],
  [['2026-11-21T10:00:00Z', 'month first'], '2026-11-21'],
  [['20261121', 'month first'], '2026-11-21'],
  [['1.2.2026', 'month first'], '2026-02-01'],
  [['01.02.26 10:00', 'month first'], '2026-02-01'],
  [['1/2/2026 1:00 AM', 'month first'], '2026-01-02'],
  [['1/2/2026', 'day first'], '2026-02-01'],
  [['30.02.2026', 'month first'], undefined],
  [['13/13/2026', 'month first'], undefined],
  [['23/11/2026', 'month first'], undefined],
  [['5/11/2026', 'unknown'], undefined],
  [['23/11/2026', 'unknown'], '2026-11-23'],
  [['11/23/2026', 'unknown'], '2026-11-23'],
  [['11/11/2026', 'unknown'], '2026-11-11'],
  [['1795132799', 'month first'], undefined],
  [['', 'month first'], undefined],
]);
table('orderOf', orderOf, [
  [[['1/2/2026', '3/4/2026']], 'unknown'],
  [[['13/2/2026', '1/13/2026']], 'unknown'],
  [[['1/2/2026 12:00 AM', '3/4/2026']], 'month first'],
  [[['1/2/2026', '13/2/2026']], 'day first'],
  [[['1/13/2026']], 'month first'],
  [[[]], 'unknown'],
]);
table('plainCellTime', plainCellTime, [
  [['23.11.2026 18:02'], '2026-11-23 18:02'],
  [['1.2.2026'], '2026-02-01'],
  [['23/11/2026, 18:02:03'], '2026-11-23 18:02:03'],
  [['5/11/2026', 'day first'], '2026-11-05'],
  [['5/11/2026'], '5/11/2026'],
  [['31.02.2026'], '31.02.2026'],
  [['2026-11-23T10:00:00Z'], '2026-11-23T10:00:00Z'],
]);
table('canonicalIp', canonicalIp, [
  [[' 192.0.2.1 '], '192.0.2.1'],
  [['2001:DB8:0:0::1'], '2001:db8::1'],
  [['fe80::1%eth0'], undefined],
  [['192.0.2'], undefined],
  [['x]'], undefined],
]);

describe('a range of addresses', () => {
  const rows: [first: string, last: string, address: string, isIn: boolean][] = [
    ['192.0.2.0', '192.0.2.255', '192.0.2.7', true],
    ['192.0.2.0', '192.0.2.255', '192.0.3.0', false],
    ['2001:db8::', '2001:db8::ffff', '2001:db8::1', true],
    ['2001:db8::', '2001:db8::ffff', '2001:db8::1:0', false],
    ['192.0.2.0', '192.0.2.255', '2001:db8::1', false],
    ['192.0.2.0', '2001:db8::1', '192.0.2.0', false],
    ['x', 'y', '192.0.2.0', false],
  ];
  for (const [first, last, address, isIn] of rows)
    it(`${first} to ${last}: ${address}`, () => assert.equal(isWithin(address, addressRange(first, last)), isIn));
});

const NOW = new Date('2026-11-22T10:00:00Z');
table('waitSecondsOf', (text: string | undefined) => waitSecondsOf(text, NOW), [
  [['120'], 120],
  [['1'], 60],
  [['99999999'], 86_400],
  [['Sun, 22 Nov 2026 10:05:00 GMT'], 300],
  [['Sun, 22 Nov 2026 09:00:00 GMT'], 60],
  [['soon'], 3600],
  [[undefined], 3600],
]);
table('wordsOf', (text: string) => wordsOf(Buffer.from(text)), [
  [['{"error":"invalid_grant","error_description":"Bad \\"key\\""}'], 'invalid_grant: Bad  key '],
  [['{"error":{"message":"No."}}'], 'No.'],
  [['<html>'], ''],
]);
table('daysOfRange', daysOfRange, [
  [[undefined, undefined], { from: '1970-01-01', to: '9999-12-31' }],
  [[1_795_132_800, 1_795_219_199], { from: '2026-11-20', to: '2026-11-20' }],
  [[0, Number.MAX_SAFE_INTEGER], { from: '1970-01-01', to: '9999-12-31' }],
]);
table('daysBetween', daysBetween, [
  [
    ['2026-02-27', '2026-03-01'],
    ['2026-02-27', '2026-02-28', '2026-03-01'],
  ],
  [['2026-03-01', '2026-02-01'], []],
]);

const own = (sent: number, refused: number, complaints = 0) => ({
  sent,
  delivered: sent - refused,
  refused,
  deferred: 0,
  complaints,
});
table('reputationOf', reputationOf, [
  [[own(99, 0), 0], null],
  [[own(100, 0), 0], 4],
  [[own(1000, 20), 0], 3],
  [[own(1000, 50), 0], 2],
  [[own(1000, 100), 0], 1],
  [[own(1000, 0), 0.001], 3],
  [[own(1000, 0), 0.003], 2],
  [[own(1000, 0), 0.006], 1],
  [[own(1000, 0, 3), null], 2],
  [[own(1000, 0, 3), 0.0001], 4],
  [[own(1000, 1000), null], 1],
]);

describe('answers of Google', () => {
  it('without a figure make no record', () => {
    assert.deepEqual(domainRecords('a.example', [{ metric: 'loops', day: '2026-11-21', list: ['x'] }]), []);
    assert.deepEqual(domainRecords('a.example', [{ metric: 'spam', day: '2026-11-21', list: [] }]), []);
  });
  it('name loops, of which those with quotes cannot be asked for', () => {
    const list = ['one', 'two', 'one', 'a"b', ''];
    const [question] = loopQuestions([{ metric: 'loops', day: '2026-11-21', list }]);
    assert.deepEqual(question?.ids, ['one', 'two']);
  });
});

describe('reports of SNDS', () => {
  const GREEN = { address: '192.0.2.1', day: '2026-11-21', recipients: null, result: 'GREEN' as const };
  const nothing = { complaints: null, traps: null, period: null };

  it('in JSON are lists, whatever they are in', () => {
    const item = { IPAddress: '192.0.2.1', FilterResult: 'green', ActivityPeriod: '2026-11-21T01:00:00Z', Other: {} };
    for (const value of [[item], { value: [item] }, { data: [item] }])
      assert.deepEqual(readSndsJson(value)?.records, [{ ...GREEN, ...nothing }]);
    for (const value of [null, 'x', {}, { value: {} }]) assert.equal(readSndsJson(value), undefined);
    assert.deepEqual(readSndsJson([null, 7])?.skipped, 2);
  });
  it('take the day that was asked for where they name none', () => {
    const { records, skipped } = readSndsRows(
      [
        ['IP', 'Filter result'],
        ['192.0.2.1', 'GREEN'],
      ],
      '2026-11-21',
    );
    assert.deepEqual([records, skipped], [[{ ...GREEN, ...nothing }], 0]);
    assert.equal(
      readSndsRows([
        ['IP', 'Filter result'],
        ['192.0.2.1', 'GREEN'],
      ]).skipped,
      1,
    );
  });
  it('that are empty say nothing', () => {
    assert.deepEqual(readSndsRows([]), { records: [], ranges: [], skipped: 0, problems: [] });
    assert.deepEqual(readSndsJson([])?.records, []);
  });
  it('name what is blocked', () => {
    const { ranges, problems } = readSndsRows([
      ['192.0.2.0', '192.0.2.9', 'Yes', 'Spam'],
      ['192.0.2.10', '192.0.2.19', 'perhaps', ''],
    ]);
    assert.deepEqual(ranges, [{ first: '192.0.2.0', last: '192.0.2.9', blocked: true, reason: 'Spam' }]);
    assert.deepEqual(problems, [{ row: 2, message: 'blocked "perhaps" is neither yes nor no.' }]);
  });
  it('name at most twenty problems', () => {
    const rows = [['IP', 'Date'], ...Array.from({ length: 100 }, () => ['x', 'y'])];
    const { skipped, problems } = readSndsRows(rows);
    assert.deepEqual([skipped, problems.length], [100, 20]);
  });
});

describe('an export', () => {
  it('with one domain and day twice keeps the last', () => {
    const rows = [
      ['date', 'spam'],
      ['2026-11-21', '1%'],
      ['2026-11-21', '2%'],
    ];
    assert.deepEqual(
      readSheet(rows, 'a.example').domains.map(({ spam }) => spam),
      [0.02],
    );
  });
  it('knows the names that programs give columns', () => {
    const rows = [
      [
        'Day',
        'name',
        'user_reported_spam_ratio',
        'spf_success_ratio',
        'inbound_encryption_ratio',
        'deliveryErrorRatio',
      ],
      ['2026-11-21', 'a.example', '0.001', '1', '0.5', '0.25'],
    ];
    const [record] = readSheet(rows, undefined).domains;
    assert.deepEqual([record?.spam, record?.spf, record?.encryption, record?.error], [0.001, 1, 0.5, 0.25]);
  });
});
