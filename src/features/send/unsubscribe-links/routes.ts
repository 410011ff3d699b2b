import { endpoint } from '../../../platform/feature/index.ts';
import { findCopy, unsubscribeReader } from './actions.ts';
import { showUnsubscribe, unsubscribe } from './contract.ts';
import { donePage, questionPage, unknownPage } from './page.ts';

export const endpoints = [
  endpoint(showUnsubscribe, async (ctx, { params, query }) => {
    const copy = await findCopy(ctx, params.token);
    if (!copy) return unknownPage();
    const { recipient, message } = copy;
    return questionPage({ recipient, domain: message.domain, tags: query.all ? [] : message.tags });
  }),
  endpoint(unsubscribe, async (ctx, { params, query }) => {
    const copy = await findCopy(ctx, params.token);
    if (!copy) return unknownPage();
    const { recipient, message } = copy;
    const tags = query.all ? [] : message.tags;
    await unsubscribeReader(ctx, copy, { tags, ip: ctx.address });
    return donePage({ recipient, domain: message.domain, tags });
  }),
];
