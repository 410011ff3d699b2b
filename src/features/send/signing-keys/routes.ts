import { endpoint } from '../../../platform/feature/index.ts';
import { getSigningKey, rotateSigningKey } from './actions.ts';
import * as contracts from './contract.ts';

export const endpoints = [
  endpoint(contracts.getSigningKey, async (ctx) => ({
    message: 'success',
    http_signing_key: await getSigningKey(ctx, ctx.principal.accountId),
  })),
  endpoint(contracts.rotateSigningKey, async (ctx) => ({
    message: 'regenerated HTTP signing key for account',
    http_signing_key: await rotateSigningKey(ctx, ctx.principal.accountId),
  })),
];
