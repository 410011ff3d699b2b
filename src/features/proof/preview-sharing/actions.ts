import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { newUuid } from '../../../platform/ids/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { isAccountOpen } from '../../account/accounts/index.ts';
import { findTestOfAnyone, getTest, type PreviewTest } from '../previews/index.ts';
import { deleteShare, findShare, findShareByUuid, insertShare, updateShare, type PreviewShare } from './store.ts';

const LIFETIME_DAYS = 30;

/** A link lives thirty days, and never longer than its test. */
function expiry(now: Date, test: PreviewTest): Date {
  return new Date(Math.min(daysAfter(now, LIFETIME_DAYS).getTime(), test.expiresAt.getTime()));
}

export async function startShare(
  ctx: Pick<Context, 'db' | 'clock' | 'principal'>,
  testId: string,
): Promise<PreviewShare> {
  const test = await getTest(ctx, testId);
  const now = ctx.clock.now();
  return insertShare(ctx.db, test.accountId, {
    testId: test.id,
    uuid: newUuid(),
    isEnabled: true,
    expiresAt: expiry(now, test),
    createdAt: now,
  });
}

/** The share of a test of the caller's; `uuid`, when given, must be its current one. */
export async function getShare(
  ctx: Pick<Context, 'db' | 'principal'>,
  testId: string,
  uuid?: string,
): Promise<PreviewShare> {
  const test = await getTest(ctx, testId);
  const share = await findShare(ctx.db, test.accountId, test.id);
  if (!share) throw notFound('share of the test', testId);
  if (uuid !== undefined && uuid.toLowerCase() !== share.uuid)
    throw invalid('url_uuid', 'is not the current uuid of this share.');
  return share;
}

async function change(
  ctx: Pick<Context, 'db' | 'principal'>,
  share: PreviewShare,
  fields: Partial<PreviewShare>,
): Promise<PreviewShare> {
  const changed = await updateShare(ctx.db, ctx.principal.accountId, { ...share, ...fields });
  if (!changed) throw notFound('share of the test', share.testId);
  return changed;
}

export async function enableShare(
  ctx: Pick<Context, 'db' | 'principal'>,
  wanted: { testId: string; uuid?: string; isEnabled?: boolean },
): Promise<PreviewShare> {
  const share = await getShare(ctx, wanted.testId, wanted.uuid);
  return change(ctx, share, { isEnabled: wanted.isEnabled ?? !share.isEnabled });
}

export async function rotateShare(
  ctx: Pick<Context, 'db' | 'clock' | 'principal'>,
  testId: string,
  uuid?: string,
): Promise<PreviewShare> {
  const share = await getShare(ctx, testId, uuid);
  return change(ctx, share, { uuid: newUuid(), expiresAt: expiry(ctx.clock.now(), await getTest(ctx, testId)) });
}

export async function removeShare(
  ctx: Pick<Context, 'db' | 'principal'>,
  testId: string,
  uuid?: string,
): Promise<void> {
  const share = await getShare(ctx, testId, uuid);
  await deleteShare(ctx.db, ctx.principal.accountId, share.testId);
}

/** What a link shows. One that is disabled, unknown, or of a disabled account answers 404, an expired one 410. */
export async function openShare(
  ctx: Pick<Outside, 'db' | 'clock'>,
  uuid: string,
): Promise<{ share: PreviewShare; test: PreviewTest }> {
  const share = await findShareByUuid(ctx.db, uuid);
  const test = share?.isEnabled ? await findTestOfAnyone(ctx.db, share.testId) : undefined;
  if (!share || !test || !(await isAccountOpen(ctx, test.accountId))) throw notFound('shared test', uuid);
  if (share.expiresAt <= ctx.clock.now())
    throw new AppError('expired', 'This link has expired; ask its owner for a new one.');
  return { share, test };
}
