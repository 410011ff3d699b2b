// What the pages of schedules ask of the service, and the words for it.
import type { Reply } from '@galley/sdk';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api, sentenceOf } from '../../../ground/api.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { nameOf, WEEK } from '../../../ground/week.ts';

export type Schedule = Reply<'GET /v1/schedules/{schedule_id}'>;
export type ListedSchedule = Reply<'GET /v1/schedules'>['items'][number];
export type Run = Reply<'GET /v1/schedules/{schedule_id}/runs'>['items'][number];
export type Task = Schedule['task'];

/** More are listed by the API. */
const SCHEDULES_SHOWN = 500;
export const RUNS_SHOWN = 100;
const POLL_MS = 3000;
const SLOW_POLL_MS = 30_000;

export const TASK_LABELS: Readonly<Record<Task, string>> = {
  gate: 'Gate',
  placement: 'Placement test',
  page: 'Watched page',
};

const isRunning = (run: Run | null | undefined): boolean => run?.state === 'running';

export const schedulesQuery = queryOptions({
  queryKey: ['schedules'],
  queryFn: ({ signal }) => api.call('GET /v1/schedules', { query: { limit: SCHEDULES_SHOWN } }, { signal }),
  refetchInterval: ({ state: { data } }) =>
    data?.items.some(({ last_run: run }) => isRunning(run)) ? POLL_MS : SLOW_POLL_MS,
});

export const scheduleQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedules', id],
    queryFn: ({ signal }) => api.call('GET /v1/schedules/{schedule_id}', { path: { schedule_id: id } }, { signal }),
    refetchInterval: ({ state: { data } }) => (isRunning(data?.last_run) ? POLL_MS : SLOW_POLL_MS),
  });

export const runsQuery = (id: string, lastRun: Run | null | undefined) =>
  queryOptions({
    // A run that began or ended makes another list.
    queryKey: ['schedules', id, 'runs', lastRun?.id, lastRun?.state],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v1/schedules/{schedule_id}/runs',
        { path: { schedule_id: id }, query: { limit: RUNS_SHOWN } },
        { signal },
      ),
  });

const WORKDAYS = 'monday tuesday wednesday thursday friday';

/** `Every day at 09:00, UTC`. */
export function timesWords({ at, time_zone: zone, weekdays }: ListedSchedule): string {
  const days = WEEK.filter((day) => weekdays.includes(day));
  const words =
    days.length === WEEK.length
      ? 'Every day'
      : days.join(' ') === WORKDAYS
        ? 'Monday to Friday'
        : days.map(nameOf).join(', ');
  return `${words} at ${at}, ${zone}`;
}

/** What can be done with a schedule; each says how it went. */
export function useScheduleActions(afterDelete?: () => void) {
  const queries = useQueryClient();
  const carryOut = async (title: string, act: () => Promise<string>): Promise<boolean> => {
    try {
      announce(await act());
      return true;
    } catch (error) {
      tell({ color: 'red', title, message: sentenceOf(error) });
      return false;
    } finally {
      await queries.invalidateQueries({ queryKey: ['schedules'] });
    }
  };
  const pathOf = ({ id }: Pick<ListedSchedule, 'id'>) => ({ path: { schedule_id: id } });
  return {
    run: (schedule: Pick<ListedSchedule, 'id'>) =>
      carryOut('The schedule did not run', async () => {
        await api.call('POST /v1/schedules/{schedule_id}/run', { ...pathOf(schedule), body: {} });
        return 'A run has begun.';
      }),
    turn: (schedule: Pick<ListedSchedule, 'id'>, on: boolean) =>
      carryOut('The schedule was not changed', async () => {
        await api.call('PATCH /v1/schedules/{schedule_id}', { ...pathOf(schedule), body: { on } });
        return on ? 'The schedule is on.' : 'The schedule is paused.';
      }),
    askDelete: (schedule: Pick<ListedSchedule, 'id' | 'name'>) =>
      ask({
        title: 'Delete this schedule?',
        text: `${schedule.name} is deleted with its runs. The gates and placement results that it started stay.`,
        confirm: 'Delete',
        onConfirm: () =>
          void carryOut('The schedule was not deleted', async () => {
            const { message } = await api.call('DELETE /v1/schedules/{schedule_id}', pathOf(schedule));
            afterDelete?.();
            return message;
          }),
      }),
  };
}
