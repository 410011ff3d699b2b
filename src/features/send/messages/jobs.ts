import { defineExpiry } from '../../../platform/feature/retention.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { releaseMessages } from '../../proof/_message/index.ts';
import { holderOf } from './content.ts';
import { answersSince } from './idempotency.ts';
import * as store from './store.ts';

const AT_ONCE = 500;

/** Lets go of contents whose time has ended, of answers to calls, and of messages without events. */
export const expire = defineExpiry({
  name: 'messages.expire',
  everySeconds: 600,
  async run(outside) {
    const { db, clock, config } = outside;
    const now = clock.now();
    for (let count = AT_ONCE; count === AT_ONCE;) {
      const expired = await store.listExpired(db, now, AT_ONCE);
      count = expired.length;
      for (const { key } of expired) await releaseMessages(outside, holderOf(key));
      await store.forgetContents(
        db,
        expired.map(({ id }) => id),
      );
    }
    await store.deleteAnswers(db, answersSince(now));
    // A day more than events are kept, which go by whole days.
    const before = daysAfter(now, -(config.sending.eventDays + 1));
    while ((await store.deleteOld(db, before, AT_ONCE)) === AT_ONCE);
  },
});
