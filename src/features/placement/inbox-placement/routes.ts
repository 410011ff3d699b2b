import { notFound } from '../../../platform/errors/index.ts';
import { endpoint, type Context, type Outside } from '../../../platform/feature/index.ts';
import { cursorPaging } from '../../../platform/paging/index.ts';
import { readTime } from '../../../platform/times/index.ts';
import { bufferOf } from '../../proof/_message/index.ts';
import { listProviders, type SeedDelivery } from '../../proof/_seeds/index.ts';
import * as actions from './actions.ts';
import * as contracts from './contract.ts';
import { placements, readMessage, testsOf } from './deliveries.ts';
import { listLists, listNames, type SeedList } from './lists-store.ts';
import * as resultContracts from './results-contract.ts';
import * as results from './results-store.ts';
import type { PlacementResult } from './results-store.ts';
import * as lists from './seed-lists.ts';
import { compareDeliveries, deliveryStats, deliveryTotals } from './statistics.ts';
import * as views from './view.ts';

const LISTS = '/v4/inbox/seedlists';
const RESULTS = '/v4/inbox/results';
const RESULTS_PER_LIST = 10;

const LIST_FILTERS = [
  { parameter: 'name', description: 'Get seedlists by name' },
  { parameter: 'time_before', description: 'Get seedlists created before a time' },
  { parameter: 'time_after', description: 'Get seedlists created at or after a time' },
];
const RESULT_FILTERS = [
  { parameter: 'senderaddr', description: 'Get results by the address of the sender' },
  { parameter: 'subject', description: 'Get results whose subject contains a text' },
  { parameter: 'provider', description: 'Limit seed results to a provider' },
  { parameter: 'target_email', description: 'Get results of a seed list' },
  { parameter: 'time_before', description: 'Get results created before a time' },
  { parameter: 'time_after', description: 'Get results created at or after a time' },
];

async function keyBoxes(ctx: Pick<Context, 'db' | 'principal'>, some: readonly SeedList[]) {
  const { accountId } = ctx.principal;
  const kids = some.map(({ kid }) => kid);
  const recent = await results.listOfLists(ctx.db, { accountId, kids }, RESULTS_PER_LIST);
  const testIds = recent.map(({ resultId }) => resultId);
  const deliveries = Map.groupBy(
    await placements.deliveries(ctx, { accountId, testIds }, { reports: 'none' }),
    ({ testId }) => testId,
  );
  const providers = await listProviders(ctx, accountId);
  return some.map((list) => {
    const own = recent.filter(({ listId }) => listId === list.kid);
    const all = own.flatMap(({ resultId }) => deliveries.get(resultId) ?? []);
    // Providers came or went since the addresses were drawn.
    const wanted = providers
      .filter(({ domain }) => list.providerFilter === null || list.providerFilter.includes(domain))
      .map(({ domain }) => domain);
    const has = new Set(list.seeds.map(({ provider }) => provider));
    const isStale =
      list.seedFilter === '.*' &&
      (wanted.some((domain) => !has.has(domain)) || [...has].some((domain) => !wanted.includes(domain)));
    return views.keyBoxView(list, {
      mailingList: lists.mailingList(list),
      isStale,
      recent: own.map((result) => ({ result, stats: deliveryStats(deliveries.get(result.resultId) ?? []) })),
      stats: deliveryStats(all),
      totals: deliveryTotals(all),
    });
  });
}

async function keyBox(ctx: Pick<Context, 'db' | 'principal'>, list: SeedList) {
  const [only] = await keyBoxes(ctx, [list]);
  return only as NonNullable<typeof only>;
}

const atProvider = (deliveries: readonly SeedDelivery[], provider: string | undefined): readonly SeedDelivery[] =>
  provider ? deliveries.filter((one) => one.provider === provider) : deliveries;

/** The deliveries with what they sum up to. */
function counted(deliveries: readonly SeedDelivery[]) {
  return { deliveries, stats: deliveryStats(deliveries), totals: deliveryTotals(deliveries) };
}

const textOf = (html: string | Uint8Array): string => (typeof html === 'string' ? html : bufferOf(html).toString());

async function detailed(outside: Pick<Outside, 'db' | 'blobs'>, result: PlacementResult, provider?: string) {
  const deliveries = atProvider(await placements.deliveries(outside, testsOf(result), { reports: 'whole' }), provider);
  const message = await readMessage(outside, result.resultId);
  return views.resultView(result, { ...counted(deliveries), isDetailed: true, body: message && textOf(message.html) });
}

/** Compares with a named result, or with the previous result of the same list. */
async function comparison(
  ctx: Pick<Context, 'db' | 'principal'>,
  result: PlacementResult,
  { compare, provider }: { compare?: string | undefined; provider?: string | undefined },
) {
  const earlier =
    compare === undefined
      ? result.listId === null
        ? undefined
        : await results.findPrevious(ctx.db, result)
      : await actions.getResult(ctx, compare);
  if (!earlier) return null;
  const tests = { accountId: result.accountId, testIds: [result.resultId, earlier.resultId] };
  const deliveries = await placements.deliveries(ctx, tests, { reports: 'none' });
  const own = ({ resultId }: PlacementResult) =>
    atProvider(
      deliveries.filter(({ testId }) => testId === resultId),
      provider,
    );
  const providers = compareDeliveries(own(earlier), own(result));
  return { result_id: earlier.resultId, created_at: earlier.createdAt.toISOString(), providers };
}

