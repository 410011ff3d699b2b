import { endpoint } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { findCopy, unsubscribeReader } from './actions.ts';
import { showUnsubscribe, unsubscribe } from './contract.ts';
import { donePage, questionPage, unknownPage } from './page.ts';

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

const html = (text: string, status = 200): HttpReply => new HttpReply(text, HEADERS, status);

export const endpoints = [
  endpoint(showUnsubscribe, async (ctx, { params, query }) => {
    const copy = await findCopy(ctx, params.token);
    if (!copy) return html(unknownPage(), 404);
    const { recipient, message } = copy;
    return html(questionPage({ recipient, domain: message.domain, tags: query.all ? [] : message.tags }));
  }),
  endpoint(unsubscribe, async (ctx, { params, query }) => {
    const copy = await findCopy(ctx, params.token);
    if (!copy) return html(unknownPage(), 404);
    const { recipient, message } = copy;
    const tags = query.all ? [] : message.tags;
    await unsubscribeReader(ctx, copy, { tags, ip: ctx.address });
    return html(donePage({ recipient, domain: message.domain, tags }));
  }),
];
