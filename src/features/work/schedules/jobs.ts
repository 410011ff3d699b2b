import { Type } from 'typebox';
import type { Sql } from '../../../platform/db/index.ts';
import { whenTold } from '../../../platform/facts/index.ts';
import { defineJob, Hopeless, type Outside } from '../../../platform/feature/index.ts';
import { defineAging } from '../../../platform/feature/retention.ts';
import { newId } from '../../../platform/ids/index.ts';
import { isAccountOpen } from '../../account/accounts/index.ts';
import { countInboxesOf, inboxSentences, placementEnded } from '../../placement/inbox-placement/index.ts';
import { gateEnded } from '../../proof/gate/index.ts';
import { endRunWith, type EndDoors } from './ends.ts';
import { nextTime } from './next-time.ts';
import { deleteOldRuns, deleteRun, findRun, findRunOf, insertRun, listOpenRuns, type Run } from './runs-store.ts';
import { findSchedule, takeDue, updateSchedule, type ListedSchedule } from './store.ts';
import { isHopeless, TASK_KINDS } from './tasks.ts';

const TAKEN_AT_ONCE = 100;
const RUNS_DAYS = 90;
const RunNamed = Type.Object({ accountId: Type.String(), runId: Type.String() });

/** Ends a run that is still under way, as `error`; one that has ended stays as it is. */
async function endAsError(outside: EndDoors, { accountId, id, scheduleId }: Run, message: string): Promise<void> {
  const schedule = await findSchedule(outside.db, accountId, scheduleId);
  if (!schedule) return;
  await outside.db.tx((tx) =>
    endRunWith(outside, tx, { schedule, run: { accountId, id }, end: { state: 'error', message } }),
  );
  outside.jobs.wake();
}

/** Carries out the task of a run. What a gate or a placement test comes to is heard when it ends. */
const runTask = defineJob({
  name: 'schedules.run',
  payload: RunNamed,
  lane: 'net',
  urgency: 'bulk',
  attempts: 3,
  timeoutMs: 120_000,
  sameAs: ({ runId }) => runId,
  async run(outside, { accountId, runId }) {
    const run = await findRun(outside.db, accountId, runId);
    if (run?.state !== 'running' || run.resourceId !== null) return;
    if (!(await isAccountOpen(outside, accountId))) return deleteRun(outside.db, run);
    const schedule = await findSchedule(outside.db, accountId, run.scheduleId);
    if (!schedule) return;
    try {
      await TASK_KINDS[schedule.task].run(outside, schedule, run);
    } catch (error) {
      throw isHopeless(error) ? new Hopeless(error.message) : error;
    }
  },
  async gaveUp(outside, { accountId, runId }, { reason, tries }) {
    const run = await findRun(outside.db, accountId, runId);
    if (run) await endAsError(outside, run, tries > 1 ? `${reason} It was tried ${tries} times.` : reason);
  },
});

/** Makes a run and queues it, in the caller's transaction; call `jobs.wake()` after the commit. */
export async function beginRun(
  { clock, jobs }: Pick<Outside, 'clock' | 'jobs'>,
  tx: Sql,
  { id: scheduleId, accountId }: Pick<ListedSchedule, 'id' | 'accountId'>,
): Promise<Run> {
  const run: Run = {
    id: newId(),
    scheduleId,
    accountId,
    state: 'running',
    message: '',
    resourceId: null,
    change: null,
    startedAt: clock.now(),
    endedAt: null,
  };
  await insertRun(tx, run);
  await jobs.enqueue(tx, runTask, { payloads: [{ accountId, runId: run.id }], account: accountId });
  return run;
}

/** Begins a run of each schedule whose time has come; several times that have passed are made up for once. */
async function beginDue(outside: EndDoors, now: Date): Promise<number> {
  return outside.db.tx(async (tx) => {
    const due = await takeDue(tx, { now, limit: TAKEN_AT_ONCE });
    const open = await listOpenRuns(
      tx,
      due.map(({ id }) => id),
    );
    for (const schedule of due) {
      const { id, accountId } = schedule;
      const next = nextTime(schedule.nextAt ?? now, schedule);
      await updateSchedule(tx, accountId, { id, nextAt: next > now ? next : nextTime(now, schedule) });
      const end = { state: 'error', message: 'It had not ended when the next run was due.' } as const;
      for (const run of open.filter(({ scheduleId }) => scheduleId === id))
        await endRunWith(outside, tx, { schedule, run, end });
      await beginRun(outside, tx, schedule);
    }
    return due.length;
  });
}

export const begin = defineJob({
  name: 'schedules.begin',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 20,
  async run(outside, _payload, { signal }) {
    const now = outside.clock.now();
    while (!signal.aborted && (await beginDue(outside, now)) === TAKEN_AT_ONCE);
    outside.jobs.wake();
  },
});

async function endOf(
  outside: EndDoors,
  { accountId, resourceId }: { accountId: string; resourceId: string },
  end: () => Promise<Parameters<typeof endRunWith>[2]['end']>,
): Promise<void> {
  const run = await findRunOf(outside.db, accountId, resourceId);
  if (run?.state !== 'running') return;
  const schedule = await findSchedule(outside.db, accountId, run.scheduleId);
  if (!schedule) return;
  const ended = await end();
  await outside.db.tx((tx) => endRunWith(outside, tx, { schedule, run, end: ended }));
  outside.jobs.wake();
}

const GATE_STATES = { pass: 'passed', fail: 'failed', unknown: 'error' } as const;

const hearGates = defineJob({
  name: 'schedules.hear-gates',
  payload: gateEnded.payload,
  lane: 'quick',
  attempts: 5,
  timeoutMs: 30_000,
  run: (outside, { accountId, gateId, verdict, reasons }) =>
    endOf(outside, { accountId, resourceId: gateId }, async () => ({
      state: GATE_STATES[verdict],
      message: reasons.join(' ').slice(0, 2000) || 'The email passes the gate.',
    })),
});

const hearPlacements = defineJob({
  name: 'schedules.hear-placements',
  payload: placementEnded.payload,
  lane: 'quick',
  attempts: 5,
  timeoutMs: 30_000,
  run: (outside, { accountId, resultId }) =>
    endOf(outside, { accountId, resourceId: resultId }, async () => {
      const counts = await countInboxesOf(outside, { accountIds: [accountId], testIds: [resultId] });
      return { state: 'complete', message: inboxSentences(counts) };
    }),
});

const expire = defineAging({ name: 'schedules', days: RUNS_DAYS, deleteOld: deleteOldRuns });

export const jobs = [begin, runTask, hearGates, hearPlacements, expire];
export const listensTo = [whenTold(gateEnded, hearGates), whenTold(placementEnded, hearPlacements)];
