import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { isTimeZone, minutesOfDay, WEEKDAYS, weekdayNumbers, type Weekday } from '../../../platform/times/index.ts';
import { admitStored } from '../../account/accounts/index.ts';
import { beginRun } from './jobs.ts';
import { TASKS, type Task } from './contract.ts';
import { nextTime } from './next-time.ts';
import { isRunning, type Run } from './runs-store.ts';
import * as store from './store.ts';
import type { Schedule } from './store.ts';
import { TASK_KINDS } from './tasks.ts';

type Given = Partial<Record<Task, Record<string, unknown> | null>> & {
  name?: string;
  at?: string;
  time_zone?: string;
  weekdays?: readonly Weekday[];
  on?: boolean;
};

/** The one task that a request names; undefined: none. Throws `invalid_request` for several, or a wrong body. */
function taskOf(ctx: Pick<Context, 'lists'>, given: Given): Pick<Schedule, 'task' | 'request'> | undefined {
  const named = TASKS.filter((task) => given[task] !== undefined && given[task] !== null);
  if (named.length > 1) throw invalid(named[1]!, `cannot stand beside ${named[0]}; give one of ${TASKS.join(', ')}.`);
  const [task] = named;
  if (task === undefined) return undefined;
  const request = given[task]!;
  TASK_KINDS[task].check(ctx, request);
  return { task, request };
}

/** What a request changes, in the columns of the table. */
function changesOf(ctx: Pick<Context, 'lists'>, given: Given): Partial<Schedule> {
  const { name, at, time_zone: timeZone, weekdays, on: isOn } = given;
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw invalid('time_zone', 'must name a time zone, such as Europe/Berlin.');
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(at !== undefined && { minutes: minutesOfDay(at) }),
    ...(timeZone !== undefined && { timeZone }),
    ...(weekdays && { weekdays: weekdayNumbers(weekdays) }),
    ...(isOn !== undefined && { isOn }),
    ...taskOf(ctx, given),
  };
}

const nextOf = (schedule: Pick<Schedule, 'isOn' | 'timeZone' | 'weekdays' | 'minutes'>, now: Date): Date | null =>
  schedule.isOn ? nextTime(now, schedule) : null;

export async function createSchedule(
  ctx: Pick<Context, 'config' | 'db' | 'clock' | 'lists' | 'principal'>,
  given: Given & { name: string; at: string },
): Promise<Schedule> {
  const { accountId } = ctx.principal;
  const task = taskOf(ctx, given);
  if (!task) throw invalid('gate', `is missing, and so are the others: give one of ${TASKS.join(', ')}.`);
  await admitStored(ctx, accountId, { quota: 'schedules', count: () => store.countSchedules(ctx.db, accountId) });
  const now = ctx.clock.now();
  const schedule: Schedule = {
    id: newId(),
    accountId,
    ...task,
    name: given.name,
    timeZone: 'UTC',
    weekdays: weekdayNumbers(WEEKDAYS),
    minutes: 0,
    isOn: true,
    nextAt: null,
    createdAt: now,
    updatedAt: now,
    ...changesOf(ctx, given),
  };
  const made = { ...schedule, nextAt: nextOf(schedule, now) };
  await store.insertSchedule(ctx.db, made);
  return made;
}

/** Throws `not_found`. */
export async function getSchedule(ctx: Pick<Context, 'db' | 'principal'>, id: string): Promise<Schedule> {
  const found = await store.findSchedule(ctx.db, ctx.principal.accountId, id);
  if (!found) throw notFound('schedule', id);
  return found;
}

export async function updateSchedule(
  ctx: Pick<Context, 'db' | 'clock' | 'lists' | 'principal'>,
  id: string,
  given: Given,
): Promise<Schedule> {
  const { accountId } = ctx.principal;
  const changes = changesOf(ctx, given);
  return ctx.db.tx(async (tx) => {
    const before = await store.lockSchedule(tx, accountId, id);
    const now = ctx.clock.now();
    const nextAt = before && nextOf({ ...before, ...changes }, now);
    const saved = await store.updateSchedule(tx, accountId, { ...changes, id, nextAt: nextAt ?? null, updatedAt: now });
    if (!saved) throw notFound('schedule', id);
    return saved;
  });
}

/** Throws `not_found`, and `conflict` while a run is under way. */
export async function runNow(ctx: Pick<Context, 'db' | 'clock' | 'jobs' | 'principal'>, id: string): Promise<Run> {
  const schedule = await getSchedule(ctx, id);
  const { accountId } = ctx.principal;
  const run = await ctx.db.tx(async (tx) => {
    if (!(await store.lockSchedule(tx, accountId, id))) throw notFound('schedule', id);
    if (await isRunning(tx, accountId, id))
      throw new AppError('conflict', 'A run of this schedule is under way; wait for its end.');
    return beginRun(ctx, tx, schedule);
  });
  ctx.jobs.wake();
  return run;
}
