import { endpoint } from '../../../platform/feature/index.ts';
import { retryCopy } from './actions.ts';
import * as contracts from './contract.ts';
import { pageCopies } from './store.ts';
import { archiveCopyView } from './view.ts';

const SUBJECT_LENGTH = 300;

export const endpoints = [
  endpoint(contracts.listArchiveCopies, async (ctx, { query: { domain, state, ...page } }) => {
    const filter = { ...page, domain: domain?.toLowerCase(), state };
    const { items, total } = await pageCopies(ctx.db, ctx.principal.accountId, filter);
    return {
      total_count: total,
      items: items.map((copy) => ({
        ...archiveCopyView(copy),
        domain: copy.domain,
        storage_key: copy.key,
        subject: copy.subject.slice(0, SUBJECT_LENGTH),
      })),
    };
  }),
  endpoint(contracts.resendArchiveCopy, async (ctx, { params }) =>
    archiveCopyView(await retryCopy(ctx, ctx.principal.accountId, params.copy_id)),
  ),
];
