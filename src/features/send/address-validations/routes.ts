import { notFound } from '../../../platform/errors/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { streamedReply } from '../../../platform/http/index.ts';
import { pivotPaging } from '../../../platform/paging/index.ts';
import { isAccountOpen } from '../../account/accounts/index.ts';
import { startJob, validateOne } from './actions.ts';
import * as bulk from './bulk-contract.ts';
import * as contracts from './contract.ts';
import { csvOf, jsonOf } from './results.ts';
import { countJobs, deleteJob, findJob, findJobById, listJobs, type ValidationJob } from './store.ts';
import { jobView, olderView, validationView } from './view.ts';

const missing = (name: string) => notFound('list', name);

/** The list whose results are there. Throws `not_found`. */
async function finished(ctx: Pick<Context, 'db' | 'config'>, id: string): Promise<ValidationJob> {
  const job = await findJobById(ctx.db, id);
  if (job?.status !== 'uploaded' || !(await isAccountOpen(ctx, job.accountId))) throw notFound('file of results', id);
  return job;
}

const headersOf = ({ name }: ValidationJob, form: 'csv' | 'json'): Record<string, string> => ({
  'content-type': form === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
  'content-disposition': `attachment; filename="${name.replaceAll(/[^\w.-]+/g, '-').slice(0, 80)}.${form}"`,
});

export const endpoints = [
  endpoint(contracts.validateAddress, async (ctx, { query }) =>
    validationView(await validateOne(ctx, ctx.principal.accountId, query.address)),
  ),
  endpoint(contracts.validatePostedAddress, async (ctx, { body }) =>
    validationView(await validateOne(ctx, ctx.principal.accountId, body.address)),
  ),
  endpoint(contracts.validateAddressV3, async (ctx, { query }) =>
    olderView(await validateOne(ctx, ctx.principal.accountId, query.address)),
  ),
  endpoint(contracts.validatePrivateAddressV3, async (ctx, { query }) =>
    olderView(await validateOne(ctx, ctx.principal.accountId, query.address)),
  ),
  endpoint(bulk.listValidationJobs, async ({ db, principal, baseUrl }, { query: { page, limit, pivot } }) => {
    const { accountId } = principal;
    const wanted = { page, limit, pivot };
    const jobs = await listJobs(db, accountId, wanted);
    const shown = jobs.map(({ name }) => name);
    return {
      jobs: jobs.map((job) => jobView(job, baseUrl)),
      paging: pivotPaging(`${baseUrl}/v4/address/validate/bulk`, { name: 'pivot', page: wanted, shown }),
      total: await countJobs(db, accountId),
    };
  }),
  endpoint(bulk.createValidationJob, async (ctx, { params: { list_id: name }, body }) => {
    const { accountId } = ctx.principal;
    const { addresses, skipped, problems } = await startJob(ctx, { accountId, name, given: body.file });
    const message = 'The validation job was submitted.';
    return { id: name, message, quantity: addresses.length, skipped, problems };
  }),
  endpoint(bulk.getValidationJob, async ({ db, principal, baseUrl }, { params: { list_id: name } }) => {
    const job = await findJob(db, principal.accountId, name);
    if (!job) throw missing(name);
    return jobView(job, baseUrl);
  }),
  endpoint(bulk.deleteValidationJob, async ({ db, principal }, { params: { list_id: name } }) => {
    if (!(await deleteJob(db, principal.accountId, name))) throw missing(name);
    return { message: 'Validation job canceled.' };
  }),
  endpoint(bulk.downloadCsv, async (ctx, { params }) => {
    const job = await finished(ctx, params.validation_id);
    return streamedReply(csvOf(ctx, job.id), headersOf(job, 'csv'));
  }),
  endpoint(bulk.downloadJson, async (ctx, { params }) => {
    const job = await finished(ctx, params.validation_id);
    return streamedReply(jsonOf(ctx, job.id), headersOf(job, 'json'));
  }),
];
