// Hands over what waits in a spool: at once, several at a time, again when it failed, and aside when it never succeeds.
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, isPassing, messageOf } from '../errors/index.ts';
import type { Log } from '../log/index.ts';
import type { Spool, Spooled } from './spool.ts';

export interface DrainOptions {
  spool: Spool;
  /**
   * Done when it resolves. A rejection with an AppError of a 4xx status (not `too_many_requests`) says that trying
   * again is of no use. Never runs twice at once for one id, but may get one again after a crash.
   */
  handle(message: Spooled): Promise<void>;
  /**
   * Where a message goes that cannot be handled: `<id>.eml`, and `<id>.json` with what is known of it and the reason.
   */
  asideDir: string;
  log: Log;
  concurrency?: number;
  /** Before the second attempt, the third, and so on; after the last the message is set aside. */
  retryWaitsMs?: readonly number[];
}

export interface Drain {
  /** Hands over a message that was appended. */
  take(id: string): void;
  /** Starts no more messages, and waits at most this long for those under way; the rest wait for the next start. */
  close(drainMs: number): Promise<void>;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Ten attempts in some four hours. After a restart they are counted anew: it is what mends most failures. */
const RETRY_WAITS_MS = [
  SECOND,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  60 * MINUTE,
  120 * MINUTE,
];
const CONCURRENCY = 4;
const AWAY_WAIT_MS = 3 * SECOND;

/** Starts to hand over messages, first those that wait already. */
export function drainSpool({ concurrency = CONCURRENCY, ...options }: DrainOptions): Drain {
  const { spool, log } = options;
  const ready = new Set(spool.waiting());
  const running = new Set<Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  let isClosing = false;
  const later = (waitMs: number, work: () => void): void => {
    if (isClosing) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, waitMs);
    timers.add(timer);
  };
  const failures = new Map<string, number>();
  const attempt = async (id: string): Promise<void> => {
    const waitMs = await handOver(id, failures, options);
    if (waitMs !== undefined) later(waitMs, () => take(id));
  };
  const proceed = (): void => {
    for (const id of ready) {
      if (isClosing || running.size >= concurrency) return;
      ready.delete(id);
      const work = attempt(id)
        .catch((error: unknown) =>
          log.error({ err: error, id }, 'a spooled message was handled, but that could not be noted'),
        )
        .finally(() => {
          running.delete(work);
          proceed();
        });
      running.add(work);
    }
  };
  const take = (id: string): void => {
    ready.add(id);
    proceed();
  };
  proceed();
  return {
    take,
    async close(drainMs) {
      isClosing = true;
      for (const timer of timers) clearTimeout(timer);
      const waiting = new AbortController();
      await Promise.race([
        Promise.all(running),
        pause(drainMs, undefined, { signal: waiting.signal }).catch(() => undefined),
      ]);
      waiting.abort();
    },
  };
}

/** Makes one attempt. Returns the wait before the next one; undefined when no other is needed. */
async function handOver(
  id: string,
  failures: Map<string, number>,
  options: Omit<DrainOptions, 'concurrency'>,
): Promise<number | undefined> {
  const { spool, log, retryWaitsMs = RETRY_WAITS_MS } = options;
  let message: Spooled | undefined;
  try {
    message = await spool.read(id);
    if (message) await options.handle(message);
  } catch (error) {
    // A database that is away is no fault of the message: it waits as long as that takes.
    const isAway = isPassing(error);
    const count = (failures.get(id) ?? 0) + (isAway ? 0 : 1);
    failures.set(id, count);
    const waitMs = isAway ? AWAY_WAIT_MS : isHopeless(error) ? undefined : retryWaitsMs[count - 1];
    if (waitMs !== undefined || !message) {
      log.warn({ err: error, id, attempt: count, waitMs }, 'a spooled message could not be handled yet');
      return waitMs ?? retryWaitsMs.at(-1);
    }
    try {
      await setAside(message, error, options);
    } catch (failure) {
      log.error({ err: failure, id }, 'a message that cannot be handled could not be set aside; it stays in the spool');
      return retryWaitsMs.at(-1);
    }
  }
  failures.delete(id);
  await spool.done(id);
  return undefined;
}

function isHopeless(error: unknown): boolean {
  return error instanceof AppError && error.status < 500 && error.code !== 'too_many_requests';
}

async function setAside(
  { id, about, raw }: Spooled,
  error: unknown,
  { asideDir, log }: Pick<DrainOptions, 'asideDir' | 'log'>,
): Promise<void> {
  await mkdir(asideDir, { recursive: true, mode: 0o700 });
  const path = join(asideDir, `${id}.eml`);
  await writeDurably(path, raw);
  await writeDurably(
    join(asideDir, `${id}.json`),
    Buffer.from(`${JSON.stringify({ id, about, reason: messageOf(error) }, null, 2)}\n`),
  );
  log.error({ err: error, id, path }, 'a message cannot be handled and was set aside');
}

async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
