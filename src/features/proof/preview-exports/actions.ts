import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { newUuid } from '../../../platform/ids/index.ts';
import { admitWork } from '../../account/accounts/index.ts';
import { getTest, listResults } from '../previews/index.ts';
import { zipExport } from './jobs.ts';
import { countProcessing, findExport, findLatestExport, insertExport, type PreviewExport } from './store.ts';

export async function startExport(
  ctx: Pick<Context, 'config' | 'db' | 'jobs' | 'clock' | 'principal'>,
  testId: string,
  body: { clients: readonly string[]; test_id?: string },
): Promise<PreviewExport> {
  const test = await getTest(ctx, testId);
  if (body.test_id !== undefined && body.test_id !== testId)
    throw invalid('test_id', 'differs from the one in the path.');
  const clientIds = [...new Set(body.clients)];
  const known = new Set((await listResults(ctx.db, test.accountId, test.id)).map((result) => result.clientId));
  const unknown = clientIds.filter((id) => !known.has(id));
  if (unknown.length)
    throw new AppError('invalid_client', `clients names what is not part of this test: ${unknown.join(', ')}.`);
  await admitWork(ctx, test.accountId, { quota: 'exports', count: () => countProcessing(ctx.db, test.accountId) });
  const made: PreviewExport = {
    id: newUuid(),
    testId: test.id,
    clientIds,
    status: 'Processing',
    failedClientIds: [],
    error: null,
    createdAt: ctx.clock.now(),
  };
  await ctx.db.tx(async (tx) => {
    await insertExport(tx, made);
    await ctx.jobs.enqueue(tx, zipExport, { payloads: [{ exportId: made.id }], account: test.accountId });
  });
  ctx.jobs.wake();
  return made;
}

export async function getExport(
  ctx: Pick<Context, 'db' | 'principal'>,
  testId: string,
  id: string,
): Promise<PreviewExport> {
  const test = await getTest(ctx, testId);
  const found = await findExport(ctx.db, test.accountId, { testId: test.id, id });
  if (!found) throw notFound('export', id);
  return found;
}

export async function getLatestExport(ctx: Pick<Context, 'db' | 'principal'>, testId: string): Promise<PreviewExport> {
  const test = await getTest(ctx, testId);
  const found = await findLatestExport(ctx.db, test.accountId, test.id);
  if (!found) throw new AppError('not_found', 'This test has no export yet.');
  return found;
}
