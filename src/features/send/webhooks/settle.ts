// The end of attempts: deliveries end or wait again, and URLs stand as their attempts say, in one transaction.
import type { Outside } from '../../../platform/feature/index.ts';
import { isSuccess, stateAfter, type Attempt } from '../../../platform/posting/index.ts';
import { cancelWaiting, lockUrl, saveStanding, settleDelivery, type WebhookDelivery } from './outbox-store.ts';
import { standingAfter } from './schedule.ts';

/** A delivery with the attempt that has just ended; undefined: there was nothing left to send. */
export interface Ended {
  delivery: WebhookDelivery;
  attempt: Attempt;
  /** The event is no longer kept, so that nothing was asked. */
  isGone?: boolean;
}

/** By URL, in a fixed order: two processes that lock several never wait for each other. */
function byUrl(ended: readonly Ended[]): [string, Ended[]][] {
  const groups = Map.groupBy(ended, ({ delivery }) => delivery.urlId);
  return [...groups].sort(([one], [other]) => Number(one) - Number(other));
}

/** Writes how attempts ended. What this process no longer holds is left as it is. */
export async function settle(
  { db, clock }: Pick<Outside, 'db' | 'clock'>,
  worker: string,
  ended: readonly Ended[],
): Promise<void> {
  const now = clock.now();
  await db.tx(async (tx) => {
    for (const [urlId, group] of byUrl(ended)) {
      const { accountId } = group[0]!.delivery;
      const before = await lockUrl(tx, accountId, urlId);
      const asked = group.filter(({ isGone }) => !isGone).map(({ attempt }) => attempt);
      const standing = before && standingAfter(before, asked, now);
      const isOver = !before?.isNamed || standing?.disabledAt !== null;
      for (const { delivery, attempt, isGone } of group) {
        const attempts = [...delivery.attempts, attempt];
        const after = isGone ? { state: 'failed' as const } : stateAfter(attempts, now);
        // Nothing more is sent there: what would have been tried again is not.
        const end = isOver && after.state === 'waiting' ? { state: 'canceled' as const } : after;
        await settleDelivery(tx, worker, { id: delivery.id, attempts, ...end });
      }
      const last = asked.at(-1);
      if (!standing || !last) continue;
      const isTaken = asked.some(({ code }) => isSuccess(code));
      await saveStanding(tx, accountId, { urlId, standing, last, ...(isTaken && { succeededAt: now }) });
      if (standing.disabledAt !== null) await cancelWaiting(tx, accountId, urlId);
    }
  });
}
