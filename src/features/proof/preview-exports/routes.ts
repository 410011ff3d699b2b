import { AppError, notFound } from '../../../platform/errors/index.ts';
import { endpoint } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { isAccountOpen } from '../../account/accounts/index.ts';
import { findTestOfAnyone } from '../previews/index.ts';
import { getExport, getLatestExport, startExport } from './actions.ts';
import * as contracts from './contract.ts';
import { zipKey } from './jobs.ts';
import { findExportById, type PreviewExport } from './store.ts';

function view(made: PreviewExport, baseUrl: string) {
  return {
    job_id: made.id,
    test_id: made.testId,
    clients: made.clientIds,
    job_status: made.status,
    ...(made.status === 'Complete' && { zip_url: `${baseUrl}/files/exports/${made.id}` }),
    ...(made.status !== 'Processing' && { failed_clients: made.failedClientIds }),
    ...(made.error !== null && { error: { code: 'export_failed', message: made.error } }),
  };
}

export const endpoints = [
  endpoint(contracts.createExport, async (ctx, { params, body }) =>
    view(await startExport(ctx, params.test_id, body), ctx.baseUrl),
  ),
  endpoint(contracts.latestExport, async (ctx, { params }) =>
    view(await getLatestExport(ctx, params.test_id), ctx.baseUrl),
  ),
  endpoint(contracts.getExport, async (ctx, { params }) =>
    view(await getExport(ctx, params.test_id, params.job_id), ctx.baseUrl),
  ),
  endpoint(contracts.getZip, async (ctx, { params }) => {
    const made = await findExportById(ctx.db, params.job_id);
    const test = made?.status === 'Complete' ? await findTestOfAnyone(ctx.db, made.testId) : undefined;
    const isOpen = test !== undefined && (await isAccountOpen(ctx, test.accountId));
    const stored = made && isOpen ? await ctx.blobs.stream(zipKey(made)) : undefined;
    if (made && isOpen && !stored)
      throw new AppError('damaged', 'The stored zip of this export is missing; start the export again.');
    if (!made || !stored) throw notFound('export', params.job_id);
    return new HttpReply(stored.body, {
      'content-type': 'application/zip',
      'content-length': String(stored.sizeBytes),
      'content-disposition': `attachment; filename="previews-${made.testId}.zip"`,
    });
  }),
];
