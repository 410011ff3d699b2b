// Recipients that refused mail for good and accept it long after: an address that was given up, or a domain that ran
// out, belongs to somebody else by then, and often to a network of traps. Followed in an account's own events.
import { isHardBounce } from '../../../engines/bounces/index.ts';
import { isNoSuchName, DnsError } from '../../../platform/dns/index.ts';
import type { LoggedEvent } from '../../../platform/event-log/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { findAccount } from '../../account/accounts/index.ts';
import * as store from './refusals-store.ts';

type Doors = Pick<Outside, 'db' | 'events' | 'clock' | 'dns' | 'config'>;

const PAGE = 1000;
/** Pages of an account in one turn. */
const PAGES_MAX = 20;
/** Names that are looked up for a page of events. */
const NAMES_MAX = 100;
/** Events of a transaction that ended late have come into the log by then. */
const LATE_MS = 60_000;

interface Said {
  code?: number;
  message?: string;
  'enhanced-code'?: string;
  'mx-host'?: string;
}

const saidOf = ({ about }: LoggedEvent): Said => (about?.['delivery-status'] ?? {}) as Said;

/** The receiver's own server took it: neither a capture nor a relay did, which takes mail for everybody. */
function isAccepted(event: LoggedEvent): boolean {
  const envelope = (event.about?.['envelope'] ?? {}) as { 'sending-ip'?: string };
  return event.event === 'delivered' && !!saidOf(event)['mx-host'] && !!envelope['sending-ip'];
}

/** What a refusal says is gone; undefined when it says nothing of the kind. */
function goneOf(event: LoggedEvent): store.Refused['kind'] | undefined {
  if (event.event !== 'failed' || event.severity !== 'permanent' || event.reason !== 'bounce') return undefined;
  const { code, message = '', 'enhanced-code': enhanced } = saidOf(event);
  if (enhanced === '5.1.2') return 'domain';
  return isHardBounce({ code, enhanced, text: message }) ? 'address' : undefined;
}

/** Those of these names that DNS says do not exist. */
async function missingNames({ dns }: Pick<Doors, 'dns'>, names: readonly string[]): Promise<Set<string>> {
  const missing = await Promise.all(
    names.slice(0, NAMES_MAX).map(async (name) => {
      try {
        await dns.resolve(name, 'MX');
        return [];
      } catch (error) {
        if (!(error instanceof DnsError)) throw error;
        return isNoSuchName(error) && error.code === 'ENOTFOUND' ? [name] : [];
      }
    }),
  );
  return new Set(missing.flat());
}

const keyOf = ({ kind, value }: Pick<store.Refused, 'kind' | 'value'>): string => `${kind} ${value}`;

/** What follows from events, in their order, for what is noted: rows that are new or changed. */
function follow(
  events: readonly LoggedEvent[],
  { known, missing, room }: { known: readonly store.Refused[]; missing: ReadonlySet<string>; room: number },
): { changed: store.Refused[]; isFull: boolean } {
  const before = new Map(known.map((row) => [keyOf(row), row]));
  const rows = new Map(before);
  let isFull = false;

  function refuse(kind: store.Refused['kind'], value: string, at: Date): void {
    const key = keyOf({ kind, value });
    const row = rows.get(key);
    const isSettled = row?.acceptedAt && daysAfter(row.acceptedAt, store.RETURN_DAYS) <= at;
    if (row && !isSettled)
      return void rows.set(key, { ...row, lastRefusedAt: at, refusals: row.refusals + 1, acceptedAt: null });
    // A finding stays.
    if (row && store.isLong(row)) return;
    if (!row && rows.size - before.size >= room) {
      isFull = true;
      return;
    }
    rows.set(key, { kind, value, firstRefusedAt: at, lastRefusedAt: at, refusals: 1, acceptedAt: null });
  }

  function accept(kind: store.Refused['kind'], value: string, at: Date): void {
    const key = keyOf({ kind, value });
    const row = rows.get(key);
    if (row && !row.acceptedAt) rows.set(key, { ...row, acceptedAt: at });
  }

  for (const event of events) {
    const { recipient, recipientDomain, at } = event;
    const gone = goneOf(event);
    if (gone === 'address') refuse('address', recipient, at);
    if (gone === 'domain' && missing.has(recipientDomain)) refuse('domain', recipientDomain, at);
    if (!isAccepted(event)) continue;
    accept('address', recipient, at);
    accept('domain', recipientDomain, at);
  }
  return { changed: [...rows].filter(([key, row]) => before.get(key) !== row).map(([, row]) => row), isFull };
}

