import { defineExpiry } from '../../../platform/feature/retention.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { listRetentions } from './store.ts';

/** Deletes events whose time has ended: whole days of everybody, and what accounts keep for less time. */
export const expire = defineExpiry({
  name: 'events.expire',
  everySeconds: 3600,
  async run({ db, events, clock, config }) {
    const daysAgo = (days: number): Date => daysAfter(clock.now(), -days);
    await events.prune(daysAgo(config.sending.eventDays));
    for (const { accountId, days } of await listRetentions(db))
      if (days < config.sending.eventDays) await events.prune(daysAgo(days), accountId);
  },
});
