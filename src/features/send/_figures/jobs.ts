import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { deleteOldSums, makeSpans } from '../../../platform/figures/index.ts';
import { defineExpiry } from '../../../platform/feature/retention.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { COUNTERS } from './counters.ts';
import { DAYS_KEPT, HOURS_KEPT_DAYS } from './read.ts';

const ROWS_AT_ONCE = 5000;

/** Deletes sums whose time has ended, and who opened what when events of then are gone. */
export const expire = defineExpiry({
  name: 'figures.expire',
  everySeconds: 3600,
  async run({ db, clock, config }, signal) {
    const now = clock.now();
    const before = {
      hours: daysAfter(now, -HOURS_KEPT_DAYS),
      days: daysAfter(now, -DAYS_KEPT),
      firsts: daysAfter(now, -config.sending.eventDays),
    };
    for (let count = ROWS_AT_ONCE; count === ROWS_AT_ONCE && !signal.aborted;)
      count = await db.tx((tx) => deleteOldSums(tx, { ...before, limit: ROWS_AT_ONCE }));
  },
});

/** Makes sums of several days, of days that are over; what one run leaves is for the next. */
export const makeSpanSums = defineJob({
  name: 'figures.span',
  payload: Type.Object({}),
  lane: 'quick',
  urgency: 'bulk',
  attempts: 1,
  timeoutMs: 300_000,
  everySeconds: 900,
  run: ({ db, clock }, _payload, { signal }) => {
    const now = clock.now();
    return makeSpans(db, { since: daysAfter(now, -DAYS_KEPT), now, counters: COUNTERS }, signal);
  },
});
