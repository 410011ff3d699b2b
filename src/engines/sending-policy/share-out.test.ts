import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shareOut, type Spot } from './index.ts';

const spot = (name: string, lane = 1): Spot => {
  const [accountId = '', domain = '', destination = ''] = name.split(' ');
  return { accountId, domain, destination, lane };
};
const shared = (spots: Spot[], limit: number, free: (destination: string) => number = () => 100) =>
  Object.fromEntries(
    shareOut(spots, { limit, roomOf: ({ destination }) => ({ key: destination, free: free(destination) }) }).map(
      ({ accountId, domain, destination, lane, count }) => [`${accountId} ${domain} ${destination} ${lane}`, count],
    ),
  );

describe('sharing out', () => {
  it('gives every account the same, however many destinations one has', () => {
    const many = Array.from({ length: 50 }, (_, place) => spot(`big a d${place}`));
    const result = shared([...many, spot('small b d7')], 40);
    assert.equal(result['small b d7 1'], 20);
    assert.equal(
      Object.values(result).reduce((sum, count) => sum + count, 0),
      40,
    );
  });

  it('gives the domains of an account the same, then destinations', () => {
    const result = shared([spot('a x d1'), spot('a x d2'), spot('a y d3')], 40);
    assert.deepEqual(result, { 'a x d1 1': 10, 'a x d2 1': 10, 'a y d3 1': 20 });
  });

  it('gives no destination more than it has room for, and the rest to others', () => {
    const result = shared([spot('a x full'), spot('a x narrow'), spot('b y wide')], 40, (destination) =>
      destination === 'full' ? 0 : destination === 'narrow' ? 3 : 100,
    );
    assert.deepEqual(result, { 'a x narrow 1': 3, 'b y wide 1': 37 });
  });

  it('counts destinations together that share a room, and leaves out those without one', () => {
    const takes = shareOut([spot('a x d1'), spot('a x d2'), spot('a x unknown')], {
      limit: 40,
      roomOf: ({ destination }) => (destination === 'unknown' ? undefined : { key: 'provider', free: 7 }),
    });
    assert.deepEqual(
      takes.map(({ destination, count }) => [destination, count]),
      [
        ['d1', 4],
        ['d2', 3],
      ],
    );
  });

  it('lets lower lanes go first, and others never wait for ever', () => {
    assert.deepEqual(shared([spot('a x d', 2), spot('a x d', 0)], 20), { 'a x d 0': 18, 'a x d 2': 2 });
    assert.deepEqual(shared([spot('a x d', 2)], 5), { 'a x d 2': 5 });
  });

  it('takes nothing from nothing', () => {
    assert.deepEqual(shareOut([], { limit: 10, roomOf: () => undefined }), []);
  });
});
