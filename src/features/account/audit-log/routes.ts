import { endpoint } from '../../../platform/feature/index.ts';
import { streamedReply } from '../../../platform/http/index.ts';
import { cursorPaging } from '../../../platform/paging/index.ts';
import { checkExport, exportEntries, filterOf } from './actions.ts';
import * as contracts from './contract.ts';
import { listEntries } from './store.ts';
import { csvOf, entryView, jsonLinesOf } from './view.ts';

export const endpoints = [
  endpoint(contracts.listAudit, async (ctx, { query }) => {
    const { items, total } = await listEntries(ctx.db, await filterOf(ctx, query), query);
    const ids = items.map(({ id }) => id);
    const paging = cursorPaging(`${ctx.baseUrl}/v1/audit`, { query: { ...query }, ids, total });
    return { items: items.map(entryView), total, paging };
  }),
  endpoint(contracts.exportAudit, async (ctx, { query }) => {
    const filter = await filterOf(ctx, query);
    await checkExport(ctx, filter);
    const entries = exportEntries(ctx, filter);
    const isCsv = query.format === 'csv';
    const lines = isCsv ? csvOf(entries, query.separator) : jsonLinesOf(entries);
    const day = ctx.clock.now().toISOString().slice(0, 10);
    return streamedReply(lines, {
      'content-type': isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="audit-${day}.${query.format}"`,
    });
  }),
];
