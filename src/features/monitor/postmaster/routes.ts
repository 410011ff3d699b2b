import { endpoint } from '../../../platform/feature/index.ts';
import { countedPaging } from '../../../platform/paging/index.ts';
import { createConnection, keepUpload, removeConnection, syncConnection } from './actions.ts';
import * as own from './connection-contract.ts';
import { listConnections } from './connection-store.ts';
import * as contracts from './contract.ts';
import * as reading from './reading.ts';
import { connectionView } from './record-views.ts';

const google = [
  endpoint(contracts.listDomainRecords, (ctx, { query }) => reading.listDomainRecords(ctx, query)),
  endpoint(contracts.getDomainRecords, (ctx, { params, query }) => reading.getDomainRecords(ctx, params.domain, query)),
  endpoint(contracts.listAddressesOfDomain, (ctx, { params, query }) =>
    reading.listAddressesOfDomain(ctx, params.domain, query),
  ),
  endpoint(contracts.listAddressRecords, (ctx, { query }) => reading.listAddressRecords(ctx, query)),
  endpoint(contracts.getAddressRecords, (ctx, { params, query }) =>
    reading.getAddressRecords(ctx, params.address, query),
  ),
  endpoint(contracts.listLoops, (ctx, { query }) => reading.listLoops(ctx, query)),
  endpoint(contracts.getLoops, (ctx, { params, query }) => reading.getLoops(ctx, params.domain, query)),
  endpoint(contracts.listDomainNames, (ctx, { query }) => reading.listDomainNames(ctx, query)),
  endpoint(contracts.listAddressNames, (ctx, { query }) => reading.listAddressNames(ctx, query)),
  endpoint(contracts.getSummary, async (ctx, { query }) => {
    const { summary, errors, total } = await reading.summarizeDomains(ctx, query);
    return { summary, error_summary: errors, total };
  }),
  endpoint(contracts.getDomainsSummary, async (ctx, { query }) => {
    const { summary, total } = await reading.summarizeDomains(ctx, query);
    return { summary, total };
  }),
  endpoint(contracts.getErrorsSummary, async (ctx, { query }) => {
    const { errors, total } = await reading.summarizeDomains(ctx, query);
    return { summary: errors, total };
  }),
  endpoint(contracts.getAddressesSummary, (ctx, { query }) => reading.summarizeAddresses(ctx, query)),
];

const snds = [
  endpoint(contracts.listSnds, (ctx, { query: { offset, ...asked } }) =>
    reading.listSnds(ctx, { ...asked, skip: offset }),
  ),
  endpoint(contracts.getSnds, (ctx, { params, query }) => {
    const { Skip, SortBy, OrderBy, Search, ...asked } = query;
    const older = {
      ...(Skip !== undefined && { skip: Skip }),
      ...(SortBy !== undefined && { sortBy: SortBy }),
      ...(OrderBy !== undefined && { orderBy: OrderBy }),
      ...(Search !== undefined && { search: Search }),
    };
    return reading.listSnds(ctx, { ...asked, ...older }, params.ip);
  }),
];

const connections = [
  endpoint(own.listConnections, async ({ db, principal }) => ({
    items: (await listConnections(db, principal.accountId)).map(connectionView),
  })),
  endpoint(own.createConnection, async (ctx, { body }) => connectionView(await createConnection(ctx, body))),
  endpoint(own.deleteConnection, async (ctx, { params }) => {
    await removeConnection(ctx, params.connection_id);
    return { message: 'The connection has been deleted. Records that were read stay.' };
  }),
  endpoint(own.syncConnection, async (ctx, { params, body }) =>
    connectionView(await syncConnection(ctx, params.connection_id, body.days)),
  ),
  endpoint(own.uploadReport, async (ctx, { body }) => {
    const uploaded = await keepUpload(ctx, body);
    return { message: `${uploaded.records} records have been kept.`, ...uploaded };
  }),
  endpoint(own.listRecords, async (ctx, { query }) => {
    const { items, total } = await reading.listFigures(ctx, query);
    return { ...countedPaging(`${ctx.baseUrl}${own.listRecords.path}`, query, total), items };
  }),
  endpoint(own.getCompliance, (ctx, { params }) => reading.getCompliance(ctx, params.domain)),
];

export const endpoints = [...google, ...snds, ...connections];
