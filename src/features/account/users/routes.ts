import { endpoint } from '../../../platform/feature/index.ts';
import { changeUser, deleteUser, getUser, inviteAgain, inviteUser, type Invitation } from './actions.ts';
import * as contracts from './contract.ts';
import { getSelf } from './self.ts';
import { listInvitations, listUsers } from './store.ts';
import { ownView, view } from './view.ts';

const viewOf = ({ user, url, expiresAt }: Invitation) => ({
  user: view(user),
  invitation: { url, expires_at: expiresAt.toISOString() },
});

export const endpoints = [
  endpoint(contracts.listUsers, async (ctx, { query: { role, limit, skip } }) => {
    const page = { role, limit: limit as number, skip: skip as number };
    const { items, total } = await listUsers(ctx.db, ctx.principal.accountId, page);
    const ids = items.map(({ id }) => id);
    const invitations = await listInvitations(ctx.db, ctx.principal.accountId, ids);
    const users = items.map((user) => ({ ...view(user), sign_in: ownView(user, invitations.get(user.id)) }));
    return { users, total };
  }),
  endpoint(contracts.getOwnUser, async (ctx) => view(await getSelf(ctx))),
  endpoint(contracts.getUser, async (ctx, { params }) => view(await getUser(ctx, params.user_id))),
  endpoint(contracts.inviteUser, async (ctx, { body: { email, name = '', role = 'basic' } }) => ({
    message: 'The invitation is on its way.',
    ...viewOf(await inviteUser(ctx, { email, name, role })),
  })),
  endpoint(contracts.inviteUserAgain, async (ctx, { params }) => ({
    message: 'The invitation is on its way.',
    ...viewOf(await inviteAgain(ctx, params.user_id)),
  })),
  endpoint(contracts.updateUser, async (ctx, { params, body }) => ({
    message: 'The user was changed.',
    user: view(await changeUser(ctx, params.user_id, body)),
  })),
  endpoint(contracts.deleteUser, async (ctx, { params }) => {
    await deleteUser(ctx, params.user_id);
    return { message: 'The user was deleted.' };
  }),
];
