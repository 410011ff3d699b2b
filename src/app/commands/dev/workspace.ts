// The emails that are worked on: each as it was drawn and checked last, and made again when what it is made of changes.
import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Asset } from '../../../platform/browser/index.ts';
import { messageOf } from '../../../platform/errors/index.ts';
import { rememberingFetch, type GuardedFetch } from '../../../platform/fetch/index.ts';
import type { GateDoors } from '../../../features/proof/gate/index.ts';
import { profileOf, shotNames } from '../../../features/proof/previews/index.ts';
import type { MergeData } from '../../../engines/mail-template/index.ts';
import { readLocalSource } from '../local-source.ts';
import { nameOfPath } from '../message-file.ts';
import { drawAll, type Drawn, type Outcome } from '../preview/draw-all.ts';
import { prepareSource } from '../preview/prepare-source.ts';
import { NotMade } from '../sources/make-email.ts';
import { findingsOf, type Found } from './findings-of.ts';

/** Emails as they were before, whose pictures are there at once when somebody takes a change back. */
const KEPT_MAX = 30;
/** What the network answered counts for so long: pictures are not fetched at each save. */
const REMEMBERED_MS = 60_000;

interface EmailPicture {
  client: string;
  title: string;
  family: string;
  /** Its address on the page. */
  url: string;
  width: number;
  height: number;
  /** False: the first screen, while the rest is being drawn. */
  isWhole: boolean;
  fidelity: string;
  notes: string[];
}

interface EmailState {
  name: string;
  state: 'waiting' | 'making' | 'drawing' | 'checking' | 'done' | 'failed';
  /** Why it could not be made, and the pictures are those from before; or, when it is done, why not checked. */
  error: string | null;
  subject: string;
  /** Of how many pictures. */
  wanted: number;
  pictures: EmailPicture[];
  /** Of pictures that could not be drawn. */
  failures: { title: string; reason: string }[];
  /** Null while they are not known for what the pictures show. */
  findings: Found[] | null;
  /** Milliseconds from the change: until the HTML was made, the first picture was drawn, and all were. */
  madeMs: number | null;
  firstMs: number | null;
  allMs: number | null;
}

interface Entry {
  source: string;
  state: EmailState;
  html: string;
  /** What it was made of last. */
  files: string[];
  folders: string[];
  isStale: boolean;
  run: { stop: AbortController; done: Promise<void> } | undefined;
}

interface WorkspaceParts {
  outside: GateDoors;
  clientIds: readonly string[];
  /** For pictures. */
  folder: string;
  data: () => Promise<MergeData | undefined>;
  findings: (source: string, signal: AbortSignal) => ReturnType<typeof findingsOf>;
  /** Something of this email is another than before; undefined: the list is. */
  onChange: (name: string | undefined) => void;
}

const emptyState = (name: string): EmailState => ({
  name,
  state: 'waiting',
  error: null,
  subject: '',
  wanted: 0,
  pictures: [],
  failures: [],
  findings: null,
  madeMs: null,
  firstMs: null,
  allMs: null,
});

