import { endpoint } from '../../../platform/feature/index.ts';
import { countedPaging } from '../../../platform/paging/index.ts';
import type { Lists } from '../../../platform/ports/index.ts';
import { rulesOf } from '../../proof/gate/index.ts';
import * as contracts from './contract.ts';
import { decideByHand, getGated } from './decide.ts';
import { listGated } from './messages-store.ts';
import { getSettings, putSettings } from './settings.ts';
import { gatedView, settingsView } from './view.ts';

const people = (count: number): string => (count === 1 ? '1 recipient' : `${count} recipients`);

/** What takes a policy goes by the checks that there are. */
export function endpoints(lists: Lists) {
  const rules = rulesOf({ lists });
  return [
    endpoint(contracts.putDomainGate(rules), async (ctx, { params, body }) =>
      settingsView(await putSettings(ctx, params.name, body)),
    ),
    ...others,
  ];
}

const others = [
  endpoint(contracts.getDomainGate, async (ctx, { params }) => settingsView(await getSettings(ctx, params.name))),
  endpoint(contracts.listGated, async (ctx, { query: { limit, skip, state, domain } }) => {
    const states = state === 'waiting' ? (['checking', 'held'] as const) : state && [state];
    const page = { states, domain: domain?.toLowerCase(), limit, skip };
    const { items, total } = await listGated(ctx.db, ctx.principal.accountId, page);
    const conditions = { limit, skip, ...(state && { state }), ...(domain !== undefined && { domain }) };
    return {
      ...countedPaging(ctx.baseUrl + contracts.MESSAGES_PATH, conditions, total),
      items: items.map(gatedView),
    };
  }),
  endpoint(contracts.getGated, async (ctx, { params }) => gatedView(await getGated(ctx, params.storage_key))),
  endpoint(contracts.releaseGated, async (ctx, { params }) => {
    const recipients = await decideByHand(ctx, params.storage_key, 'released');
    return { message: `Released for ${people(recipients)}.`, recipients };
  }),
  endpoint(contracts.dropGated, async (ctx, { params }) => {
    const recipients = await decideByHand(ctx, params.storage_key, 'dropped');
    return { message: `Dropped for ${people(recipients)}.`, recipients };
  }),
];
