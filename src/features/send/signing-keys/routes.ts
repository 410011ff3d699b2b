import { AppError } from '../../../platform/errors/index.ts';
import { endpoint } from '../../../platform/feature/index.ts';
import { rotateSigningKey, signingKeyOf } from './actions.ts';
import * as contracts from './contract.ts';

export const endpoints = [
  endpoint(contracts.getSigningKey, async (ctx) => {
    const { role, accountId } = ctx.principal;
    if (role === 'support')
      throw new AppError('forbidden', 'Reading the signing key needs a key with the role admin or developer.');
    return { message: 'success', http_signing_key: await signingKeyOf(ctx, accountId) };
  }),
  endpoint(contracts.rotateSigningKey, async (ctx) => ({
    message: 'regenerated HTTP signing key for account',
    http_signing_key: await rotateSigningKey(ctx, ctx.principal.accountId),
  })),
];
