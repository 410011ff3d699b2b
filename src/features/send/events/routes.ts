import { invalid } from '../../../platform/errors/index.ts';
import { endpoint } from '../../../platform/feature/index.ts';
import { listEvents } from './actions.ts';
import * as contracts from './contract.ts';
import { findRetention, saveRetention } from './store.ts';

export const endpoints = [
  endpoint(contracts.listEvents, (ctx, { params, query }) => listEvents(ctx, params.domain_name, { query })),
  endpoint(contracts.listEventsPage, (ctx, { params }) =>
    listEvents(ctx, params.domain_name, { token: params.page_token }),
  ),
  endpoint(contracts.getRetention, async ({ db, config, principal }) => {
    const { eventDays: max } = config.sending;
    const days = (await findRetention(db, principal.accountId)) ?? max;
    return { days: Math.min(days, max), days_max: max };
  }),
  endpoint(contracts.putRetention, async ({ db, config, principal }, { body: { days } }) => {
    const { eventDays: max } = config.sending;
    if (days > max) throw invalid('days', `must be from 1 to ${max}: the service keeps events no longer.`);
    await saveRetention(db, principal.accountId, days);
    return { days, days_max: max };
  }),
];
