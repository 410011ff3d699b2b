// The log kept by ClickHouse: PostgreSQL takes events in the transaction that makes them true, they are sent on in
// batches, and read here.
import type { Clock } from '../../clock/index.ts';
import type { Db } from '../../db/index.ts';
import { daysAfter, DAY_MS } from '../../times/index.ts';
import { COUNT_MAX, settled } from '../bounds.ts';
import { FOLLOWS_DAYS, type EventFilter, type EventLog } from '../types.ts';
import { firstUnsent, sendBatch, waitForSent, writtenSince } from './outbox.ts';
import { countKinds, readPage, readPlaces } from './read.ts';
import { openClickHouse, type ClickHouse } from './server.ts';
import { ch, moment, text, type Fragment } from './statements.ts';
import { tally } from './tally.ts';

/** PostgreSQL keeps them so long: what follows a delivery finds it there. */
const KEPT_BEFORE_DAYS = FOLLOWS_DAYS + 1;

/** Days that end before this are no longer needed in PostgreSQL. */
async function keptBefore(db: Db, now: Date, old: Date): Promise<Date> {
  const needed = daysAfter(now, -KEPT_BEFORE_DAYS);
  const unsent = await firstUnsent(db);
  const sentBefore = unsent !== null && unsent < needed ? unsent : needed;
  return sentBefore > old ? sentBefore : old;
}

/** Asks first whether there is anything: deleting nothing is work, too. */
async function deleteWhere(server: ClickHouse, condition: Fragment): Promise<void> {
  const found = await server.rows(ch`select 1 as found from events where ${condition} limit 1`);
  if (found.length > 0) await server.run(ch`delete from events where ${condition}`);
}

/** `before`: the log that takes events first. */
export function openClickHouseLog({
  db,
  clock,
  url,
  before,
}: {
  db: Db;
  clock: Clock;
  url: string;
  before: EventLog;
}): EventLog {
  const server = openClickHouse(url);
  /** Ends where an event may still be on its way, too. */
  const sent = async <Filter extends EventFilter>(filter: Filter): Promise<Filter> => {
    const since = await writtenSince(db);
    const asked = settled(filter, clock.now());
    return since === null ? asked : settled(asked, since);
  };
  const countOf = async (filter: EventFilter) => countKinds(server, await sent(filter), COUNT_MAX);
  return {
    append: before.append,
    takeUncounted: before.takeUncounted,
    page: async (query) => ({ events: await readPage(server, await sent(query)) }),
    find: (accountId, places) => readPlaces(server, accountId, places),
    aggregate: countOf,
    count: async (filter) => {
      const count = (await countOf(filter)).reduce((sum, kind) => sum + kind.count, 0);
      return { count, isBound: count >= COUNT_MAX };
    },
    tally: async (query) => tally(server, await sent(query)),
    send: () => sendBatch({ db, clock, server }),
    prune: async (old, accountId) => {
      if (accountId === undefined) {
        await before.prune(await keptBefore(db, clock.now(), old));
        await deleteWhere(server, ch`at < ${moment(new Date(Math.floor(old.getTime() / DAY_MS) * DAY_MS))}`);
      } else {
        await before.prune(old, accountId);
        await waitForSent(db);
        await deleteWhere(server, ch`account_id = ${text(accountId)} and at < ${moment(old)}`);
      }
    },
    close: async () => {
      await server.close();
      await before.close();
    },
  };
}
