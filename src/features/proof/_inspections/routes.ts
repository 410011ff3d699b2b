import { onePerCause } from '../../../engines/findings/index.ts';
import { nameOfEmail } from '../../../engines/html/index.ts';
import { REPORT_FORMATS, reportOf, writeReport } from '../../../engines/reports/index.ts';
import { AppError, notFound } from '../../../platform/errors/index.ts';
import { endpoint } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { getInspection, getReport, renameInspection } from './contract.ts';
import { findInspection, renameInspection as rename } from './store.ts';
import { nameView, TOOL } from './views.ts';

export const endpoints = [
  endpoint(getInspection, async (ctx, { params }) => {
    const found = await findInspection(ctx.db, ctx.principal.accountId, { id: params.id });
    if (!found) throw notFound('inspection', params.id);
    const { id, kind, status, version, findings, error, createdAt, updatedAt } = found;
    const view = {
      id,
      kind,
      name: nameView(found),
      status,
      version,
      findings: onePerCause(findings),
      error,
      created_at: createdAt.toISOString(),
      updated_at: updatedAt.toISOString(),
    };
    return new HttpReply(view, status === 'Processing' ? { 'retry-after': '1' } : {});
  }),
  endpoint(renameInspection, async (ctx, { params: { id }, body }) => {
    const name = nameOfEmail({ given: body.name });
    if (!(await rename(ctx.db, ctx.principal.accountId, { id, name }))) throw notFound('inspection', id);
    return { id, name };
  }),
  endpoint(getReport, async (ctx, { params, query }) => {
    const found = await findInspection(ctx.db, ctx.principal.accountId, { id: params.id });
    if (!found) throw notFound('inspection', params.id);
    const { kind, status, findings, error } = found;
    if (status === 'Processing')
      throw new AppError('too_early', 'The inspection is still running.', { headers: { 'retry-after': '1' } });
    const report = reportOf(findings, {
      email: query.name,
      kind,
      ...(status === 'Failed' && { error: error ?? 'It failed.' }),
    });
    return new HttpReply(writeReport(query.format, { tool: TOOL, emails: [report] }), {
      'content-type': REPORT_FORMATS[query.format].contentType,
    });
  }),
];
