// Recipients that refused for good and accept again, in an account's own sending, over HTTP.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { createZoneDns, type DeclaredZone, type Dns } from '../../../platform/dns/index.ts';
import type { NewEvent } from '../../../platform/event-log/index.ts';
import { deleteOldRefused } from './refusals-store.ts';
import { followRefusals } from './refusals.ts';

const DAY_MS = 86_400_000;

let app: App;
let own: string;
let other: string;
let zone: DeclaredZone = {};
const signal = new AbortController().signal;
const dns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' }, { dns });
  const { db } = app.galley.outside;
  const first = await db.ofAnyone.selectFrom('accounts').select('id').where('parentId', 'is', null).executeTakeFirst();
  own = first!.id;
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
  other = body.subaccount.id;
});
after(() => app.close());

const refusal = (code: number, enhanced: string, message: string): Partial<NewEvent> => ({
  event: 'failed',
  severity: 'permanent',
  reason: 'bounce',
  about: { 'delivery-status': { code, 'enhanced-code': enhanced, message, 'mx-host': 'mx.example.net' } },
});
const gone = refusal(550, '5.1.1', '550 5.1.1 no such user');
const nowhere: Partial<NewEvent> = {
  ...gone,
  about: { 'delivery-status': { code: 550, 'enhanced-code': '5.1.2', message: 'neither MX records nor an address' } },
};
const accepted: Partial<NewEvent> = {
  event: 'delivered',
  about: {
    'delivery-status': { code: 250, message: 'OK', 'mx-host': 'mx.example.net' },
    envelope: { 'sending-ip': '198.51.100.7' },
  },
};
const captured: Partial<NewEvent> = { event: 'delivered', about: { 'delivery-status': { code: 250, message: 'OK' } } };
/** A relay takes mail for everybody. */
const relayed: Partial<NewEvent> = {
  event: 'delivered',
  about: { 'delivery-status': { code: 250, message: 'OK', 'mx-host': 'relay.example.com' } },
};

/** What happens now, a second apart; it is read when it has settled. Answers the time of the first. */
async function happens(told: readonly [recipient: string, Partial<NewEvent>][], accountId = own): Promise<Date> {
  const { outside } = app.galley;
  const at = app.clock.now();
  const events = told.map(([recipient, event], place): NewEvent => ({
    at: new Date(at.getTime() + place * 1000),
    accountId,
    domain: 'letters.example.com',
    recipient,
    messageId: '1',
    event: 'delivered',
    about: {},
    ...event,
  }));
  await outside.db.tx((tx) => outside.events.append(tx, events));
  app.clock.advance(120_000);
  await followRefusals(outside, accountId, signal);
  return at;
}

const findings = async (headers = {}, query = '') =>
  (await app.call(`GET /v1/spamtraps/findings${query}`, { headers })).body;
const seconds = (at: Date, more: number): string => new Date(at.getTime() + more * 1000).toISOString();

