import { endpoint } from '../../../platform/feature/index.ts';
import { validateOne } from './actions.ts';
import * as contracts from './contract.ts';
import { olderView, validationView } from './view.ts';

export const endpoints = [
  endpoint(contracts.validateAddress, async (ctx, { query }) =>
    validationView(await validateOne(ctx, ctx.principal.accountId, query.address)),
  ),
  endpoint(contracts.validatePostedAddress, async (ctx, { body }) =>
    validationView(await validateOne(ctx, ctx.principal.accountId, body.address)),
  ),
  endpoint(contracts.validateAddressV3, async (ctx, { query }) =>
    olderView(await validateOne(ctx, ctx.principal.accountId, query.address)),
  ),
  endpoint(contracts.validatePrivateAddressV3, async (ctx, { query }) =>
    olderView(await validateOne(ctx, ctx.principal.accountId, query.address)),
  ),
];
