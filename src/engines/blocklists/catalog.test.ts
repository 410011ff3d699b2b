// The catalog of blocklists: what its rows must say, and which are asked.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listsOf } from './index.ts';

const LISTS = listsOf();
const asked = LISTS.filter(({ notAsked }) => notAsked === undefined);

describe('the catalog of blocklists', () => {
  it('has at least 60 lists that are asked, of addresses of both kinds, domains, hashes, and of good standing', () => {
    assert.ok(asked.length >= 60, `${asked.length} lists are asked`);
    for (const kind of ['ip4', 'ip6', 'domain'] as const)
      assert.ok(
        asked.some(({ kinds, purpose }) => kinds.includes(kind) && purpose === 'block'),
        kind,
      );
    assert.ok(asked.some(({ purpose }) => purpose === 'allow'));
    assert.ok(LISTS.some(({ kinds, hash }) => kinds.includes('email') && hash !== undefined));
  });

  it('says of each list of which day and from whom its status is, and how grave it is', () => {
    for (const { zone, name, kinds, statusAt, statusFrom, reach } of LISTS) {
      assert.match(statusAt, /^20\d\d-[01]\d-[0-3]\d$/, zone);
      assert.ok(statusFrom && name && kinds.length > 0, zone);
      assert.match(reach, /^(high|medium|low)$/, zone);
    }
    assert.equal(new Set(LISTS.map(({ zone }) => zone)).size, LISTS.length, 'each zone once');
  });

  it('never asks what has closed, what is sold, or what needs a key that is not there, and says why', () => {
    const kept = LISTS.filter(({ status }) => ['closed', 'paid', 'keyed'].includes(status));
    assert.deepEqual(new Set(kept.map(({ status }) => status)), new Set(['closed', 'paid', 'keyed']));
    for (const { zone, notAsked } of kept) assert.match(notAsked ?? '', /^[A-Z].*\.$/, zone);
  });

  it('asks a list with a key in the zone once the key is set', () => {
    const keyed = LISTS.find(({ status }) => status === 'keyed')!;
    const key = /set (\w+)=/.exec(keyed.notAsked!)![1]!;
    const list = listsOf({ keys: { [key]: 'k3y' } }).find(({ zone }) => zone === keyed.zone)!;
    assert.deepEqual(
      [list.notAsked, list.asked.startsWith('k3y.'), list.zone.includes('k3y')],
      [undefined, true, false],
    );
  });

  it('says what a listing means and how to get off, of every list that large receivers ask', () => {
    for (const { zone, reach, purpose, means, remove, page } of asked)
      if (reach === 'high' && purpose === 'block') assert.ok(means && remove && page, zone);
  });
});
