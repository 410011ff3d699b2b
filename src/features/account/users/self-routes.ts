import { endpoint } from '../../../platform/feature/index.ts';
import { changeAccess, findAccount } from '../accounts/index.ts';
import { getLink } from './links.ts';
import { changePassword, requestReset, usePasswordLink } from './passwords.ts';
import * as contracts from './self-contract.ts';
import { getSignedIn } from './self.ts';
import { saveUser } from './store.ts';
import { view } from './view.ts';

export const selfEndpoints = [
  endpoint(contracts.updateOwnUser, async (ctx, { body }) => {
    const user = await getSignedIn(ctx);
    const change = { name: body.name.trim(), updatedAt: ctx.clock.now() };
    const changed = await changeAccess(ctx, (tx) => saveUser(tx, user, change));
    return { message: 'Your name was changed.', user: view(changed ?? user) };
  }),
  endpoint(contracts.changeOwnPassword, async (ctx, { body: { current_password: current, password } }) => {
    await changePassword(ctx, await getSignedIn(ctx), { current, password });
    return { message: 'Your password was changed.' };
  }),
  endpoint(contracts.requestPasswordReset, async (ctx, { body }) => {
    await requestReset(ctx, body.email);
    return { message: 'If this is the address of a user, an email with a link is on its way.' };
  }),
  endpoint(contracts.readUserLink, async (ctx, { body }) => {
    const { link, user } = await getLink(ctx, body.token);
    const account = await findAccount(ctx.db, user.accountId);
    return {
      kind: link.kind,
      email: user.email,
      name: user.name,
      account_name: account?.name ?? '',
      expires_at: link.expiresAt.toISOString(),
    };
  }),
  endpoint(contracts.useUserLink, async (ctx, { body }) => {
    const { email } = await usePasswordLink(ctx, body);
    return { message: 'Your password is set.', email };
  }),
];