function digestOf(html: string, assets: ReadonlyMap<string, Asset>): string {
  const hash = createHash('sha256').update(html);
  for (const [url, { body }] of [...assets].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    hash.update(`\0${url}\0`).update(body);
  return hash.digest('hex').slice(0, 24);
}

export class Workspace {
  /** {@link files} or {@link folders} are others than before. */
  onFiles = (): void => {};
  readonly #parts: WorkspaceParts;
  #entries = new Map<string, Entry>();
  /** What was drawn, by content; the oldest goes first. */
  readonly #drawn = new Map<string, Outcome>();
  readonly #closing = new AbortController();
  #fetch: { at: number; fetch: GuardedFetch } | undefined;

  constructor(parts: WorkspaceParts) {
    this.#parts = parts;
  }

  get emails(): EmailState[] {
    return [...this.#entries.values()].map(({ state }) => state);
  }

  /** Undefined: there is no such email. */
  stateOf(name: string): EmailState | undefined {
    return this.#entries.get(name)?.state;
  }

  sourceOf(name: string): { source: string; html: string } | undefined {
    return this.#entries.get(name);
  }

  get files(): string[] {
    return [...this.#entries.values()].flatMap(({ files }) => files);
  }

  get folders(): string[] {
    return [...this.#entries.values()].flatMap(({ folders }) => folders);
  }

  /** The emails that there are from now on. */
  setSources(sources: readonly string[]): void {
    const before = this.#entries;
    this.#entries = new Map(
      sources.map((source) => {
        const name = nameOfPath(source);
        const fresh = { source, state: emptyState(name), html: '', files: [], folders: [], isStale: true };
        return [name, before.get(name) ?? { ...fresh, run: undefined }];
      }),
    );
    for (const [name, { run }] of before) if (!this.#entries.has(name)) run?.stop.abort();
    this.#parts.onChange(undefined);
  }

  /** A file has changed: what is open is made again now, the others when somebody opens them. */
  changed(open: ReadonlySet<string>): void {
    for (const [name, entry] of this.#entries) {
      entry.isStale = true;
      if (open.has(name)) this.open(name);
    }
  }

  /** Somebody looks at it. */
  open(name: string): void {
    const entry = this.#entries.get(name);
    if (!entry?.isStale) return;
    entry.isStale = false;
    const before = entry.run;
    before?.stop.abort();
    const stop = new AbortController();
    const began = performance.now();
    const done = (async () => {
      await before?.done;
      if (!stop.signal.aborted) await this.#make(entry, { signal: stop.signal, began });
    })();
    entry.run = { stop, done };
  }

  async close(): Promise<void> {
    const runs = [...this.#entries.values()].flatMap(({ run }) => run ?? []);
    this.#closing.abort();
    for (const { stop } of runs) stop.abort();
    await Promise.all(runs.map(({ done }) => done));
  }

  #set(entry: Entry, change: Partial<EmailState>): void {
    Object.assign(entry.state, change);
    this.#parts.onChange(entry.state.name);
  }

  async #make(entry: Entry, turn: { signal: AbortSignal; began: number }): Promise<void> {
    let isDrawn = false;
    try {
      this.#set(entry, { state: 'making', error: null });
      await this.#draw(entry, turn);
      if (turn.signal.aborted) return;
      isDrawn = true;
      this.#set(entry, { state: 'checking' });
      const findings = await this.#parts.findings(entry.source, turn.signal);
      if (!turn.signal.aborted) this.#set(entry, { state: 'done', findings });
    } catch (error) {
      if (error instanceof NotMade) {
        entry.files = [...new Set([...entry.files, ...error.files])];
        entry.folders = [...new Set([...entry.folders, ...error.folders])];
        this.onFiles();
      }
      if (!turn.signal.aborted) this.#set(entry, { state: isDrawn ? 'done' : 'failed', error: messageOf(error) });
    }
  }

  async #draw(entry: Entry, { signal, began }: { signal: AbortSignal; began: number }): Promise<void> {
    const { outside, clientIds, folder, data } = this.#parts;
    const since = (): number => Math.round(performance.now() - began);
    const doors = { ...outside, fetch: this.#remembering() };
    const local = await readLocalSource(entry.source, doors.fetch, { data: await data() });
    Object.assign(entry, { html: local.loaded.html, files: local.files, folders: local.folders });
    this.onFiles();
    const { prepared, assets } = await prepareSource(doors, local, signal);
    signal.throwIfAborted();
    const digest = digestOf(prepared.html, assets);
    const wanted = clientIds.flatMap((clientId) =>
      shotNames({ imageBlocking: false }, profileOf(clientId)).map((shot) => ({ clientId, shot })),
    );
    const subject = local.loaded.subject;
    this.#set(entry, {
      state: 'drawing',
      subject: subject || basename(entry.source),
      wanted: wanted.length,
      madeMs: since(),
      firstMs: null,
      allMs: null,
      findings: null,
      failures: [],
    });
    const show = (drawn: readonly Drawn[]): void => {
      if (signal.aborted || drawn.length === 0) return;
      const pictures = drawn.map((one) => pictureOf(one, digest));
      this.#set(entry, { pictures, firstMs: entry.state.firstMs ?? since() });
    };
    const out = join(folder, digest);
    let outcome = this.#drawn.get(digest);
    if (!outcome) {
      await mkdir(out, { recursive: true });
      outcome = await drawAll(doors, {
        wanted,
        prepared,
        paneWidth: null,
        out,
        signal,
        tick: () => undefined,
        writeSheet: async (drawn) => show(drawn),
      });
      if (signal.aborted) return;
    }
    this.#keep(digest, outcome);
    show(outcome.made);
    const failures = outcome.failed.map(({ clientId, reason }) => ({ title: profileOf(clientId).displayName, reason }));
    this.#set(entry, { failures, allMs: since() });
  }

  #keep(digest: string, outcome: Outcome): void {
    // What is shown now is the newest.
    this.#drawn.delete(digest);
    if (outcome.failed.length === 0) this.#drawn.set(digest, outcome);
    for (const oldest of this.#drawn.keys()) {
      if (this.#drawn.size <= KEPT_MAX) break;
      this.#drawn.delete(oldest);
      void rm(join(this.#parts.folder, oldest), { recursive: true, force: true });
    }
  }

  #remembering(): GuardedFetch {
    const now = performance.now();
    if (!this.#fetch || now - this.#fetch.at > REMEMBERED_MS)
      this.#fetch = { at: now, fetch: rememberingFetch(this.#parts.outside.fetch, { signal: this.#closing.signal }) };
    return this.#fetch.fetch;
  }
}

function pictureOf({ clientId, file, rendering, fidelity, notes }: Drawn, digest: string): EmailPicture {
  const { displayName, family } = profileOf(clientId);
  const { width, height, isWhole } = rendering;
  const url = `/picture/${digest}/${file}`;
  return { client: clientId, title: displayName, family, url, width, height, isWhole, fidelity, notes };
}
