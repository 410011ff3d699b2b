// Ten days of simulated sending, 100,000 events, with hits as a network of traps reports them: counts by domain,
// subaccount, address and day equal a computation of their own, and the health score takes the same.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import type { NewEvent } from '../../../platform/event-log/index.ts';

const DAY = 86_400_000;
const DAYS = 10;
const EVENTS = 100_000;
const IPS = ['192.0.2.1', '192.0.2.2', '2001:db8::25'];
const TYPES = ['pristine', 'recycled', 'typo', 'harvested'] as const;
/** Of what each account sends, the part that is for a trap. */
const RATES = [0.0004, 0.004, 0.02];

interface Hit {
  accountId: string;
  day: string;
  type: (typeof TYPES)[number];
  domain: string;
  ip: string;
  hits: number;
}

let app: App;
/** The account of the key, and two subaccounts. */
let accounts: string[];
let told: NewEvent[];
let hits: Hit[];
let range: string;

/** The same numbers in every run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Events of ten whole days, and the hits among them. */
function simulate(random: () => number, until: number): void {
  told = [];
  hits = [];
  for (let place = 0; place < EVENTS; place += 1) {
    const owner = place % 3;
    const at = new Date(until - 1 - Math.floor(random() * DAYS * DAY));
    const ip = IPS[Math.floor(random() * IPS.length)]!;
    const domain = `mail${owner}-${place % 2}.example.com`;
    const accountId = accounts[owner]!;
    told.push({
      at,
      accountId,
      domain,
      recipient: `r${place}@example.net`,
      messageId: String(place + 1),
      event: 'delivered',
      code: 250,
      about: { envelope: { 'sending-ip': ip } },
    });
    if (random() >= RATES[owner]!) continue;
    const type = TYPES[Math.floor(random() * TYPES.length)]!;
    hits.push({ accountId, day: at.toISOString().slice(0, 10), type, domain, ip, hits: 1 + Math.floor(random() * 3) });
  }
}

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api', GALLEY_EVENT_RETENTION_DAYS: '60' });
  const { db, events, clock } = app.galley.outside;
  const add = async (name: string): Promise<string> =>
    (await app.call('POST /v5/accounts/subaccounts', { body: { name } })).body.subaccount.id;
  const first = db.ofAnyone.selectFrom('accounts').select('id').where('parentId', 'is', null);
  accounts = [(await first.executeTakeFirstOrThrow()).id, await add('Shop'), await add('News')];
  const now = clock.now().getTime();
  const midnight = now - (now % DAY);
  simulate(randomNumbers(11), midnight);
  range = `start=${new Date(midnight - DAYS * DAY).toISOString()}&end=${new Date(midnight).toISOString()}`;
  await db.tx((tx) => events.append(tx, told));
  for (const accountId of accounts) {
    const own = hits.filter((hit) => hit.accountId === accountId);
    const rows = own.map(({ day, type, hits: count, domain, ip }) => [day, type, count, domain, ip].join(','));
    const form = new FormData();
    form.append('file', new File([`date,type,hits,domain,ip\n${rows.join('\n')}\n`], 'network.csv'));
    const headers = { 'x-mailgun-on-behalf-of': accountId };
    const { status, body } = await app.call('POST /v1/spamtraps/imports', { body: form, headers });
    assert.deepEqual([status, body.skipped], [200, 0]);
  }
});
after(() => app.close());

const get = async (path: string, headers = {}): Promise<any> => {
  const { status, body } = await app.call(`GET ${path}`, { headers });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

const sumOf = (of: readonly Hit[]): number => of.reduce((sum, one) => sum + one.hits, 0);
const byType = (of: readonly Hit[]) => ({
  ...Object.fromEntries(TYPES.map((type) => [type, sumOf(of.filter((hit) => hit.type === type))])),
  total: sumOf(of),
});

describe('ten days of hits', () => {
  const dimensions: [dimension: string, keyOf: (hit: Hit) => string][] = [
    ['domain_name', ({ domain }) => domain],
    ['subaccount', ({ accountId }) => accountId],
    ['ip', ({ ip }) => ip],
    ['timestamp', ({ day }) => day],
  ];
  for (const [dimension, keyOf] of dimensions)
    it(`by ${dimension} equal a computation of their own`, async () => {
      const query = `dimension=${dimension}&include_subaccounts=true&limit=100&${range}`;
      const { items } = await get(`/v2/spamtraps?${query}`);
      const expected = [...Map.groupBy(hits, keyOf)].map(([value, of]) => ({ dimension, value, ...byType(of) }));
      const sorted = (list: { value: string }[]) => list.toSorted((one, other) => (one.value < other.value ? -1 : 1));
      assert.ok(expected.length > 2);
      assert.deepEqual(sorted(items), sorted(expected));
    });

  it('of one account by day and address are its own', async () => {
    const own = hits.filter(({ accountId }) => accountId === accounts[2]);
    const days = `start=${range.slice(6, 16)}&end=${new Date(app.clock.now().getTime()).toISOString().slice(0, 10)}`;
    const headers = { 'x-mailgun-on-behalf-of': accounts[2]! };
    const { items } = await get(`/v1/spamtraps?groupby=ip&limit=100&${days}`, headers);
    const found = Object.assign({}, ...items) as Record<string, { date: string; total: number }[]>;
    assert.deepEqual(Object.keys(found).toSorted(), IPS.toSorted());
    for (const [ip, told] of Object.entries(found))
      for (const { date, ...counts } of told)
        assert.deepEqual(counts, byType(own.filter((hit) => hit.ip === ip && hit.day === date)), `${ip} ${date}`);
  });

  const groups: [group: string, keyOf: (one: { domain: string; accountId: string; ip: string }) => string][] = [
    ['domain', ({ domain }) => domain],
    ['subaccount', ({ accountId }) => accountId],
    ['ip', ({ ip }) => ip],
  ];
  for (const [group, keyOf] of groups)
    it(`cost the health score by ${group} what they should`, async () => {
      const { items } = await get(`/v1/health-score/grouped?group=${group}&minimum_sent=0&limit=100&${range}`);
      const delivered = Map.groupBy(told, ({ domain, accountId, about }) =>
        keyOf({ domain, accountId, ip: (about!['envelope'] as Record<string, string>)['sending-ip']! }),
      );
      const expected = Map.groupBy(hits, keyOf);
      assert.equal(items.length, delivered.size);
      for (const { group_key: key, components } of items) {
        const trap = components.find(({ name }: { name: string }) => name === 'trap');
        const count = sumOf(expected.get(key) ?? []);
        const of = delivered.get(key)!.length;
        assert.deepEqual([trap.count, trap.of, trap.is_measured], [count, of, true], key);
        assert.equal(trap.lost, Number((20 * Math.min(1, count / of / 0.0005)).toFixed(2)), key);
      }
    });
});
