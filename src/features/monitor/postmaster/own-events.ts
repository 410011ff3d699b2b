// Own figures beside the providers', and the reputations that follow from them.
import type { Outside } from '../../../platform/feature/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { startOf } from './days.ts';
import { ownFigures, reputationOf } from './figures.ts';
import * as records from './records-store.ts';
import type { Provider } from './store.ts';

type Doors = Pick<Outside, 'db' | 'clock' | 'events'>;
type Uncounted = Awaited<ReturnType<typeof records.listUncounted>>[number];

/** Who runs the mailboxes of which tool: rows of data/mailbox-providers. */
const SERVERS: Readonly<Record<Provider, readonly string[]>> = { google: ['google'], yahoo: ['yahoo'] };
const AT_ONCE = 200;

async function countOne({ events }: Doors, accountId: string, { provider, domain, day, spamRatio }: Uncounted) {
  const from = startOf(day);
  const counted = await events.aggregate({
    accountIds: [accountId],
    from,
    to: daysAfter(from, 1),
    where: {
      all: [
        { field: 'domain', is: 'in', values: [domain] },
        { field: 'provider', is: 'in', values: SERVERS[provider] },
      ],
    },
  });
  const own = ownFigures(counted) ?? null;
  return { provider, domain, day, own, reputation: own && reputationOf(own, spamRatio) };
}

/** Counts what is uncounted; answers whether there is more. */
export async function countUncounted(doors: Doors, accountId: string): Promise<boolean> {
  const rows = await records.listUncounted(doors.db, accountId, AT_ONCE);
  const figures: Awaited<ReturnType<typeof countOne>>[] = [];
  for (const row of rows) figures.push(await countOne(doors, accountId, row));
  await doors.db.tx((tx) => records.saveFigures(tx, { accountId, now: doors.clock.now() }, figures));
  return rows.length === AT_ONCE;
}
