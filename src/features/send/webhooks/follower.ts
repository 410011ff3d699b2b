// Reads the log of events for each account with webhooks, and writes what is to be sent. Nothing is sent here, so that
// a dead URL holds nobody up.
import type { LoggedEvent } from '../../../platform/event-log/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { moveCursor, saveChecked, takeDue, type Cursor } from './cursor-store.ts';
import { DAYS_KEPT } from './delivery-contract.ts';
import { eventOf, kindOf } from './kinds.ts';
import { insertDeliveries } from './outbox-store.ts';
import { listTargets } from './store.ts';

type Doors = Pick<Outside, 'db' | 'events' | 'clock'>;
type Target = Awaited<ReturnType<typeof listTargets>>[number];

const ACCOUNTS_AT_ONCE = 50;
const PAGE = 500;
/** Pages of one account before the others have their turn. */
const PAGES_AT_ONCE = 10;
/** An account is looked at again after so long; while there are events, sooner. */
const IDLE_MS = 3000;
const BUSY_MS = 500;
/** The log shows nothing younger. */
const SETTLED_MS = 2000;
/**
 * No statement takes longer: events of a transaction that ended late have come into the log by then, behind the
 * cursor. So everything is read a second time so much later, and what was missed is written then.
 */
const LATE_MS = 60_000;
/** How far the cursor may stand behind what was read without finding anything. */
const BEHIND_MS = 10_000;

/** The rows that follow from events: one for each URL, however many webhooks name it. */
function rowsOf(events: readonly LoggedEvent[], targets: readonly Target[], now: Date) {
  return events.flatMap((event) => {
    const kind = kindOf(event);
    const urlIds = targets
      .filter((target) => target.kind === kind && (target.domain ?? event.domain) === event.domain)
      .filter(({ createdAt, enabledAt }) => createdAt <= event.at && (enabledAt ?? event.at) <= event.at)
      .map(({ urlId }) => urlId);
    return [...new Set(urlIds)].map((urlId) => ({
      urlId,
      kind: kind!,
      domain: event.domain,
      eventAt: event.at,
      eventId: event.id,
      state: 'waiting' as const,
      createdAt: now,
      dueAt: now,
      attempts: [],
    }));
  });
}

interface Stretch {
  from: { at: Date; id: string };
  to: Date;
}

/** A page of the events that webhooks of these targets name, and where the next one begins. */
async function readStretch({ events, clock }: Doors, targets: readonly Target[], of: Stretch & { accountId: string }) {
  const { accountId, to } = of;
  // What was sent longer ago is not known any more; nobody gets it twice, or so late.
  const oldest = daysAfter(clock.now(), -DAYS_KEPT);
  const from = of.from.at < oldest ? { at: oldest, id: '0' } : of.from;
  // Every URL is disabled: what happens meanwhile is not sent.
  if (targets.length === 0) return { events: [], end: { at: to, id: '0' }, isFull: false };
  const kinds = [...new Set(targets.map(({ kind }) => eventOf(kind)))];
  const page = await events.page({
    accountIds: [accountId],
    from: from.at,
    to,
    where: { field: 'event', is: 'in', values: kinds },
    order: 'ascending',
    after: from,
    limit: PAGE,
  });
  const isFull = page.events.length === PAGE;
  const last = page.events.at(-1);
  const end = isFull && last ? { at: last.at, id: last.id } : { at: to, id: '0' };
  return { events: page.events, end, isFull };
}

const earlier = (date: Date, ms: number): Date => new Date(date.getTime() - ms);

/** One page of an account. Answers how many rows are new, and whether there may be more. */
async function follow(doors: Doors, cursor: Cursor, targets: readonly Target[]) {
  const { db, clock } = doors;
  const now = clock.now();
  const from = { at: cursor.at, id: cursor.eventId };
  const to = earlier(now, SETTLED_MS);
  if (to <= from.at) return { count: 0, isFull: false, cursor };
  const { events, end, isFull } = await readStretch(doors, targets, { accountId: cursor.accountId, from, to });
  const rows = rowsOf(events, targets, now);
  const next = { at: end.at, eventId: end.id, dueAt: new Date(now.getTime() + (rows.length > 0 ? BUSY_MS : IDLE_MS)) };
  // A write for each look would be one too many; the stretch without events is read again.
  if (rows.length === 0 && !isFull && to.getTime() - from.at.getTime() < BEHIND_MS) return { count: 0, isFull, cursor };
  const count = await db.tx(async (tx) => {
    if (!(await moveCursor(tx, cursor, next))) return 0;
    return rows.length === 0 ? 0 : insertDeliveries(tx, cursor.accountId, rows);
  });
  return { count, isFull, cursor: { ...cursor, ...next } };
}

/** Reads once more what is older than any open transaction. Answers how many rows were missing. */
async function check(doors: Doors, { accountId, checkedAt, at }: Cursor, targets: readonly Target[]): Promise<number> {
  const now = doors.clock.now();
  const late = earlier(now, LATE_MS);
  const to = late < at ? late : at;
  if (to.getTime() - checkedAt.getTime() < LATE_MS) return 0;
  let from = { at: checkedAt, id: '0' };
  let count = 0;
  for (let pages = 0; pages < PAGES_AT_ONCE; pages++) {
    const { events, end, isFull } = await readStretch(doors, targets, { accountId, from, to });
    const rows = rowsOf(events, targets, now);
    count += await doors.db.tx(async (tx) => {
      await saveChecked(tx, accountId, end.at);
      return rows.length === 0 ? 0 : insertDeliveries(tx, accountId, rows);
    });
    if (!isFull) break;
    from = end;
  }
  return count;
}

/** Reads on for every account that is due. Answers how many deliveries were written. */
export async function followEvents(doors: Doors): Promise<number> {
  const { db, clock } = doors;
  const now = clock.now();
  const until = new Date(now.getTime() + IDLE_MS);
  let total = 0;
  for (let cursor of await takeDue(db, { now, until, limit: ACCOUNTS_AT_ONCE })) {
    const targets = await listTargets(db, cursor.accountId);
    for (let pages = 0; pages < PAGES_AT_ONCE; pages++) {
      const read = await follow(doors, cursor, targets);
      cursor = read.cursor;
      total += read.count;
      if (!read.isFull) break;
    }
    total += await check(doors, cursor, targets);
  }
  return total;
}
