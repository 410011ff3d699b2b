import { endpoint } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { cookie, refusalOfProvider, tokenIn } from '../sessions/index.ts';
import { getSignedIn } from '../users/index.ts';
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from './actions.ts';
import { CHALLENGE_MS, makeChallenge } from './challenges.ts';
import * as contracts from './contract.ts';
import { getPlace } from './place.ts';
import { signInByPasskey } from './sign-in.ts';
import { listPasskeys, type Passkey } from './store.ts';

const view = ({ id, name, domain, isBackedUp, createdAt, lastUsedAt }: Passkey) => ({
  id,
  name,
  domain,
  is_backed_up: isBackedUp,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
});

export const endpoints = [
  endpoint(contracts.listPasskeys, async (ctx) => {
    const user = await getSignedIn(ctx);
    const items = (await listPasskeys(ctx.db, user)).map(view);
    return { items, total: items.length, refusal: (await refusalOfProvider(ctx, user)) ?? null };
  }),
  endpoint(contracts.beginPasskey, async (ctx, { body: { current_password = '', code = '' } }) => ({
    options: await beginPasskey(ctx, await getSignedIn(ctx), { current_password, code }),
  })),
  endpoint(contracts.createPasskey, async (ctx, { body }) => ({
    message: 'The passkey is kept.',
    passkey: view(await addPasskey(ctx, await getSignedIn(ctx), body)),
  })),
  endpoint(contracts.renamePasskey, async (ctx, { params, body }) => ({
    message: 'The passkey was renamed.',
    passkey: view(await renamePasskey(ctx, await getSignedIn(ctx), { id: params.passkey_id, name: body.name })),
  })),
  endpoint(contracts.deletePasskey, async (ctx, { params }) => {
    await removePasskey(ctx, await getSignedIn(ctx), params.passkey_id);
    return { message: 'The passkey was deleted.' };
  }),
  endpoint(contracts.beginPasskeySignIn, async (ctx) => ({
    options: {
      challenge: makeChallenge(ctx, 'sign-in'),
      rpId: getPlace(ctx).domain,
      timeout: CHALLENGE_MS,
      userVerification: 'required' as const,
      allowCredentials: [],
    },
  })),
  endpoint(contracts.signInByPasskey, async (ctx, { body }) => {
    const { token, seconds } = await signInByPasskey(ctx, body.credential, tokenIn(ctx.headers));
    return new HttpReply({ signed_in: true }, cookie(token, ctx, seconds));
  }),
];
