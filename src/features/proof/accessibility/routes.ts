import type { Static } from 'typebox';
import { invalid } from '../../../platform/errors/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { readSource, storable, type StoredSource } from '../_message/index.ts';
import { nameView, pagingView, startedView } from '../_inspections/index.ts';
import * as contracts from './contract.ts';
import { fixTest } from './fix.ts';
import { accessibilityTests } from './inspection.ts';

const PATH = '/v1/inspect/accessibility';

/** Whole quanta only: Node would skip what is not base64. */
function decoded(html: string): string {
  const compact = html.replaceAll(/\s/g, '');
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact)) throw invalid('html', 'is not base64, although encoded is true.');
  return Buffer.from(compact, 'base64').toString('utf8');
}

async function read(
  ctx: Context,
  { encoded, ...body }: Static<typeof contracts.createTest.body & {}>,
): Promise<StoredSource> {
  const { html, url, mime } = body;
  if (typeof html !== 'string' && typeof url !== 'string' && typeof mime !== 'string')
    throw invalid('html', 'is required.');
  return storable(await readSource(ctx, encoded && typeof html === 'string' ? { ...body, html: decoded(html) } : body));
}

export const endpoints = [
  endpoint(contracts.createTest, async (ctx, { body }) =>
    startedView(await accessibilityTests.start(ctx, ctx.principal.accountId, await read(ctx, body)), PATH),
  ),
  endpoint(contracts.listTests, async (ctx, { query }) => {
    const { items, total } = await accessibilityTests.list(ctx, {
      limit: query.limit,
      skip: query.skip,
      isBrief: true,
    });
    const counts = { checks: 0, passes: 0, failures: 0, needs_review: 0 };
    return {
      meta: { count: total },
      paging: pagingView(ctx.baseUrl + PATH, query, total),
      items: items.map((test) => ({
        id: test.id,
        name: nameView(test),
        status: test.status,
        ...counts,
        ...test.summary,
        created_at: test.createdAt.toISOString(),
        updated_at: test.updatedAt.toISOString(),
      })),
    };
  }),
  endpoint(contracts.getTest, async (ctx, { params }) => {
    const test = await accessibilityTests.get(ctx, params.id);
    const meta = {
      status: test.status,
      created_at: test.createdAt.toISOString(),
      updated_at: test.updatedAt.toISOString(),
      ...(test.error !== null && { error: test.error }),
    };
    return new HttpReply(
      { meta, items: test.result ? [test.result] : [] },
      test.status === 'Processing' ? { 'retry-after': '1' } : {},
    );
  }),
  endpoint(contracts.fixTest, (ctx, { params, body }) => fixTest(ctx, params.id, body)),
  endpoint(contracts.deleteTest, async (ctx, { params }) => {
    await accessibilityTests.remove(ctx, ctx.principal.accountId, params.id);
    return { message: 'The accessibility test was deleted.' };
  }),
];
