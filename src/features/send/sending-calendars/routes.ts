import { endpoint } from '../../../platform/feature/index.ts';
import * as contracts from './contract.ts';
import { getSettings, putSettings } from './actions.ts';
import { calendarView } from './view.ts';

export const endpoints = [
  endpoint(contracts.getCalendar, async (ctx, { params, query: { time_zone: zone } }) =>
    calendarView(await getSettings(ctx, params.name, zone)),
  ),
  endpoint(contracts.putCalendar, async (ctx, { params, body }) =>
    calendarView(await putSettings(ctx, params.name, body)),
  ),
];
