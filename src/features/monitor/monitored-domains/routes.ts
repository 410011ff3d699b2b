import { endpoint } from '../../../platform/feature/index.ts';
import { invalid } from '../../../platform/errors/index.ts';
import { pivotPaging, type Place } from '../../../platform/paging/index.ts';
import { unixSeconds } from '../../../platform/times/index.ts';
import { accountsOf } from '../blocklists/index.ts';
import { addDomain, queueVerification, removeDomain } from './actions.ts';
import * as contracts from './contract.ts';
import { listDomains, type MonitoredDomain } from './store.ts';
import { recordOf } from './verification.ts';

function view(domain: MonitoredDomain) {
  const isReady = domain.status === 'inbox_ready';
  return {
    acid: domain.id,
    ID: domain.id,
    name: domain.name,
    account_id: domain.accountId,
    created_at: unixSeconds(domain.createdAt),
    verified: { status: domain.status, verified_at: domain.verifiedAt ? unixSeconds(domain.verifiedAt) : 0 },
    services: { spam_trap_monitoring: isReady, domain_blocklist_monitoring: isReady },
    txt_record: recordOf(domain),
    problem: domain.problem,
  };
}

export const endpoints = [
  endpoint(contracts.listMonitored, async (ctx, { query }) => {
    const { page, limit, acid, domain, include_subaccounts: isIncluding } = query;
    if ((page === 'next' || page === 'previous') && !acid)
      throw invalid('acid', 'is required where page is next or previous.');
    const place: Place = page === 'first' || page === 'last' ? { page } : { page, at: [acid as string] };
    const name = domain?.trim().toLowerCase();
    const items = await listDomains(ctx.db, await accountsOf(ctx, isIncluding), { name, place, limit });
    const paging = pivotPaging(`${ctx.baseUrl}/v1/optimize/domains`, {
      name: 'acid',
      page: { page, limit, pivot: acid },
      shown: items.map(({ id }) => id),
      conditions: { domain: name, ...(isIncluding && { include_subaccounts: true }) },
    });
    return { items: items.map(view), paging };
  }),
  endpoint(contracts.addMonitored, async (ctx, { query, body }) => {
    const domain = await addDomain(ctx, ctx.principal.accountId, query.domain ?? body.domain);
    return { domain: view(domain), message: 'The domain has been added' };
  }),
  endpoint(contracts.deleteMonitored, async (ctx, { query }) => {
    const name = await removeDomain(ctx, ctx.principal.accountId, query.domain);
    return { message: `${name} has been removed from InboxReady` };
  }),
  endpoint(contracts.verifyMonitored, async (ctx, { query, body }) => {
    const name = await queueVerification(ctx, ctx.principal.accountId, query.domain ?? body.domain);
    return { message: `${name} has been queued for verification` };
  }),
];
