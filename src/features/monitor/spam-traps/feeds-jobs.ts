import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { readFeed, takeDue } from './feeds.ts';

/** Reads one feed. */
export const readOne = defineJob({
  name: 'spam-traps.read-feed',
  payload: Type.Object({ accountId: Type.String(), id: Type.String() }),
  lane: 'net',
  urgency: 'bulk',
  attempts: 3,
  timeoutMs: 300_000,
  sameAs: ({ id }) => id,
  run: (outside, { accountId, id }, { signal }) => readFeed(outside, { accountId, id }, signal),
});

/** Queues feeds that are due: each once a day, or when it may be asked again. */
export const queueFeeds = defineJob({
  name: 'spam-traps.due-feeds',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 60,
  async run({ db, jobs, clock }) {
    const now = clock.now();
    await db.tx(async (tx) => {
      for (const { id, accountId } of await takeDue(tx, now))
        await jobs.enqueue(tx, readOne, { payloads: [{ accountId, id }], account: accountId });
    });
    jobs.wake();
  },
});
