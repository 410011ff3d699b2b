// The stage that an address is in, and what follows when it is over.
import {
  decide,
  isBroken,
  openThrottle,
  REPUTATION_PATTERN,
  spanOf,
  STAGE_MS,
  type StageCounts,
} from '../../../engines/ip-warmup/index.ts';
import { measureOf } from '../../../engines/sending-health/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { listSubaccountIds } from '../../account/accounts/index.ts';
import { listDue, lockWarming, saveLook, saveStep, type Warmup } from './store.ts';

type Doors = Pick<Outside, 'db' | 'events' | 'clock' | 'log'>;

/** How often a stage is looked at before its end, for shares that are far too high already. */
const LOOK_MS = 3_600_000;
/** Younger events are not counted yet. */
const EVENTS_LAG_MS = 2000;

/** What became of what left from the address, in all accounts that may send from it. */
async function countsOf(
  { db, events }: Doors,
  { ip, accountId, countedFrom, sentInStage }: Warmup,
  to: Date,
): Promise<StageCounts & { isBound: boolean }> {
  const accountIds = [accountId, ...(await listSubaccountIds(db, accountId))];
  const { rows, isBound } = await events.tally({
    accountIds,
    from: countedFrom,
    to,
    by: ['sendingIp'],
    where: { field: 'event', is: 'in', values: ['delivered', 'failed', 'complained'] },
    replyPattern: REPUTATION_PATTERN,
  });
  const counts = { sent: sentInStage, delivered: 0, hardBounces: 0, reputation: 0, complaints: 0, isBound };
  for (const row of rows) {
    if (row.group.sendingIp !== ip) continue;
    const measure = measureOf(row);
    if (measure === 'delivered' || measure === 'complaints') counts[measure] += row.count;
    else if (row.isMatch) counts.reputation += row.count;
    else if (measure === 'hardBounces') counts.hardBounces += row.count;
  }
  return counts;
}

/** Ends the stage of an address, when it is over or must not go on. Another process may have done so meanwhile. */
async function closeStage(doors: Doors, seen: Warmup, now: Date): Promise<void> {
  const { db, log } = doors;
  const { ip, stage, stageStartedAt, volumes } = seen;
  const until = new Date(now.getTime() - EVENTS_LAG_MS);
  const { isBound, ...counts } = await countsOf(doors, seen, until);
  const { volume, endsAt } = spanOf(seen);
  const isOver = endsAt <= now;
  const judged = { stage, stages: volumes.length, volume, counts, isEarly: !isOver };
  await db.tx(async (tx) => {
    const warmup = await lockWarming(tx, ip);
    if (!warmup || warmup.stage !== stage || warmup.stageStartedAt.getTime() !== stageStartedAt.getTime()) return;
    if (!isOver && !isBroken(judged)) return saveLook(tx, ip, now);
    const { verdict, nextStage, smallerVolume, isWarm, signals, why } = decide(judged);
    const next = {
      stage: nextStage,
      // What was broken off is followed by a rest.
      stageStartedAt: isOver ? now : endsAt,
      volumes: smallerVolume === null ? warmup.volumes : [smallerVolume, ...warmup.volumes],
    };
    await saveStep(tx, ip, {
      step: {
        ...next,
        countedFrom: until,
        lookedAt: next.stageStartedAt,
        updatedAt: now,
        sentBefore: String(Number(warmup.sentBefore) + warmup.sentInStage),
        warmAt: isWarm ? now : null,
      },
      throttle: openThrottle(spanOf(next)),
      decision: {
        ip,
        accountId: warmup.accountId,
        stage,
        volume,
        startedAt: stageStartedAt,
        endedAt: now,
        sent: counts.sent,
        verdict,
        nextStage,
        signals,
        isBound,
        why,
      },
    });
    log.info({ ip, stage, verdict, why }, 'a stage of a warm-up has ended');
  });
}

/** Ends every stage that is over, and those whose shares are far above their limits already. */
export async function closeStages(doors: Doors): Promise<void> {
  const now = doors.clock.now();
  const due = await listDue(doors.db, {
    startedBefore: new Date(now.getTime() - STAGE_MS),
    lookedBefore: new Date(now.getTime() - LOOK_MS),
  });
  for (const warmup of due) await closeStage(doors, warmup, now);
}
