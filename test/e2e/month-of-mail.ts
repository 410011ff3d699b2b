// Two months of mail, as events: enough that each page of figures has something to show.
import assert from 'node:assert/strict';
import type { NewEvent } from '../../src/platform/event-log/index.ts';
import { gatherFigures } from '../../src/features/send/_figures/gather.ts';
import type { App } from '../harness/start-app.ts';

const DAY_MS = 86_400_000;
export const NEWS = 'news.example.com';
/** It tracks nothing. */
export const RECEIPTS = 'receipts.example.com';
const TAGS = ['spring letter', 'weekly', '=SUM(A1:A9)', 'receipt'];
const PROVIDERS = ['google', 'google', 'outlook', 'yahoo', 'gmx.net_web.de', 'default'];
const COUNTRIES = ['DE', 'DE', 'DE', 'FR', 'US', 'AT', 'Unknown'];
const DEVICES = ['mobile', 'mobile', 'desktop', 'desktop', 'tablet', 'unknown'];

export interface MonthOfMail {
  /** The last day with mail, `2026-11-21`. */
  lastDay: string;
  /** Of the thirty days that end with it, and of the thirty before. */
  count: (test: (event: NewEvent) => boolean, period: 'now' | 'before') => number;
}

/** The same numbers each time: a small generator (Lehmer). */
function generator(): () => number {
  let seed = 20_261_123;
  return () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
}

interface Letter {
  at: Date;
  shared: Pick<NewEvent, 'accountId' | 'domain' | 'recipient' | 'messageId'>;
  random: () => number;
}

/** What becomes of one message to one recipient. */
function eventsOf({ at, shared, random }: Letter): NewEvent[] {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const later = (seconds: number): Date => new Date(at.getTime() + seconds * 1000);
  const told: NewEvent[] = [{ ...shared, at, event: 'accepted' }];
  const tried = { ...shared, provider: pick(PROVIDERS) };
  if (random() < 0.04) told.push({ ...tried, at: later(2), event: 'failed', severity: 'temporary', reason: 'generic' });
  if (random() < 0.025) {
    told.push({ ...tried, at: later(3), event: 'failed', severity: 'permanent', reason: 'bounce', code: 550 });
    return told;
  }
  told.push({ ...tried, at: later(4), event: 'delivered', attempt: 1 });
  if (shared.domain === RECEIPTS) return told;
  const about = (bot: string) => ({
    geolocation: { country: pick(COUNTRIES) },
    'client-info': { 'device-type': pick(DEVICES), bot },
  });
  if (random() < 0.2) told.push({ ...tried, at: later(60), event: 'opened', about: about('apple') });
  if (random() < 0.4) {
    told.push({ ...tried, at: later(600), event: 'opened', about: about('') });
    if (random() < 0.3) told.push({ ...tried, at: later(660), event: 'opened', about: about('') });
    if (random() < 0.2) told.push({ ...tried, at: later(700), event: 'clicked', about: about('') });
  }
  if (random() < 0.004) told.push({ ...tried, at: later(800), event: 'complained' });
  if (random() < 0.008) told.push({ ...tried, at: later(900), event: 'unsubscribed', about: about('') });
  return told;
}

async function addDomains(app: App): Promise<string[]> {
  for (const name of [NEWS, RECEIPTS]) await app.call('POST /v4/domains', { body: { name } });
  for (const kind of ['open', 'click'])
    await app.call(`PUT /v3/domains/${NEWS}/tracking/${kind}`, { body: { active: 'yes' } });
  for (const tag of TAGS) {
    const letter = { from: `ann@${NEWS}`, to: 'bob@example.net', subject: 'Hello', text: 'Hello', 'o:tag': tag };
    const { status, body } = await app.call(`POST /v3/${tag === 'receipt' ? RECEIPTS : NEWS}/messages`, {
      body: letter,
    });
    assert.equal(status, 200, JSON.stringify(body));
  }
  const { rows } = await app.galley.outside.db.text('select id::text from sent_messages order by id');
  return (rows as { id: string }[]).map(({ id }) => id);
}

/** Writes sixty days of events, the last of them yesterday, and their figures. The app has no role `send`. */
export async function writeMonthOfMail(app: App): Promise<MonthOfMail> {
  const { db, events: log, clock, lists } = app.galley.outside;
  const ids = await addDomains(app);
  const accountId = ((await db.text('select id from accounts where parent_id is null')).rows[0] as { id: string }).id;
  // What sending the four told is no part of it.
  await db.text('delete from uncounted_events');
  const random = generator();
  const today = Math.floor(clock.now().getTime() / DAY_MS) * DAY_MS;
  const told: NewEvent[] = [];
  for (let back = 60; back >= 1; back -= 1) {
    const weekday = new Date(today - back * DAY_MS).getUTCDay();
    const isWeekend = weekday === 0 || weekday === 6;
    const size = Math.round((isWeekend ? 22 : 70) * (1.25 - back / 120) + random() * 24);
    for (let place = 0; place < size; place += 1) {
      const at = new Date(today - back * DAY_MS + Math.floor((7 + random() * 13) * 3_600_000));
      const isReceipt = random() < 0.3;
      const messageId = isReceipt ? ids[3]! : ids[Math.floor(random() ** 2 * 3)]!;
      const recipient = `reader-${back}-${place}@example.net`;
      told.push(
        ...eventsOf({ at, shared: { accountId, domain: isReceipt ? RECEIPTS : NEWS, recipient, messageId }, random }),
      );
    }
  }
  for (let from = 0; from < told.length; from += 5000)
    await db.tx((tx) => log.append(tx, told.slice(from, from + 5000)));
  while ((await gatherFigures({ db, events: log, lists })) > 0);
  const half = today - 30 * DAY_MS;
  return {
    lastDay: new Date(today - DAY_MS).toISOString().slice(0, 10),
    count: (test, period) =>
      told.filter((event) => event.at.getTime() >= half === (period === 'now') && test(event)).length,
  };
}
