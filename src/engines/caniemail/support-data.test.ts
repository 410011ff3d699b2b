import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientsOfData, familyOf, featureOf, features, parseSupport, supportOf } from './support-data.ts';

describe('support data', () => {
  it('reads a cell with its notes', () => {
    assert.deepEqual(parseSupport('y'), { level: 'y', notes: [] });
    assert.deepEqual(parseSupport('y #2'), { level: 'y', notes: [2] });
    assert.deepEqual(parseSupport('n #1'), { level: 'n', notes: [1] });
    assert.deepEqual(parseSupport('a #1 #13'), { level: 'a', notes: [1, 13] });
    assert.deepEqual(parseSupport('u'), { level: 'u', notes: [] });
    assert.deepEqual(parseSupport(''), { level: 'u', notes: [] });
  });

  it('holds every feature and client of the vendored data', () => {
    assert.equal(features.length, 307);
    assert.equal(clientsOfData().length, 48);
    assert.equal(featureOf('css-margin')?.notes.get(1), 'Partial. Negative values are not supported.');
    assert.match(featureOf('css-margin')?.lastTestDate ?? '', /^\d{4}-\d\d-\d\d$/);
  });

  it('takes the newest entry when no version is given', () => {
    assert.deepEqual(supportOf('css-border-radius', { family: 'outlook', platform: 'windows' }), {
      version: '2019',
      level: 'n',
      notes: [1],
    });
    // 138 comes after 60.5, though an object would list whole numbers first.
    assert.equal(supportOf('css-overflow', { family: 'thunderbird', platform: 'macos' }).level, 'y');
    // 2011, 2016, 16.80: product years end where the 16.x numbers begin.
    assert.deepEqual(supportOf('css-padding', { family: 'outlook', platform: 'macos' }), {
      version: '16.80',
      level: 'y',
      notes: [],
    });
  });

  it('takes the entry at or before an older version', () => {
    const mail = { family: 'yahoo', platform: 'ios' };
    const rows = featureOf('amp')!.stats.get('yahoo')!.get('ios')!;
    assert.deepEqual(
      rows.map((row) => `${row.version} ${row.level}`),
      ['2019-10 n', '2022-12 y'],
    );
    assert.equal(supportOf('amp', { ...mail, version: '2019-10' }).level, 'n');
    assert.equal(supportOf('amp', { ...mail, version: '2021-06' }).level, 'n');
    assert.equal(supportOf('amp', { ...mail, version: '2022-12' }).level, 'y');
    assert.equal(supportOf('amp', { ...mail, version: '2030-01' }).level, 'y');
  });

  it('takes the oldest entry for a version older than all, and the newest for one counted another way', () => {
    assert.equal(supportOf('amp', { family: 'yahoo', platform: 'ios', version: '2018-01' }).level, 'n');
    assert.equal(supportOf('amp', { family: 'yahoo', platform: 'ios', version: '7.1' }).level, 'y');
  });

  it('calls what the data does not know untested', () => {
    assert.deepEqual(supportOf('css-margin', { family: 'mutt', platform: 'terminal' }), { level: 'u', notes: [] });
    assert.deepEqual(supportOf('css-nothing', { family: 'gmail', platform: 'ios' }), { level: 'u', notes: [] });
  });

  it('knows families by the names people use', () => {
    assert.equal(familyOf('samsung'), 'samsung-email');
    assert.equal(familyOf('gmail'), 'gmail');
    assert.deepEqual(
      supportOf('css-margin', { family: 'samsung', platform: 'android' }),
      supportOf('css-margin', { family: 'samsung-email', platform: 'android' }),
    );
  });
});
