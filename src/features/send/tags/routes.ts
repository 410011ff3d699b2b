import { endpoint } from '../../../platform/feature/index.ts';
import * as act from './actions.ts';
import * as contracts from './contract.ts';
import * as old from './old-contract.ts';

export const endpoints = [
  endpoint(contracts.queryTags, (ctx, { body }) => act.queryTags(ctx, body)),
  endpoint(contracts.updateTag, (ctx, { body: { tag, description = '' } }) => act.describe(ctx, { tag, description })),
  endpoint(contracts.deleteTag, (ctx, { body }) => act.remove(ctx, { tag: act.tagIn(body) })),
  endpoint(contracts.getTagLimits, (ctx) => act.tagLimits(ctx)),
  endpoint(old.listTags, (ctx, { params, query }) => act.showTags(ctx, params.domain, query)),
  endpoint(old.getTag, (ctx, { params, query }) => act.showTag(ctx, params.domain, query.tag)),
  endpoint(old.putTag, (ctx, { params: { domain }, query: { tag, description = '' } }) =>
    act.describe(ctx, { domain, tag, description }),
  ),
  endpoint(old.removeTag, (ctx, { params: { domain }, query: { tag } }) => act.remove(ctx, { domain, tag })),
  endpoint(old.getTagByName, (ctx, { params }) => act.showTag(ctx, params.domain, params.tag)),
  endpoint(old.putTagByName, (ctx, { params, body: { description = '' } }) =>
    act.describe(ctx, { ...params, description }),
  ),
  endpoint(old.removeTagByName, (ctx, { params }) => act.remove(ctx, params)),
  endpoint(old.getTagStats, (ctx, { params: { domain }, query: { tag, ...query } }) =>
    act.tagStats(ctx, { domain, tag }, query),
  ),
  endpoint(old.getTagStatsByName, (ctx, { params, query }) => act.tagStats(ctx, params, query)),
  endpoint(old.getTagAggregates, (ctx, { params: { domain }, query: { tag, type } }) =>
    act.tagAggregates(ctx, { domain, tag }, type),
  ),
  endpoint(old.getTagAggregatesByName, (ctx, { params: { type, ...place } }) => act.tagAggregates(ctx, place, type)),
  endpoint(old.NAMES.devices, (ctx, { params }) => act.namesOf(ctx, params.domain, 'device')),
  endpoint(old.NAMES.providers, (ctx, { params }) => act.namesOf(ctx, params.domain, 'provider')),
  endpoint(old.NAMES.countries, (ctx, { params }) => act.namesOf(ctx, params.domain, 'country')),
  endpoint(old.getTagLimit, (ctx, { params }) => act.domainTagLimit(ctx, params.domain)),
];
