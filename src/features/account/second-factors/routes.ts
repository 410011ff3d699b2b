import { endpoint } from '../../../platform/feature/index.ts';
import { getSignedIn } from '../users/index.ts';
import { beginFactor, confirmFactor, renewRecoveryCodes, resetFactor, turnOff } from './actions.ts';
import * as contracts from './contract.ts';
import { countRecoveryCodes } from './store.ts';

export const endpoints = [
  endpoint(contracts.getSecondFactor, async (ctx) => {
    const user = await getSignedIn(ctx);
    return {
      is_on: user.tfaCreatedAt !== null,
      created_at: user.tfaCreatedAt?.toISOString() ?? null,
      recovery_codes_left: await countRecoveryCodes(ctx.db, user),
    };
  }),
  endpoint(contracts.beginSecondFactor, async (ctx, { body }) =>
    beginFactor(ctx, await getSignedIn(ctx), body.current_password),
  ),
  endpoint(contracts.confirmSecondFactor, async (ctx, { body }) => ({
    message: 'Your second factor is on.',
    recovery_codes: await confirmFactor(ctx, await getSignedIn(ctx), body.code),
  })),
  endpoint(contracts.renewRecoveryCodes, async (ctx, { body }) => ({
    message: 'Your recovery codes were replaced.',
    recovery_codes: await renewRecoveryCodes(ctx, await getSignedIn(ctx), body),
  })),
  endpoint(contracts.deleteSecondFactor, async (ctx, { body }) => {
    await turnOff(ctx, await getSignedIn(ctx), body);
    return { message: 'Your second factor is off.' };
  }),
  endpoint(contracts.resetSecondFactor, async (ctx, { params }) => {
    await resetFactor(ctx, params.user_id);
    return { message: 'The second factor of the user is off.' };
  }),
];
