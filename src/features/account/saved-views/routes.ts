import { AppError, notFound } from '../../../platform/errors/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { admitStored } from '../../account/accounts/index.ts';
import * as contracts from './contract.ts';
import {
  countSavedViews,
  deleteSavedView,
  insertSavedView,
  listSavedViews,
  type Owner,
  type SavedView,
} from './store.ts';

const ownerOf = ({ principal: { accountId, userId } }: Pick<Context, 'principal'>): Owner => ({
  accountId,
  userId: userId ?? null,
});

const view = ({ id, list, name, search, createdAt }: SavedView) => ({
  id,
  list,
  name,
  search,
  created_at: createdAt.toISOString(),
});

export const endpoints = [
  endpoint(contracts.listSavedViews, async (ctx, { query: { list } }) => ({
    items: (await listSavedViews(ctx.db, ownerOf(ctx), list)).map(view),
  })),
  endpoint(contracts.createSavedView, async (ctx, { body: { list, name, search } }) => {
    const owner = ownerOf(ctx);
    const { accountId } = owner;
    await admitStored(ctx, accountId, { quota: 'savedViews', count: () => countSavedViews(ctx.db, accountId) });
    const savedView = { id: newId(), ...owner, list, name: name.trim(), search, createdAt: ctx.clock.now() };
    await ctx.db.tx(async (tx) => {
      await tx.lock(`saved views ${accountId} ${owner.userId}`);
      if ((await listSavedViews(tx, owner, list)).length >= contracts.VIEWS_MAX)
        throw new AppError('conflict', `list: there are ${contracts.VIEWS_MAX} views of it, as many as are kept.`);
      if (!(await insertSavedView(tx, savedView)))
        throw new AppError('conflict', `name: there is a view “${savedView.name}” of this list.`);
    });
    return view(savedView);
  }),
  endpoint(contracts.deleteSavedView, async (ctx, { params: { saved_view_id: id } }) => {
    if (!(await deleteSavedView(ctx.db, ownerOf(ctx), id))) throw notFound('saved view', id);
    return { message: 'The saved view was deleted.' };
  }),
];
