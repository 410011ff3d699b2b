// What a holder holds back, which looks at it again when it changes.
import { changedRows, sql, type Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { wakeQueue } from './queue-wake.ts';

/** What holds back what is due outside the hours of its domain. */
export const CALENDAR = 'calendar';
/** What holds back what is over a limit. */
export const LIMITS = 'limits';

const AT_ONCE = 5000;

interface HeldBack {
  /** Undefined: of all domains. */
  domain?: string;
  by: string;
}

/** Some of them at a time. Answers how many. */
function makeDue(db: Sql, accountId: string, { domain, by, now }: HeldBack & { now: Date }): Promise<number> {
  return changedRows(
    db
      .of(accountId)
      .updateTable('deliveries')
      .set({ dueAt: now, giveUpAt: sql<Date>`give_up_at - (due_at - ${now}::timestamptz)` })
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('deliveries')
          .select('id')
          .where('accountId', '=', accountId)
          .$if(domain !== undefined, (query) => query.where('domain', '=', domain!))
          .where('isTaken', '=', false)
          .where('dueAt', '>', now)
          .where(sql<boolean>`last ->> 'heldBy' = ${by}`)
          .limit(AT_ONCE),
      ),
  );
}

/** What this holds back, of a domain or of all, is due, and the queue looks at it again. */
export async function makeAllHeldBackDue(
  { db, clock }: Pick<Outside, 'db' | 'clock'>,
  { accountId, ...held }: HeldBack & { accountId: string },
  signal: AbortSignal,
): Promise<void> {
  const about = { ...held, now: clock.now() };
  while (!signal.aborted && (await makeDue(db, accountId, about)) === AT_ONCE);
  wakeQueue(db);
}