function attributes(values: string[], attribute = 'available attributes') {
  return { items: { attribute, values } };
}

const listEndpoints = [
  endpoint(contracts.listAttributes, async () => attributes(['name'])),
  endpoint(contracts.listAttribute, async (ctx, { params }) => {
    if (params.attribute !== 'name') throw notFound('attribute of seed lists', params.attribute);
    return attributes(await listNames(ctx.db, ctx.principal.accountId), 'name');
  }),
  endpoint(contracts.listFilters, async () => ({ supported_filters: { filters: LIST_FILTERS } })),
  endpoint(contracts.listSeedLists, async (ctx, { query: given }) => {
    const query = { ...given, limit: Math.min(given.limit, contracts.LIMIT_MAX) };
    const { items, total } = await listLists(ctx.db, ctx.principal.accountId, {
      name: query.name,
      before: readTime('time_before', query.time_before),
      after: readTime('time_after', query.time_after),
      page: query,
    });
    return {
      items: await keyBoxes(ctx, items),
      paging: cursorPaging(ctx.baseUrl + LISTS, { query, ids: items.map(({ kid }) => kid), total }),
      total,
    };
  }),
  endpoint(contracts.createSeedList, async (ctx, { query, body }) =>
    keyBox(ctx, await lists.makeList(ctx, lists.mergeFields(query, body), { isAutoGenerated: false })),
  ),
  endpoint(contracts.getSeedList, async (ctx, { params }) => {
    const seedlist = await keyBox(ctx, await lists.getList(ctx, params.address));
    return { ...seedlist, seedlist };
  }),
  endpoint(contracts.updateSeedList, async (ctx, { params, query, body }) =>
    keyBox(ctx, await lists.changeList(ctx, params.address, lists.mergeFields(query, body))),
  ),
  endpoint(contracts.deleteSeedList, async (ctx, { params }) => {
    await lists.removeList(ctx, params.address);
    return { message: 'The seed list was deleted.' };
  }),
];

const resultEndpoints = [
  endpoint(contracts.createTest, async (ctx, { body }) => {
    const { result, mailingList } = await actions.startTest(ctx, body);
    return {
      result_id: result.resultId,
      links: { results: `${ctx.baseUrl}${RESULTS}/${result.resultId}` },
      mailing_list: mailingList,
    };
  }),
  endpoint(resultContracts.listResultAttributes, async () => attributes(['subject', 'sender'])),
  endpoint(resultContracts.listResultAttribute, async (ctx, { params: { attribute } }) => {
    if (attribute !== 'subject' && attribute !== 'sender') throw notFound('attribute of results', attribute);
    return attributes(await results.listValues(ctx.db, ctx.principal.accountId, attribute), attribute);
  }),
  endpoint(resultContracts.listResultFilters, async () => ({ supported_filters: { filters: RESULT_FILTERS } })),
  endpoint(resultContracts.listResults, async (ctx, { query: given }) => {
    const query = { ...given, limit: Math.min(given.limit, contracts.LIMIT_MAX) };
    const filter = {
      sender: query.sender ?? query.senderaddr,
      subject: query.subject,
      targetEmail: query.target_email,
      before: readTime('time_before', query.time_before),
      after: readTime('time_after', query.time_after),
      page: query,
    };
    const { accountId } = ctx.principal;
    const { items, total } = await results.listResults(ctx.db, accountId, filter);
    const testIds = items.map(({ resultId }) => resultId);
    const ofResult = Map.groupBy(
      await placements.deliveries(ctx, { accountId, testIds }, { reports: 'brief' }),
      ({ testId }) => testId,
    );
    const shown = items.map((result) => {
      const deliveries = atProvider(ofResult.get(result.resultId) ?? [], query.provider);
      return views.resultView(result, { ...counted(deliveries), isDetailed: false });
    });
    return {
      items: shown,
      paging: cursorPaging(ctx.baseUrl + RESULTS, { query, ids: testIds, total }),
      total,
    };
  }),
  endpoint(resultContracts.getResult, async (ctx, { params, query }) => {
    const result = await actions.getResult(ctx, params.result);
    return {
      result: { ...(await detailed(ctx, result, query.provider)), comparison: await comparison(ctx, result, query) },
    };
  }),
  endpoint(resultContracts.deleteResult, async (ctx, { params, query }) => {
    if (query.provider === undefined) await actions.removeResult(ctx, params.result);
    else await actions.removeProvider(ctx, params.result, query.provider);
    return { message: 'The result was deleted.', Message: 'The result was deleted.' };
  }),
];

export const endpoints = [
  ...listEndpoints,
  ...resultEndpoints,
  endpoint(resultContracts.getSharing, async (ctx, { params }) =>
    views.sharingView(await actions.getResult(ctx, params.result), ctx.baseUrl),
  ),
  endpoint(resultContracts.updateSharing, async (ctx, { params, query }) =>
    views.sharingView(await actions.shareResult(ctx, params.result, query.enabled), ctx.baseUrl),
  ),
  endpoint(resultContracts.getPublicResult, async (ctx, { params }) => ({
    result: await detailed(ctx, await actions.openShared(ctx, params.shareid)),
  })),
  endpoint(resultContracts.listProviders, async (ctx) => ({
    items: (await listProviders(ctx, ctx.principal.accountId)).map(views.providerView),
  })),
];