/** One page of an account. Answers whether there may be more. */
async function followPage(doors: Doors, accountId: string, cursor: store.RefusalCursor): Promise<boolean> {
  const { db, events, clock } = doors;
  const to = new Date(clock.now().getTime() - LATE_MS);
  if (to <= cursor.at) return false;
  const page = await events.page({
    accountIds: [accountId],
    from: cursor.at,
    to,
    where: {
      any: [
        { field: 'event', is: 'in', values: ['delivered'] },
        {
          all: [
            { field: 'event', is: 'in', values: ['failed'] },
            { field: 'severity', is: 'in', values: ['permanent'] },
          ],
        },
      ],
    },
    order: 'ascending',
    after: { at: cursor.at, id: cursor.eventId },
    limit: PAGE,
  });
  const last = page.events.length === PAGE ? page.events.at(-1) : undefined;
  const end = page.resume ?? last ?? { at: to, id: '0' };
  const names = page.events.filter((event) => goneOf(event) === 'domain').map(({ recipientDomain }) => recipientDomain);
  const missing = await missingNames(doors, [...new Set(names)]);
  const values = new Set(page.events.flatMap(({ recipient, recipientDomain }) => [recipient, recipientDomain]));
  const isMoved = await db.tx(async (tx) => {
    const room = store.REFUSED_MAX - (await store.countAll(tx, accountId));
    const known = await store.findRefused(tx, accountId, [...values]);
    const { changed, isFull } = follow(page.events, { known, missing, room });
    const next = { at: end.at, eventId: end.id, isFull: isFull || (cursor.isFull && room <= 0) };
    if (!(await store.moveCursor(tx, accountId, { from: cursor, to: next }))) return false;
    await store.saveRefused(tx, accountId, changed);
    return true;
  });
  return isMoved && (last !== undefined || page.resume !== undefined);
}

/** Reads on in the events of an account. Safe beside itself: who moves the cursor writes. */
export async function followRefusals(doors: Doors, accountId: string, signal: AbortSignal): Promise<void> {
  const { db, clock, config } = doors;
  const account = await findAccount(db, accountId);
  const oldest = daysAfter(clock.now(), -config.sending.eventDays);
  const created = account?.createdAt ?? oldest;
  await store.beginCursor(db, accountId, created > oldest ? created : oldest);
  for (let pages = 0; pages < PAGES_MAX && !signal.aborted; pages++) {
    const cursor = await store.findCursor(db, accountId);
    if (!cursor || !(await followPage(doors, accountId, cursor))) return;
  }
}

const SHOWN_MAX = 1000;

/** What accepted again after long, and what that was measured on. */
export async function findRecycled(
  { db }: Pick<Outside, 'db'>,
  accountId: string,
  { from, to }: { from: Date; to: Date },
): Promise<{ recycled: store.Refused[]; isBound: boolean; watched: store.Watched | undefined }> {
  const found = await store.listAccepted(db, accountId, { from, to, limit: SHOWN_MAX + 1 });
  const cursor = await store.findCursor(db, accountId);
  const counts = await store.countRefused(db, accountId);
  return {
    recycled: found.slice(0, SHOWN_MAX),
    isBound: found.length > SHOWN_MAX,
    watched: cursor && { since: cursor.since, until: cursor.at, isFull: cursor.isFull, ...counts },
  };
}
