// What runs for as long as the process: the log is followed, and what is due is sent.
import { messageOf } from '../../../platform/errors/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { followEvents } from './follower.ts';
import { cancelLeft, releaseLost } from './outbox-store.ts';
import { createSender, type SenderDoors } from './sender.ts';

const POLL_MS = 500;
const AGAIN_MS = 5000;
const RENEW_MS = 30_000;

/** Starts following and sending. `close` ends what is under way. */
export async function startWebhooks(doors: SenderDoors): Promise<{ close(): Promise<void> }> {
  const { db, clock, log } = doors;
  const closing = new AbortController();
  const { signal } = closing;
  let wake = Promise.withResolvers<void>();
  const sender = createSender(doors, () => wake.resolve());
  // Embedded, no other process can hold a delivery: what is marked as taken was cut off.
  await releaseLost(db, db.isEmbedded ? daysAfter(clock.now(), 1) : clock.now());
  await cancelLeft(db);
  const fault = (error: unknown): void =>
    log.warn({ message: messageOf(error) }, 'webhooks wait: they are tried again');
  const renewing = setInterval(() => void sender.renew().catch(fault), RENEW_MS);
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      wake = Promise.withResolvers<void>();
      const isFailed = await Promise.resolve()
        .then(() => followEvents(doors))
        .then(() => sender.begin())
        .then(() => false)
        .catch((error: unknown) => {
          fault(error);
          return true;
        });
      const timer = setTimeout(() => wake.resolve(), isFailed ? AGAIN_MS : POLL_MS);
      await wake.promise;
      clearTimeout(timer);
    }
  };
  const done = loop();
  return {
    async close() {
      closing.abort();
      wake.resolve();
      clearInterval(renewing);
      await done;
      await sender.close();
    },
  };
}
