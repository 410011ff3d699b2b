import { defineExpiry } from '../../../platform/feature/retention.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { listRetentions } from '../events/index.ts';
import { deleteAttempts } from './attempts-store.ts';

const AT_ONCE = 5000;

/** Conversations go with the events of their message, before the message itself: it would take all of them at once. */
export const expire = defineExpiry({
  name: 'deliveries.expire',
  everySeconds: 3600,
  async run({ db, clock, config }, signal) {
    const endOf = async (days: number, accountId?: string): Promise<void> => {
      const before = daysAfter(clock.now(), -days);
      const about = { before, limit: AT_ONCE, ...(accountId !== undefined && { accountId }) };
      while (!signal.aborted && (await deleteAttempts(db, about)) === AT_ONCE);
    };
    await endOf(config.sending.eventDays);
    for (const { accountId, days } of await listRetentions(db))
      if (days < config.sending.eventDays) await endOf(days, accountId);
  },
});
