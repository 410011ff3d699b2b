// Tells whoever watches a test how far it is, as server-sent events: one look at the database for all who watch it in
// this process.
import { AppError } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { eventStream, type EventStream, type HttpReply } from '../../../platform/http/index.ts';
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

type Doors = Pick<Context, 'db' | 'lists' | 'log' | 'closing' | 'isStillAdmitted' | 'principal'>;

interface Watcher extends Pick<Doors, 'isStillAdmitted'> {
  stream: EventStream;
  since: number;
  /** It was not told the last change. */
  isBehind: boolean;
}

/** All who watch one test. */
class Watch {
  readonly #doors: Doors;
  readonly #id: string;
  readonly #watchers = new Set<Watcher>();
  /** Nobody is told anything any more. */
  isDone = false;
  /** What was told last, and the same as text. */
  #last: object | undefined;
  #lastText = '';
  #overSince: number | undefined;
  #heartbeatAt = performance.now();

  constructor(doors: Doors, id: string) {
    this.#doors = doors;
    this.#id = id;
  }

  add(watcher: Watcher): void {
    this.#watchers.add(watcher);
    watcher.stream.onClose(() => this.#watchers.delete(watcher));
    if (this.#last) watcher.stream.send('progress', this.#last);
  }

  /** Resolves when nobody watches any more, or nothing more is to come. */
  async run(): Promise<void> {
    const { closing, log } = this.#doors;
    try {
      while (this.#watchers.size > 0 && !closing.aborted) {
        await this.#leaveOut();
        if (await this.#look()) break;
        await new Promise((resolve) => void setTimeout(resolve, LOOK_MS));
      }
    } catch (error) {
      // Whoever watches asks in another way, or again.
      log.warn({ testId: this.#id, err: error }, 'the progress of a test could not be followed');
    }
    this.isDone = true;
    for (const { stream } of this.#watchers) stream.end();
    this.#watchers.clear();
  }

  /** Ends the streams of those whose session has ended or whose key was revoked, and those that are too old. */
  async #leaveOut(): Promise<void> {
    for (const watcher of this.#watchers) {
      const isOld = performance.now() - watcher.since > LASTS_MS;
      if (!isOld && (await watcher.isStillAdmitted())) continue;
      watcher.stream.end();
      this.#watchers.delete(watcher);
    }
  }

  /** True: the stream ends with this. */
  async #look(): Promise<boolean> {
    const { db, lists, principal } = this.#doors;
    const info = await findInfo(db, principal.accountId, this.#id);
    if (!info) return this.#sendLast('deleted');
    const { accountId, contentChecking: checks } = info;
    const hasChecks = Object.keys(checks).length > 0;
    const inspections = hasChecks ? await inspectionsOf(db, { accountId, checks }) : new Map();
    const progress = progressView(info, checksView(lists, checks, inspections));
    const text = JSON.stringify(progress);
    if (text !== this.#lastText) this.#tell(progress);
    else if (performance.now() - this.#heartbeatAt > HEARTBEAT_MS) this.#beat();
    [this.#last, this.#lastText] = [progress, text];
    const isChecking = [...inspections.values()].some(({ status }) => status === 'Processing');
    return this.#isOver(info, isChecking) && this.#sendLast('end');
  }

  #isOver({ processing, isCompared }: TestInfo, isChecking: boolean): boolean {
    if (processing.length > 0 || isChecking) {
      this.#overSince = undefined;
      return false;
    }
    this.#overSince ??= performance.now();
    return isCompared || performance.now() - this.#overSince > COMPARED_MS;
  }

  #tell(progress: object): void {
    this.#heartbeatAt = performance.now();
    for (const watcher of this.#watchers) watcher.isBehind = !watcher.stream.send('progress', progress);
  }

  #beat(): void {
    this.#heartbeatAt = performance.now();
    for (const { stream } of this.#watchers) stream.beat();
  }

  #sendLast(name: 'end' | 'deleted'): true {
    for (const { stream, isBehind } of this.#watchers) {
      if (isBehind && this.#last) stream.send('progress', this.#last, { isLast: true });
      stream.send(name, {}, { isLast: true });
    }
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
  const stream = eventStream();
  streams.set(accountId, open + 1);
  stream.onClose(() => {
    const left = (streams.get(accountId) ?? 1) - 1;
    if (left > 0) streams.set(accountId, left);
    else streams.delete(accountId);
  });
  const known = watches.get(id);
  const watch = known && !known.isDone ? known : new Watch(doors, id);
  watch.add({ stream, since: performance.now(), isBehind: false, isStillAdmitted: doors.isStillAdmitted });
  if (watch !== known) {
    watches.set(id, watch);
    void watch.run().finally(() => {
      if (watches.get(id) === watch) watches.delete(id);
    });
  }
  return stream.reply;
}
