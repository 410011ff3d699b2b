// How runs end, and what people hear of it.
import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { raiseAlert } from '../../monitor/alerts/index.ts';
import type { RunState, PageChange } from './contract.ts';
import { endRun, type Run } from './runs-store.ts';
import type { ListedSchedule } from './store.ts';

/** What ending a run takes. */
export type EndDoors = Pick<Outside, 'db' | 'jobs' | 'clock'>;

interface Ended {
  schedule: Pick<ListedSchedule, 'id' | 'accountId' | 'name'>;
  run: Pick<Run, 'id' | 'accountId'>;
  end: { state: Exclude<RunState, 'running'>; message: string; change?: PageChange | null };
}

/**
 * Ends a run in the caller's transaction and raises its alert; call `jobs.wake()` after the commit. False: it had ended
 * already, or is gone.
 */
export async function endRunWith(doors: EndDoors, tx: Sql, { schedule, run, end }: Ended): Promise<boolean> {
  if (!(await endRun(tx, run, { ...end, endedAt: doors.clock.now() }))) return false;
  const { id, accountId, name } = schedule;
  const about = { accountId, subject: `${name} · ${id}` };
  const facts = { page: `/schedules/${id}`, schedule: { id, name }, run_id: run.id };
  const isError = end.state === 'error';
  await raiseAlert(doors, tx, {
    ...about,
    event: 'schedule_failed',
    isOver: !isError,
    data: {
      message: isError ? `The schedule "${name}" could not run. ${end.message}` : `The schedule "${name}" ran again.`,
      ...(isError && { fix: 'Change its task so that it can run, or pause it.' }),
      ...facts,
    },
  });
  if (end.state === 'changed')
    await raiseAlert(doors, tx, {
      ...about,
      event: 'page_changed',
      data: { message: `${name}: ${end.message}`, ...facts, change: end.change },
    });
  return true;
}
