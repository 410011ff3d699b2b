import { endpoint } from '../../../platform/feature/index.ts';
import { domainsOf, entitiesOf, eventsOf, rulesOf, statsOf } from './actions.ts';
import * as contracts from './contract.ts';
import { listBounceMetrics } from './query.ts';
import { entityConfig, ruleConfig } from './rules.ts';

export const endpoints = [
  endpoint(contracts.queryBounces, (ctx, { body }) => listBounceMetrics(ctx, body)),
  endpoint(contracts.getBounceStats, (ctx, { query }) => statsOf(ctx, query)),
  endpoint(contracts.listBounceDomains, (ctx, { query }) => domainsOf(ctx, query)),
  endpoint(contracts.listBounceEntities, (ctx, { params, query }) => entitiesOf(ctx, params.domain, query)),
  endpoint(contracts.listBounceRules, (ctx, { params, query }) =>
    rulesOf(ctx, { domain: params.domain, entity: params.entity_id }, query),
  ),
  endpoint(contracts.listBounceEvents, (ctx, { params, query }) => eventsOf(ctx, params.domain, query)),
  endpoint(contracts.listEntityConfig, async () => entityConfig()),
  endpoint(contracts.listRuleConfig, async () => ruleConfig()),
];
