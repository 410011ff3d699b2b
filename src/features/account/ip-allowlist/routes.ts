import { endpoint } from '../../../platform/feature/index.ts';
import { addEntry, deleteEntry, updateEntry } from './actions.ts';
import * as contracts from './contract.ts';
import { listAllowlist, type AllowlistEntry } from './store.ts';

const view = (entries: readonly AllowlistEntry[]) => ({
  addresses: entries.map(({ address, description }) => ({ ip_address: address, description })),
});

export const endpoints = [
  endpoint(contracts.listAllowlist, async (ctx) => view(await listAllowlist(ctx.db, ctx.principal.accountId))),
  endpoint(contracts.addToAllowlist, async (ctx, { body }) => view(await addEntry(ctx, body))),
  endpoint(contracts.updateAllowlist, async (ctx, { body }) =>
    view(await updateEntry(ctx, { address: body.address, description: body.description })),
  ),
  endpoint(contracts.deleteFromAllowlist, async (ctx, { query }) => view(await deleteEntry(ctx, query.address))),
];
