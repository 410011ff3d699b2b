import { onePerCause } from '../../../engines/findings/index.ts';
import { nameOfEmail } from '../../../engines/html/index.ts';
import { REPORT_FORMATS } from '../../../engines/reports/index.ts';
import { AppError, notFound } from '../../../platform/errors/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { getInspection, getReport, renameInspection } from './contract.ts';
import { writeFindings } from './computations.ts';
import { findInspections, renameInspection as rename, type Inspection } from './store.ts';
import { nameView } from './views.ts';

/** A report of fewer is written at once. */
const WRITTEN_AT_ONCE = 500;

/** Its findings, and nothing of its result. Throws `not_found`. */
async function getFindings(ctx: Pick<Context, 'db' | 'principal'>, id: string): Promise<Inspection> {
  const { accountId } = ctx.principal;
  const [found] = await findInspections(ctx.db, { accountId, ids: [id] }, { findings: true });
  if (!found) throw notFound('inspection', id);
  return found;
}

export const endpoints = [
  endpoint(getInspection, async (ctx, { params }) => {
    const found = await getFindings(ctx, params.id);
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
    const { kind, status, findings, error } = await getFindings(ctx, params.id);
    if (status === 'Processing')
      throw new AppError('too_early', 'The inspection is still running.', { headers: { 'retry-after': '1' } });
    const about = { email: query.name, kind, ...(status === 'Failed' && { error: error ?? 'It failed.' }) };
    const given = { format: query.format, findings, about };
    const report =
      findings.length > WRITTEN_AT_ONCE
        ? await ctx.compute.run(writeFindings, given, { urgency: 'answer' })
        : await writeFindings.run(given);
    return new HttpReply(report, {
      'content-type': REPORT_FORMATS[query.format].contentType,
    });
  }),
];
