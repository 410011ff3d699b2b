import { AppError, invalid } from '../../platform/errors/index.ts';
import { endpoint } from '../../platform/feature/index.ts';
import { HttpReply } from '../../platform/http/index.ts';
import { htmlSource } from '../email-sources/index.ts';
import { pagingView, startedView } from '../inspections/index.ts';
import * as contracts from './contract.ts';
import { accessibilityTests } from './inspection.ts';

const PATH = '/v1/inspect/accessibility';

/** Whole quanta only: Node would skip what is not base64. */
function decoded(html: string): string {
  const compact = html.replaceAll(/\s/g, '');
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact)) throw invalid('html', 'is not base64, although encoded is true.');
  return Buffer.from(compact, 'base64').toString('utf8');
}

function readHtml(body: { html: string; encoded: boolean }): string {
  const html = body.encoded ? decoded(body.html) : body.html;
  const bytes = Buffer.byteLength(html);
  if (html.trim() === '') throw invalid('html', 'is empty.');
  if (bytes > contracts.HTML_BYTES_MAX) throw new AppError('too_large', `html is ${bytes} bytes; at most ${contracts.HTML_BYTES_MAX} (5 MiB) are accepted.`);
  return html;
}

export const endpoints = [
  endpoint(contracts.createTest, async (ctx, { body }) => startedView(await accessibilityTests.start(ctx, ctx.principal.accountId, htmlSource(readHtml(body))), PATH)),
  endpoint(contracts.listTests, async (ctx, { query }) => {
    const { items, total } = await accessibilityTests.list(ctx, { limit: query.limit, skip: query.skip, isBrief: true });
    const counts = { checks: 0, passes: 0, failures: 0, needs_review: 0 };
    return {
      meta: { count: total },
      paging: pagingView(ctx.baseUrl + PATH, query, total),
      items: items.map((test) => ({ id: test.id, status: test.status, ...counts, ...test.summary, created_at: test.createdAt.toISOString(), updated_at: test.updatedAt.toISOString() })),
    };
  }),
  endpoint(contracts.getTest, async (ctx, { params }) => {
    const test = await accessibilityTests.get(ctx, params.id);
    const meta = { status: test.status, created_at: test.createdAt.toISOString(), updated_at: test.updatedAt.toISOString(), ...(test.error !== null && { error: test.error }) };
    return new HttpReply({ meta, items: test.result ? [test.result] : [] }, test.status === 'Processing' ? { 'retry-after': '1' } : {});
  }),
  endpoint(contracts.deleteTest, async (ctx, { params }) => {
    await accessibilityTests.remove(ctx, ctx.principal.accountId, params.id);
    return { message: 'The accessibility test was deleted.' };
  }),
];
