// Limits stop what they limit: a use is counted in the transaction of what uses it, and refused where that is more than
// a limit lets through.
import { AppError } from '../../../platform/errors/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { SmtpRefusal } from '../../../platform/mail/index.ts';
import { notEnabled, type Product } from '../../../platform/http/index.ts';
import { findAccount } from '../accounts/index.ts';
import { limitReached } from './facts.ts';
import { addUses, findUses, listLimitsFor, windowOf, type Holding, type UseMetric, type UsePeriod } from './store.ts';

/** What an account needs to have for a use. */
const PRODUCT_OF: Readonly<Record<UseMetric, Product>> = {
  email_preview_success_count: 'email_preview',
  seed_test_count: 'inbox_placement',
  email_validation_count: 'validations',
};

/** What the uses of a metric are called. */
export const USE_WORDS: Readonly<Record<UseMetric, string>> = {
  email_preview_success_count: 'preview tests',
  seed_test_count: 'seed tests',
  email_validation_count: 'email validations',
};

const A: Readonly<Record<UsePeriod, string>> = { hour: 'an hour', day: 'a day', month: 'a month' };

interface Use {
  accountId: string;
  metric: UseMetric;
  /** How many at once. Default: one. */
  adding?: number;
}

/** A limit is used up. */
class LimitUsedUp extends AppError {
  constructor({ name, maxUses, period }: Holding, { metric, now }: { metric: UseMetric; now: Date }) {
    const resetsAt = windowOf(now, period).until.toISOString();
    super(
      'forbidden',
      `The limit "${name}" on ${USE_WORDS[metric]} is used up: ${maxUses} ${A[period]} (UTC). ` +
        `It resets at ${resetsAt}.`,
      { details: { limit: { name, metric, value: maxUses, resets_at: resetsAt } } },
    );
  }

  /** For mail that comes in: the sender's server tries again later. */
  asReply(): SmtpRefusal {
    return new SmtpRefusal(450, `4.7.1 ${this.message}`);
  }
}

/** The limits that hold for a use. Throws `forbidden` where the account has the product switched off. */
async function limitsOn(on: Sql, { accountId, metric }: Use): Promise<Holding[]> {
  const account = await findAccount(on, accountId);
  if (account?.switchedOff.includes(PRODUCT_OF[metric])) throw notEnabled(PRODUCT_OF[metric]);
  return listLimitsFor(on, { accountId, metric });
}

/** The limit that is used up, if one is, as the error that says so. */
async function findUsedUp(outside: Pick<Outside, 'db' | 'clock'>, use: Use): Promise<LimitUsedUp | undefined> {
  const limits = await limitsOn(outside.db, use);
  if (limits.length === 0) return undefined;
  const now = outside.clock.now();
  const used = await findUses(outside.db, use.accountId, { metric: use.metric, now });
  const full = limits.find(({ period, maxUses }) => (used.get(period) ?? 0) + (use.adding ?? 1) > maxUses);
  return full && new LimitUsedUp(full, { metric: use.metric, now });
}

/**
 * Looks before anything is begun: throws `forbidden` where a limit is used up, with its name, its value and when it
 * resets. {@link countUse} decides.
 */
export async function checkUse(outside: Pick<Outside, 'db' | 'clock'>, use: Use): Promise<void> {
  const full = await findUsedUp(outside, use);
  if (full) throw full;
}

/** The highest share that these uses have brought a limit to, of those at which its owner is told. */
function reachedShare(
  { maxUses, firstWarning, secondWarning }: Holding,
  { before, used }: { before: number; used: number },
): number | undefined {
  const shares = [100, secondWarning, firstWarning].filter((share) => share !== null);
  return shares
    .toSorted((one, other) => other - one)
    .find((share) => {
      const at = Math.max(1, Math.ceil((maxUses * share) / 100));
      return before < at && used >= at;
    });
}

/**
 * Counts a use in the transaction of what uses it, as its last step: others who count for the account wait until the
 * transaction ends, so that many at once get exactly as many as a limit lets through. Throws `forbidden` as
 * {@link checkUse} does; the transaction must not go on then. Call `jobs.wake()` after its commit.
 */
export async function countUse(outside: Pick<Outside, 'clock' | 'facts'>, tx: Sql, use: Use): Promise<void> {
  const { accountId, metric, adding = 1 } = use;
  const now = outside.clock.now();
  const limits = await addUses(tx, accountId, { metric, adding, now });
  const full = limits.find(({ used, maxUses }) => used > maxUses);
  if (full) throw new LimitUsedUp(full, { metric, now });
  for (const limit of limits) {
    const { used } = limit;
    const percent = reachedShare(limit, { before: used - adding, used });
    if (percent === undefined) continue;
    const resetsAt = windowOf(now, limit.period).until.toISOString();
    await outside.facts.tell(tx, limitReached, {
      account: limit.accountId,
      payload: { limitId: limit.id, ownerId: limit.accountId, accountId, percent, used, resetsAt },
    });
  }
}

/** What the sender of mail is told: to come again, where a limit is used up; else that it is not taken. */
function replyOf(error: unknown): SmtpRefusal | undefined {
  if (error instanceof LimitUsedUp) return error.asReply();
  const isRefused = error instanceof AppError && error.code === 'forbidden';
  return isRefused ? new SmtpRefusal(550, `5.7.1 ${error.message}.`) : undefined;
}

/** Work for mail that comes in: a used-up limit is a refusal of the mail, for now; so is a product switched off. */
export async function refusingMail<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw replyOf(error) ?? error;
  }
}

/** What mail that would be a use is answered with, if it is refused. */
export async function findRefusal(outside: Pick<Outside, 'db' | 'clock'>, use: Use): Promise<SmtpRefusal | undefined> {
  try {
    await checkUse(outside, use);
    return undefined;
  } catch (error) {
    const reply = replyOf(error);
    if (!reply) throw error;
    return reply;
  }
}
