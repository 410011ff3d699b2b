import { useEffect, useState } from 'react';
import { readEvents, type LogsBody, type SendEvent } from '../../../shared/send/send-api.ts';

const POLL_MS = 2000;
const AGAIN_MS = 5000;
/** Older ones go, so that a page that is left open does not grow for ever. */
export const TAIL_MAX = 500;

interface Tail {
  /** Newest first. */
  events: SendEvent[];
  /** Why it could not be asked at the moment; it goes on by itself. */
  error: unknown;
}

const NOTHING: Tail = { events: [], error: undefined };

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}

/** Events that happen from now on, while it is on. What fails is tried again, from where it was. */
export function useLiveTail(body: LogsBody, isOn: boolean): Tail {
  const [tail, setTail] = useState(NOTHING);
  const asked = JSON.stringify(body);
  useEffect(() => {
    setTail(NOTHING);
    if (!isOn) return undefined;
    const leaving = new AbortController();
    const { signal } = leaving;
    const { end: _end, ...rest } = JSON.parse(asked) as LogsBody;
    const follow = async (): Promise<void> => {
      let since: LogsBody | undefined;
      for (let token: string | undefined; !signal.aborted;) {
        try {
          // By the clock of the service: the reader's may be off.
          since ??= { ...rest, start: (await readEvents(rest, { sort: 'desc', limit: 1 }, signal)).end };
          const page = await readEvents(since, { sort: 'asc', token, limit: 100 }, signal);
          token = page.pagination.next;
          const newest = page.items.toReversed();
          setTail(({ events }) => ({ events: [...newest, ...events].slice(0, TAIL_MAX), error: undefined }));
          await wait(POLL_MS, signal);
        } catch (error) {
          if (signal.aborted) return;
          setTail((before) => ({ ...before, error }));
          await wait(AGAIN_MS, signal);
        }
      }
    };
    void follow();
    return () => leaving.abort();
  }, [asked, isOn]);
  return tail;
}
