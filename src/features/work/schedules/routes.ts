import { notFound } from '../../../platform/errors/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { skipPaging } from '../../../platform/paging/index.ts';
import type { Lists } from '../../../platform/ports/index.ts';
import { rulesOf } from '../../proof/gate/index.ts';
import { createSchedule, getSchedule, runNow, updateSchedule } from './actions.ts';
import * as contracts from './contract.ts';
import { findLastRuns, listRuns } from './runs-store.ts';
import { deleteSchedule, listSchedules, type Schedule } from './store.ts';
import { runView, scheduleView } from './view.ts';

const PATH = '/v1/schedules';

async function show({ db, principal }: Pick<Context, 'db' | 'principal'>, schedule: Schedule) {
  const last = await findLastRuns(db, principal.accountId, [schedule.id]);
  return { ...scheduleView(schedule, last.get(schedule.id)), request: schedule.request };
}

/** What takes the policy of a gate goes by the checks that there are. */
export function endpoints(lists: Lists) {
  const rules = rulesOf({ lists });
  return [
    endpoint(contracts.createSchedule(rules), async (ctx, { body }) => show(ctx, await createSchedule(ctx, body))),
    endpoint(contracts.updateSchedule(rules), async (ctx, { params: { schedule_id: id }, body }) =>
      show(ctx, await updateSchedule(ctx, id, body)),
    ),
    ...others,
  ];
}

const others = [
  endpoint(contracts.listSchedules, async ({ db, principal: { accountId }, baseUrl }, { query: { limit, skip } }) => {
    const { items, total } = await listSchedules(db, accountId, { limit, skip });
    const ids = items.map(({ id }) => id);
    const last = await findLastRuns(db, accountId, ids);
    return {
      items: items.map((schedule) => scheduleView(schedule, last.get(schedule.id))),
      paging: skipPaging(baseUrl + PATH, { limit, skip }, total),
      total,
    };
  }),
  endpoint(contracts.getSchedule, async (ctx, { params: { schedule_id: id } }) =>
    show(ctx, await getSchedule(ctx, id)),
  ),
  endpoint(contracts.deleteSchedule, async ({ db, principal }, { params: { schedule_id: id } }) => {
    if (!(await deleteSchedule(db, principal.accountId, id))) throw notFound('schedule', id);
    return { message: 'The schedule was deleted.' };
  }),
  endpoint(contracts.runSchedule, async (ctx, { params: { schedule_id: id } }) => runView(await runNow(ctx, id))),
  endpoint(contracts.listRuns, async (ctx, { params: { schedule_id: id }, query: { limit, skip } }) => {
    const schedule = await getSchedule(ctx, id);
    const { items, total } = await listRuns(ctx.db, schedule, { limit, skip });
    return {
      items: items.map(runView),
      paging: skipPaging(`${ctx.baseUrl}${PATH}/${schedule.id}/runs`, { limit, skip }, total),
      total,
    };
  }),
];
