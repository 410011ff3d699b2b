// Tells whoever watches a test how far it is, as server-sent events: one look at the database for all who watch it in
// this process.
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { checksView, inspectionsOf } from '../_content-checking/index.ts';
import { findInfo, type TestInfo } from './info-store.ts';
import type { PreviewTest } from './store.ts';
import { progressView } from './view.ts';

const LOOK_MS = 250;
const HEARTBEAT_MS = 15_000;
/** A stream ends after that, whatever becomes of the test. */
const LASTS_MS = 30 * 60_000;
/** A test that has ended is watched so much longer at most, until its pictures are compared. */
const COMPARED_MS = 10_000;
/** Streams of one account in this process. */
const STREAMS_MAX = 20;
/** What a reader has not taken by then is not added to: a later event says as much. */
const UNREAD_BYTES_MAX = 64 * 1024;

type Doors = Pick<Context, 'db' | 'lists' | 'log' | 'closing' | 'isStillAdmitted' | 'principal'>;

interface Watcher extends Pick<Doors, 'isStillAdmitted'> {
  stream: Readable;
  since: number;
}

function event(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}

/** All who watch one test. */
class Watch {
  readonly #doors: Doors;
  readonly #id: string;
  readonly #watchers = new Set<Watcher>();
  /** Nobody is told anything any more. */
  isDone = false;
  #last = '';
  #overSince: number | undefined;
  #heartbeatAt = performance.now();

  constructor(doors: Doors, id: string) {
    this.#doors = doors;
    this.#id = id;
  }

  add(watcher: Watcher): void {
    this.#watchers.add(watcher);
    watcher.stream.on('close', () => this.#watchers.delete(watcher));
    if (this.#last) watcher.stream.push(this.#last);
  }

  /** Resolves when nobody watches any more, or nothing more is to come. */
  async run(): Promise<void> {
    const { closing, log } = this.#doors;
    try {
      while (this.#watchers.size > 0 && !closing.aborted) {
        await this.#leaveOut();
        if (await this.#look()) break;
        await delay(LOOK_MS, undefined, { signal: closing }).catch(() => undefined);
      }
    } catch (error) {
      // Whoever watches asks in another way, or again.
      log.warn({ testId: this.#id, err: error }, 'the progress of a test could not be followed');
    }
    this.isDone = true;
    for (const { stream } of this.#watchers) stream.push(null);
    this.#watchers.clear();
  }

  /** Ends the streams of those whose session has ended or whose key was revoked, and those that are too old. */
  async #leaveOut(): Promise<void> {
    for (const watcher of this.#watchers) {
      const isOld = performance.now() - watcher.since > LASTS_MS;
      if (!isOld && (await watcher.isStillAdmitted())) continue;
      watcher.stream.push(null);
      this.#watchers.delete(watcher);
    }
  }

  /** True: the stream ends with this. */
  async #look(): Promise<boolean> {
    const { db, lists, principal } = this.#doors;
    const info = await findInfo(db, principal.accountId, this.#id);
    if (!info) return this.#send(event('deleted', '{}'), true);
    const { accountId, contentChecking: checks } = info;
    const hasChecks = Object.keys(checks).length > 0;
    const inspections = hasChecks ? await inspectionsOf(db, { accountId, checks }) : new Map();
    const progress = event('progress', JSON.stringify(progressView(info, checksView(lists, checks, inspections))));
    if (progress !== this.#last) this.#send(progress);
    else if (performance.now() - this.#heartbeatAt > HEARTBEAT_MS) this.#send(': still here\n\n');
    this.#last = progress;
    const isChecking = [...inspections.values()].some(({ status }) => status === 'Processing');
    return this.#isOver(info, isChecking) && this.#send(event('end', '{}'), true);
  }

  #isOver({ processing, isCompared }: TestInfo, isChecking: boolean): boolean {
    if (processing.length > 0 || isChecking) {
      this.#overSince = undefined;
      return false;
    }
    this.#overSince ??= performance.now();
    return isCompared || performance.now() - this.#overSince > COMPARED_MS;
  }

  #send(text: string, isLast = false): true {
    this.#heartbeatAt = performance.now();
    for (const { stream } of this.#watchers) if (isLast || stream.readableLength < UNREAD_BYTES_MAX) stream.push(text);
    return true;
  }
}

/** What is watched here: a test is looked at once, however many watch it. */
const watches = new Map<string, Watch>();
const streams = new Map<string, number>();

/** The events of a test. Throws `too_many_requests` where its account has too many streams open. */
export function watchTest(doors: Doors, { id, accountId }: Pick<PreviewTest, 'id' | 'accountId'>): HttpReply {
  const open = streams.get(accountId) ?? 0;
  if (open >= STREAMS_MAX)
    throw new AppError(
      'too_many_requests',
      `${open} streams of events of this account are open, and no more may be. Ask GET /v2/preview/tests/${id} instead.`,
      { headers: { 'retry-after': '10' } },
    );
  const stream = new Readable({ read() {} });
  streams.set(accountId, open + 1);
  stream.on('close', () => {
    const left = (streams.get(accountId) ?? 1) - 1;
    if (left > 0) streams.set(accountId, left);
    else streams.delete(accountId);
  });
  stream.push(': the progress of a test\n\n');
  const known = watches.get(id);
  const watch = known && !known.isDone ? known : new Watch(doors, id);
  watch.add({ stream, since: performance.now(), isStillAdmitted: doors.isStillAdmitted });
  if (watch !== known) {
    watches.set(id, watch);
    void watch.run().finally(() => {
      if (watches.get(id) === watch) watches.delete(id);
    });
  }
  return new HttpReply(stream, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    // A connection that is kept when its stream ends would hold up the end of the service.
    connection: 'close',
    // For proxies that would keep events back.
    'x-accel-buffering': 'no',
  });
}