describe('recipients that accept after they refused for good', () => {
  it('are nothing before anything was read', async () => {
    const { recycled, watched } = await findings();
    assert.deepEqual({ recycled, watched }, { recycled: [], watched: null });
  });

  it('are found after twelve months, domains after thirty days', async () => {
    zone = { 'there.example.net': { A: ['203.0.113.1'] } };
    const begun = await happens([
      ['old@example.net', gone],
      ['old@example.net', gone],
      ['soon@example.net', gone],
      ['captured@example.net', gone],
      ['relayed@example.net', gone],
      ['back@example.net', gone],
      // A full mailbox, and what is said of the sender, say nothing of the address.
      ['full@example.net', refusal(552, '5.2.2', '552 5.2.2 mailbox full')],
      ['blocked@example.net', refusal(550, '5.7.1', '550 5.7.1 blocked by policy')],
      ['a@lapsed.example.org', nowhere],
      ['b@short.example.org', nowhere],
      // DNS knows the name: it has no servers, and is not gone.
      ['c@there.example.net', nowhere],
    ]);
    const first = await findings();
    assert.deepEqual(
      { ...first.watched, since: 0, until: 0, addresses_from: 0, domains_from: 0 },
      { since: 0, until: 0, addresses_from: 0, domains_from: 0, addresses: 5, domains: 2, is_full: false },
    );
    const since = Date.parse(first.watched.since);
    assert.equal(Date.parse(first.watched.addresses_from) - since, 365 * DAY_MS);
    assert.equal(Date.parse(first.watched.domains_from) - since, 30 * DAY_MS);

    app.clock.advance(20 * DAY_MS);
    await happens([['b@short.example.org', accepted]]);
    app.clock.advance(11 * DAY_MS);
    const lapsed = await happens([['z@lapsed.example.org', accepted]]);
    assert.deepEqual((await findings()).recycled, [
      {
        kind: 'domain',
        value: 'lapsed.example.org',
        first_refused_at: seconds(begun, 8),
        last_refused_at: seconds(begun, 8),
        refusals: 1,
        accepted_at: lapsed.toISOString(),
      },
    ]);

    app.clock.advance(200 * DAY_MS);
    await happens([['soon@example.net', accepted]]);
    app.clock.advance(200 * DAY_MS);
    const late = await happens([
      ['soon@example.net', accepted],
      ['old@example.net', accepted],
      ['captured@example.net', captured],
      ['relayed@example.net', relayed],
      ['back@example.net', accepted],
    ]);
    // It was accepted first, and came back: nobody took it.
    app.clock.advance(2 * DAY_MS);
    await happens([['back@example.net', gone]]);
    const { recycled, watched } = await findings();
    assert.deepEqual(recycled, [
      {
        kind: 'address',
        value: 'old@example.net',
        first_refused_at: begun.toISOString(),
        last_refused_at: seconds(begun, 1),
        refusals: 2,
        accepted_at: seconds(late, 1),
      },
    ]);
    assert.deepEqual([watched.addresses, watched.domains, watched.is_full], [3, 0, false]);
  });

  it('are of one account, and of the time that is asked for', async () => {
    const stranger = { 'x-mailgun-on-behalf-of': other };
    const { recycled, watched } = await findings(stranger);
    assert.deepEqual({ recycled, watched }, { recycled: [], watched: null });
    await happens([['old@example.net', accepted]], other);
    assert.deepEqual((await findings(stranger)).recycled, []);
    const start = new Date(app.clock.now().getTime() - DAY_MS).toISOString();
    assert.deepEqual((await findings({}, `?start=${start}`)).recycled, []);
  });

  it('are read once, whoever reads', async () => {
    const { outside } = app.galley;
    const at = app.clock.now();
    const told: NewEvent = {
      at,
      accountId: own,
      domain: 'x.example.com',
      recipient: 'twice@example.net',
      ...gone,
    } as never;
    await outside.db.tx((tx) => outside.events.append(tx, [told]));
    app.clock.advance(120_000);
    await Promise.all([1, 2, 3].map(() => followRefusals(outside, own, signal)));
    const [row] = await outside.db
      .of(own)
      .selectFrom('refusedRecipients')
      .select('refusals')
      .where('value', '=', 'twice@example.net')
      .execute();
    assert.deepEqual(row, { refusals: 1 });
  });

  it('are forgotten when they say nothing any more', async () => {
    const { db } = app.galley.outside;
    const left = async (): Promise<string[]> => {
      await db.tx((tx) => deleteOldRefused(tx, app.clock.now(), 1000));
      const rows = await db.of(own).selectFrom('refusedRecipients').select('value').orderBy('value').execute();
      return rows.map(({ value }) => value);
    };
    const open = ['back@example.net', 'captured@example.net', 'relayed@example.net', 'twice@example.net'];
    assert.deepEqual(await left(), [...open.slice(0, 2), 'old@example.net', ...open.slice(2)]);
    app.clock.advance(400 * DAY_MS);
    assert.deepEqual(await left(), open);
    app.clock.advance(1100 * DAY_MS);
    assert.deepEqual(await left(), []);
  });
});
