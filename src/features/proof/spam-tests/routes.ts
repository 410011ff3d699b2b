import { LANGUAGES, SPAM_MEASURED } from '../../../engines/spam-rules/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { skipPaging } from '../../../platform/paging/index.ts';
import { listProviders, verdictName } from '../_seeds/index.ts';
import * as actions from './actions.ts';
import type { SpamAnalysis } from './analysis.ts';
import * as contracts from './contract.ts';
import { PATH } from './contract.ts';
import * as results from './results-contract.ts';
import { seedDeliveries, spamTests } from './inspection.ts';
import { listTests, type SpamTest } from './store.ts';
import { testView, type ProviderNames } from './view.ts';

/** Suggested by the contract. */
const POLL_SECONDS = '10';

function metaOf(ctx: Pick<Context, 'clock' | 'requestId'>, count?: number) {
  return { request_id: ctx.requestId, timestamp: ctx.clock.now().toISOString(), ...(count !== undefined && { count }) };
}

async function namesFor(ctx: Pick<Context, 'db' | 'principal'>): Promise<ProviderNames> {
  return new Map((await listProviders(ctx, ctx.principal.accountId)).map((provider) => [provider.domain, provider]));
}

async function views(ctx: Pick<Context, 'db' | 'principal'>, tests: readonly SpamTest[]) {
  const [names, deliveries] = await Promise.all([
    namesFor(ctx),
    seedDeliveries.deliveries(
      ctx,
      { accountId: ctx.principal.accountId, testIds: tests.map(({ id }) => id) },
      { reports: 'brief' },
    ),
  ]);
  const ofTest = Map.groupBy(deliveries, ({ testId }) => testId);
  return tests.map((test) => testView(test, ofTest.get(test.id) ?? [], names));
}

/** Verdicts of tests that ended before are called what they say too. */
function analysisView(analysis: SpamAnalysis | undefined): SpamAnalysis | null {
  return analysis
    ? { ...analysis, filters: analysis.filters.map((filter) => ({ ...filter, verdict: verdictName(filter.verdict) })) }
    : null;
}

export const endpoints = [
  endpoint(contracts.createTest, async (ctx, { body }) => {
    const test = await actions.startTest(ctx, body);
    return { meta: metaOf(ctx), item: testView(test, [], new Map()), links: { self: `${PATH}/${test.id}` } };
  }),
  endpoint(contracts.listTests, async (ctx, { query }) => {
    const { status, region, sort_by: sortBy, sort_order: order, limit, skip } = query;
    const { items, total } = await listTests(ctx.db, ctx.principal.accountId, {
      status,
      region,
      sortBy: sortBy === 'created_at' ? 'createdAt' : 'updatedAt',
      order,
      limit,
      skip,
    });
    const repeated = { status, region, sort_by: sortBy, sort_order: order };
    return {
      meta: metaOf(ctx, total),
      paging: skipPaging(ctx.baseUrl + PATH, { ...repeated, limit, skip }, total),
      items: await views(ctx, items),
      links: { self: PATH },
    };
  }),
  endpoint(results.listProviders, async (ctx) => {
    const providers = await listProviders(ctx, ctx.principal.accountId);
    const items = providers.map(({ domain, displayName, category, kind, about, region }) => {
      return { domain, display_name: displayName, category, kind, simulated: kind === 'receiver', about, region };
    });
    const inGroup = (category: string): string[] =>
      items.filter((item) => item.category === category).map(({ domain }) => domain);
    return {
      meta: metaOf(ctx, items.length),
      items,
      b2c: inGroup('b2c'),
      b2b: inGroup('b2b'),
      links: { self: `${PATH}/providers` },
    };
  }),
  endpoint(contracts.getMeasurements, (ctx) => {
    const languages = SPAM_MEASURED.languages.map((one) => ({
      ...one,
      name: LANGUAGES[one.language],
      status: one.detection || one.false_positives ? ('measured' as const) : ('rules present, not measured' as const),
    }));
    return Promise.resolve({
      meta: metaOf(ctx, SPAM_MEASURED.collections.length),
      item: { ...SPAM_MEASURED, languages },
      links: { self: `${PATH}/measurements` },
    });
  }),
  endpoint(results.getTest, async (ctx, { params }) => {
    const test = await actions.getTest(ctx, params.spam_test_id);
    const [[view], inspection] = await Promise.all([views(ctx, [test]), spamTests.get(ctx, test.id)]);
    const reply = {
      meta: metaOf(ctx),
      item: { ...(view as NonNullable<typeof view>), analysis: analysisView(inspection.result?.analysis) },
      links: { self: `${PATH}/${test.id}` },
    };
    return test.status === 'processing' ? new HttpReply(reply, { 'retry-after': POLL_SECONDS }) : reply;
  }),
  endpoint(results.getContent, async (ctx, { params }) => {
    const { subject, html, text, headerList } = await actions.getContent(ctx, params.spam_test_id);
    return { subject, html: html ?? null, text: text ?? null, headers: headerList };
  }),
  endpoint(results.deleteTest, async (ctx, { params }) => {
    await actions.removeTest(ctx, ctx.principal.accountId, params.spam_test_id);
    return { message: 'The spam test and its results were deleted.' };
  }),
];
