// The custom limit of messages in a calendar month: what goes over it is refused before it is taken, whole calls at a
// time; what was taken before is delivered.
import { AppError } from '../../../platform/errors/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { findAccount, getSubaccount } from '../accounts/index.ts';
import { messageLimitReached } from './facts.ts';
import * as store from './message-limits-store.ts';
import { monthEndOf, monthOf, type MessageLimit } from './message-limits-store.ts';

/** The published text, letter for letter. */
const MINIMUM = 1000;
const TOO_LITTLE = `The limit parameter minumum is ${MINIMUM}`;
/** Percent of a limit at which its owner is told. */
const SHARES = [100, 75, 50];

const textError = (code: 'invalid_request' | 'not_found', message: string): AppError => new AppError(code, message);

function usedUp(limit: MessageLimit, { domain, used, now }: { domain: string; used: number; now: Date }): AppError {
  const resetsAt = monthEndOf(now);
  const seconds = Math.ceil((resetsAt.getTime() - now.getTime()) / 1000);
  return new AppError(
    'too_many_requests',
    `Domain ${domain} is not allowed to send: the monthly limit of ${limit.maxMessages} messages is exceeded ` +
      `(${used} were accepted this month), try again after ${seconds} seconds. It resets at ${resetsAt.toISOString()}.`,
    {
      headers: { 'retry-after': String(seconds) },
      details: { limit: { limit: Number(limit.maxMessages), current: used, resets_at: resetsAt.toISOString() } },
    },
  );
}

/** Publishes that these messages brought a limit to one of its shares. */
async function tellShare(
  outside: Pick<Outside, 'facts'>,
  tx: Sql,
  {
    limit,
    accountId,
    before,
    used,
    now,
  }: { limit: MessageLimit; accountId: string; before: number; used: number; now: Date },
): Promise<void> {
  const max = Number(limit.maxMessages);
  const percent = SHARES.find(
    (share) => before < Math.ceil((max * share) / 100) && used >= Math.ceil((max * share) / 100),
  );
  if (percent === undefined) return;
  const resetsAt = monthEndOf(now).toISOString();
  await outside.facts.tell(tx, messageLimitReached, {
    account: limit.ownerId,
    payload: { ownerId: limit.ownerId, accountId: limit.accountId, sentBy: accountId, percent, used, max, resetsAt },
  });
}

/**
 * Counts messages, one for each recipient, in the transaction that takes them, as its last step. Throws
 * `too_many_requests` where that is more than a monthly limit lets through; the transaction must not go on then. Others
 * who send under a limit wait until the transaction ends, in every process.
 */
export async function countSent(
  outside: Pick<Outside, 'facts'>,
  tx: Sql,
  { accountId, domain, adding, now }: { accountId: string; domain: string; adding: number; now: Date },
): Promise<void> {
  const account = await findAccount(tx, accountId);
  if (!account) throw new Error(`The account ${accountId} of a message is missing.`);
  const month = monthOf(now);
  const holding = (await store.lockLimitsOn(tx, account))
    // What the parent says of this account, and what each says of itself.
    .filter((limit) => limit.accountId === accountId || limit.ownerId === limit.accountId);
  await store.addMessages(tx, accountId, { month, adding });
  for (const limit of holding) {
    const used = await store.countMessages(tx, limit.accountId, month);
    const isLifted = limit.liftedUntil !== null && limit.liftedUntil > now;
    if (used > Number(limit.maxMessages) && !isLifted) throw usedUp(limit, { domain, used: used - adding, now });
    await tellShare(outside, tx, { limit, accountId, before: used - adding, used, now });
  }
}

interface LimitView {
  limit: number;
  current: number;
  period: string;
}

async function viewOf(ctx: Pick<Context, 'db' | 'clock'>, limit: MessageLimit | undefined): Promise<LimitView> {
  if (!limit) throw textError('not_found', 'No threshold for account');
  const current = await store.countMessages(ctx.db, limit.accountId, monthOf(ctx.clock.now()));
  return { limit: Number(limit.maxMessages), current, period: '1m' };
}

function checkMax(max: number): void {
  if (max < MINIMUM) throw textError('invalid_request', TOO_LITTLE);
}

type Asking = Pick<Context, 'db' | 'clock' | 'principal'>;

/** The account's own limit, or else the one that its parent set on it. Throws `not_found`. */
export async function getOwnLimit(ctx: Asking): Promise<LimitView> {
  const [first] = await store.listMessageLimits(ctx.db, ctx.principal.accountId);
  return viewOf(ctx, first);
}

/** Throws `invalid_request` with the published text. */
export async function setOwnLimit(ctx: Asking, max: number): Promise<void> {
  checkMax(max);
  const { accountId } = ctx.principal;
  await store.putMessageLimit(ctx.db, { accountId, ownerId: accountId }, { max, now: ctx.clock.now() });
}

/** Throws `invalid_request` where there is none. */
export async function deleteOwnLimit(ctx: Asking): Promise<void> {
  const { accountId } = ctx.principal;
  if (!(await store.deleteMessageLimit(ctx.db, { accountId, ownerId: accountId })))
    throw textError('invalid_request', 'Could not delete threshold for account');
}

/**
 * Lets an account send on until the month ends, though its limits are used up. A subaccount lifts its own limit, its
 * parent those that it set, too. Throws `invalid_request` where nothing stops the account.
 */
export async function liftOwnLimits(ctx: Asking): Promise<void> {
  const { accountId, ownAccountId } = ctx.principal;
  const now = ctx.clock.now();
  const used = await store.countMessages(ctx.db, accountId, monthOf(now));
  const stopping = (await store.listMessageLimits(ctx.db, accountId)).filter(
    ({ ownerId, maxMessages, liftedUntil }) =>
      [accountId, ownAccountId].includes(ownerId) && used >= Number(maxMessages) && !(liftedUntil && liftedUntil > now),
  );
  if (stopping.length === 0)
    throw textError('invalid_request', 'Unable to re-enable account with current account disablement');
  for (const limit of stopping) await store.liftMessageLimit(ctx.db, limit, monthEndOf(now));
}

/** Of a subaccount, by its parent. Answers with the published text where it is none. */
async function placeOf(ctx: Asking, id: string, otherwise: string): Promise<{ accountId: string; ownerId: string }> {
  const account = await getSubaccount(ctx, id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') throw textError('invalid_request', otherwise);
    throw error;
  });
  return { accountId: account.id, ownerId: ctx.principal.accountId };
}

export async function getLimitOf(ctx: Asking, id: string): Promise<LimitView> {
  const place = await placeOf(ctx, id, 'Not a subaccount');
  const limits = await store.listMessageLimits(ctx.db, place.accountId);
  return viewOf(
    ctx,
    limits.find(({ ownerId }) => ownerId === place.ownerId),
  );
}

export async function setLimitOf(ctx: Asking, id: string, max: number): Promise<void> {
  checkMax(max);
  await store.putMessageLimit(ctx.db, await placeOf(ctx, id, 'Invalid subaccount ID'), { max, now: ctx.clock.now() });
}

export async function deleteLimitOf(ctx: Asking, id: string): Promise<void> {
  const place = await placeOf(ctx, id, 'Could not delete threshold for account');
  if (!(await store.deleteMessageLimit(ctx.db, place)))
    throw textError('invalid_request', 'Could not delete threshold for account');
}
