// The health check: judges enrolled domains by what they sent, and moves them where that says so.
import type { Band, Verdict } from '../../../engines/reputation-bands/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { forgetRoutes } from '../sending-ips/index.ts';
import { insertMove } from './history-store.ts';
import { judge } from './rates.ts';
import { holdEnrollment, saveEnrollment, takeDue, type Enrollment } from './store.ts';

type Doors = Pick<Outside, 'db' | 'events' | 'clock'>;

/** Each domain is checked so often. */
export const CHECK_MS = 3_600_000;
/** Domains of one account in one turn. */
const DOMAINS_MAX = 200;
/** Who moved a domain when nobody did. */
const NOBODY = 'health check';

/** Writes one into the history, in the transaction of the move. */
export async function noteMove(
  tx: Sql,
  { accountId, ownerId, domainId, name }: Pick<Enrollment, 'accountId' | 'ownerId' | 'domainId' | 'name'>,
  move: {
    to: Band | '';
    from: Band | '';
    reason: string;
    rates: Pick<Verdict, 'bounceRate' | 'complaintRate'> & { processedCount: number | null };
    initiatedBy: string;
    at: Date;
  },
): Promise<void> {
  const { to: newBand, from: prevBand, reason, initiatedBy, at } = move;
  const { bounceRate, complaintRate, processedCount } = move.rates;
  const rates = { bounceRate, complaintRate, processedCount };
  const domain = { accountId, ownerId, domainId, domainName: name };
  await insertMove(tx, { id: newId(), ...domain, newBand, prevBand, reason, ...rates, initiatedBy, at });
}

/** Writes what a check found, unless the domain was moved meanwhile. Answers whether the domain moved. */
async function settle(
  { db }: Pick<Doors, 'db'>,
  domain: Enrollment,
  { verdict, now }: { verdict: Verdict; now: Date },
): Promise<boolean> {
  return db.tx(async (tx) => {
    const held = await holdEnrollment(tx, domain);
    if (!held || held.band !== domain.band || held.isOverride !== domain.isOverride) return false;
    const { band: to, reason, ...rates } = verdict;
    const isMoved = to !== held.band && !held.isOverride;
    await saveEnrollment(tx, domain, {
      ...rates,
      reason: held.isOverride ? `Put there by hand. ${reason}` : reason,
      checkedAt: now,
      ...(isMoved && { band: to, bandedAt: now }),
    });
    if (isMoved) await noteMove(tx, domain, { to, from: held.band, reason, rates, initiatedBy: NOBODY, at: now });
    return isMoved;
  });
}

/** Checks what is due of an account's domains. Answers how many that were, and how many moved. */
export async function checkDue(
  doors: Doors,
  ownerId: string,
  signal?: AbortSignal,
): Promise<{ checked: number; moved: number }> {
  const now = doors.clock.now();
  const until = new Date(now.getTime() + CHECK_MS);
  const due = await takeDue(doors.db, ownerId, { now, until, limit: DOMAINS_MAX });
  const verdicts = await judge(doors, due, now);
  let moved = 0;
  for (const [place, domain] of due.entries()) {
    if (signal?.aborted) break;
    const isMoved = await settle(doors, domain, { verdict: verdicts[place] as Verdict, now });
    if (isMoved) moved += 1;
  }
  if (moved > 0) forgetRoutes(doors.db);
  return { checked: due.length, moved };
}
