// Batches are released or dropped: each once, whoever decides, and however many do at once.
import { AppError } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { callerName } from '../../../platform/http/index.ts';
import { settleBatch } from './settle.ts';
import * as store from './store.ts';
import type { Batch, ShownBatch } from './store.ts';

type Doors = Pick<Outside, 'db' | 'clock' | 'jobs'>;

interface Deciding {
  state: 'released' | 'dropped' | 'expired';
  by: string | null;
}

/** Undefined: it was decided before. */
export async function decideOn(
  { db, clock, jobs }: Doors,
  { accountId, id }: Pick<Batch, 'accountId' | 'id'>,
  { state, by }: Deciding,
): Promise<Batch | undefined> {
  const at = clock.now();
  const decided = await db.tx(async (tx) => {
    const batch = await store.decide(tx, { accountId, id }, { state, at, by });
    if (!batch) return undefined;
    await jobs.enqueue(tx, settleBatch, { payloads: [{ accountId, batchId: id }], account: accountId });
    return batch;
  });
  if (decided) jobs.wake();
  return decided;
}

const WORDS: Record<Batch['state'], string> = {
  sampling: 'waits for its first deliveries',
  held: 'is held',
  passed: 'has passed',
  released: 'was released already',
  dropped: 'was dropped already',
  expired: 'was dropped, because nobody decided in time',
};

/** Throws `not_found`. */
export async function getBatch({ db, principal }: Pick<Context, 'db' | 'principal'>, id: string): Promise<ShownBatch> {
  const found = /^\d{1,18}$/.test(id) ? await store.findBatch(db, principal.accountId, id) : undefined;
  if (!found) throw new AppError('not_found', 'This account has no batch with this id.');
  return found;
}

type Asking = Doors & Pick<Context, 'principal' | 'requestor'>;

/** By a person. Answers for how many it waited. Throws `not_found`, and `conflict` when it was decided before. */
export async function decideByHand(ctx: Asking, id: string, state: 'released' | 'dropped'): Promise<number> {
  const { principal } = ctx;
  const { waiting } = await getBatch(ctx, id);
  const by = callerName(ctx);
  if (await decideOn(ctx, { accountId: principal.accountId, id }, { state, by })) return waiting;
  const { state: before, decidedBy } = await getBatch(ctx, id);
  throw new AppError('conflict', `This batch ${WORDS[before]}${decidedBy === null ? '' : ` by ${decidedBy}`}.`);
}
