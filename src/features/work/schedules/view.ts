import { timeOfDay, WEEKDAYS } from '../../../platform/times/index.ts';
import type { ListedView, RunView } from './contract.ts';
import type { Run } from './runs-store.ts';
import type { ListedSchedule } from './store.ts';

export function runView({ id, state, message, resourceId, change, startedAt, endedAt }: Run): RunView {
  return {
    id,
    state: state as RunView['state'],
    message,
    resource_id: resourceId,
    change,
    started_at: startedAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
  };
}

export function scheduleView(schedule: ListedSchedule, last: Run | undefined): ListedView {
  const { id, name, task, timeZone, weekdays, minutes, isOn, nextAt, createdAt, updatedAt } = schedule;
  return {
    id,
    name,
    task,
    at: timeOfDay(minutes),
    time_zone: timeZone,
    weekdays: weekdays.map((day) => WEEKDAYS[day]!),
    on: isOn,
    next_at: nextAt?.toISOString() ?? null,
    last_run: last ? runView(last) : null,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
