// What runs for as long as the process: events become sums, once a second.
import { messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { gatherFigures } from './gather.ts';

const POLL_MS = 1000;
const AGAIN_MS = 5000;
/** So many at once say that more are waiting: those of a few are written together, once a second. */
const FULL = 500;

/** Starts gathering. `close` ends what is under way. */
export function startGathering(doors: Pick<Outside, 'db' | 'events' | 'lists' | 'log'>): { close(): Promise<void> } {
  const { log } = doors;
  const closing = new AbortController();
  const { signal } = closing;
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      const wait = await gatherFigures(doors).then(
        (count) => (count >= FULL ? POLL_MS / 10 : POLL_MS),
        (error: unknown) => {
          log.warn({ message: messageOf(error) }, 'figures wait: they are gathered again');
          return AGAIN_MS;
        },
      );
      await pause(wait);
    }
  };
  const done = loop();
  return {
    async close() {
      closing.abort();
      await done;
    },
  };
}
