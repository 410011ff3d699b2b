import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { listRetentions } from './store.ts';

/** Deletes events whose time has ended: whole days of everybody, and what accounts keep for less time. */
export const expire = defineJob({
  name: 'events.expire',
  payload: Type.Object({}),
  lane: 'quick',
  urgency: 'bulk',
  attempts: 1,
  timeoutMs: 300_000,
  everySeconds: 3600,
  async run({ db, events, clock, config }) {
    const daysAgo = (days: number): Date => daysAfter(clock.now(), -days);
    await events.prune(daysAgo(config.sending.eventDays));
    for (const { accountId, days } of await listRetentions(db))
      if (days < config.sending.eventDays) await events.prune(daysAgo(days), accountId);
  },
});
