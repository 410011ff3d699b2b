// What runs for as long as the process, where a ClickHouse keeps the log: events that wait are sent there.
import { messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';

const POLL_MS = 1000;
const AGAIN_MS = 5000;

/** Starts sending. `close` ends what is under way. */
export function startSending({ config, events, log }: Pick<Outside, 'config' | 'events' | 'log'>): {
  close(): Promise<void>;
} {
  const closing = new AbortController();
  const { signal } = closing;
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      const wait = await events.send().then(
        (count) => (count > 0 ? 0 : POLL_MS),
        (error: unknown) => {
          log.warn({ message: messageOf(error) }, 'events wait: they are sent again');
          return AGAIN_MS;
        },
      );
      await pause(wait);
    }
  };
  const done = config.clickHouseUrl === undefined ? Promise.resolve() : loop();
  return {
    async close() {
      closing.abort();
      await done;
    },
  };
}
