// Content checks of a test that is there: what was not asked for when it was made.
import type { Outside } from '../../../platform/feature/index.ts';
import { notFound } from '../../../platform/errors/index.ts';
import { missingChecks, removeChecks, startChecks, type ContentChecks } from '../_content-checking/index.ts';
import { readSourceOf } from './sources.ts';
import { lockChecks, saveChecks, type PreviewTest } from './store.ts';

/** Starts the checks that are wanted and not there, on the source as it was given. Throws `not_found`. */
export async function addChecks(
  ctx: Pick<Outside, 'config' | 'db' | 'jobs' | 'blobs' | 'clock' | 'log' | 'lists'>,
  test: PreviewTest,
  wanted: Record<string, boolean>,
): Promise<PreviewTest> {
  const { id, accountId, subject, contentChecking: before } = test;
  const missing = await missingChecks(ctx, { accountId, checks: before, wanted });
  if (Object.keys(missing).length === 0) return test;
  const body = await readSourceOf(ctx, test);
  const email = { kind: test.source, url: test.sourceUrl, body, subject };
  const started = await startChecks(ctx, accountId, { email, wanted: missing });
  const kept = await keepChecks(ctx, test, started);
  await removeChecks(ctx, accountId, kept?.left ?? started);
  if (!kept) throw notFound('preview test', id);
  return { ...test, contentChecking: kept.checks };
}

/**
 * What the test refers to from now on, and the checks that nobody refers to. Undefined: the test was deleted meanwhile.
 */
async function keepChecks(
  { db }: Pick<Outside, 'db'>,
  { id, accountId, contentChecking: before }: PreviewTest,
  started: ContentChecks,
): Promise<{ checks: ContentChecks; left: ContentChecks } | undefined> {
  return db.tx(async (tx) => {
    const now = await lockChecks(tx, accountId, id);
    if (!now) return undefined;
    const [checks, left]: [ContentChecks, ContentChecks] = [{ ...now }, {}];
    for (const name of Object.keys(started)) {
      // Of two callers at once the second keeps what the first has started.
      const isOurs = JSON.stringify(now[name] ?? null) === JSON.stringify(before[name] ?? null);
      if (isOurs) checks[name] = started[name] ?? null;
      left[name] = (isOurs ? now[name] : started[name]) ?? null;
    }
    await saveChecks(tx, accountId, { id, checks });
    return { checks, left };
  });
}
