// What each client makes of one message, worked out in other processes: many clients at once, each once.
import { createHash } from 'node:crypto';
import { emulate, parseMessage, type ClientProfile } from '../../../engines/client-emulation/index.ts';
import { composeMime } from '../../../engines/mime/index.ts';
import { readHtml } from '../_message/index.ts';
import { ComputeError, defineComputation, type Compute } from '../../../platform/compute/index.ts';

const here = import.meta.url;

/** A client, or the same on its side, with its images shown or blocked. */
export interface Wanted {
  profile: ClientProfile;
  images: boolean;
}

/** What a client shows, apart from the document itself. */
interface Emulation {
  /** Equal documents have equal digests. */
  digest: string;
  notes: string[];
  forceDark: boolean;
  clippedCharacters?: number | undefined;
}

interface EmulateOrder {
  html: string;
  subject: string;
  wanted: readonly Wanted[];
  /** Documents are large: they are left out where only their digests are needed. */
  isBrief: boolean;
}

interface Emulated {
  emulations: Emulation[];
  /** Documents by digest. */
  documents: Map<string, string>;
  cpuSeconds: number;
}

export function digestOf(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 40);
}

export const emulateClients = defineComputation(
  here,
  'emulateClients',
  ({ html, subject, wanted, isBrief }: EmulateOrder): Emulated => {
    const before = process.cpuUsage();
    const message = parseMessage(readHtml(html), subject);
    const documents = new Map<string, string>();
    const emulations = wanted.map(({ profile, images }): Emulation => {
      const { html: document, notes, forceDark, clippedCharacters } = emulate(message, profile, { images });
      const digest = digestOf(document);
      if (!isBrief) documents.set(digest, document);
      return { digest, notes, forceDark, clippedCharacters };
    });
    const { user, system } = process.cpuUsage(before);
    return { emulations, documents, cpuSeconds: (user + system) / 1e6 };
  },
);

/** The message as a mail client gets it. */
export const composeMessage = defineComputation(here, 'composeMessage', (given: Parameters<typeof composeMime>[0]) =>
  composeMime(given),
);

/** Above, documents are not kept but worked out again for each picture: 46 of them would fill the memory. */
const KEPT_LENGTH_MAX = 200_000;
/** Limit of one order: several orders share the processes. */
const CLIENTS_AT_ONCE = 8;
const LENGTH_AT_ONCE = 1_000_000;

interface EmulationsOptions {
  compute: Compute;
  html: string;
  subject: string;
  /** Processor time for all clients together. */
  secondsMax: number;
}

export class Emulations {
  #options: EmulationsOptions;
  #known = new Map<string, Promise<Emulation>>();
  #documents = new Map<string, string>();
  #isBrief: boolean;
  #spentSeconds = 0;

  constructor(options: EmulationsOptions) {
    this.#options = options;
    this.#isBrief = options.html.length > KEPT_LENGTH_MAX;
  }

  /** Works out what is not known yet. Never rejects: whoever asks for one of them hears what became of it. */
  async plan(wanted: readonly Wanted[], signal?: AbortSignal): Promise<void> {
    const missing = [...new Map(wanted.map((one) => [nameOf(one), one])).values()].filter(
      (one) => !this.#known.has(nameOf(one)),
    );
    const size = Math.max(1, Math.min(CLIENTS_AT_ONCE, Math.floor(LENGTH_AT_ONCE / (this.#options.html.length + 1))));
    const orders: Promise<unknown>[] = [];
    for (let at = 0; at < missing.length; at += size) orders.push(this.#order(missing.slice(at, at + size), signal));
    await Promise.all(orders);
  }

  /** Throws {@link ComputeError} for a message that takes too much. */
  async find(wanted: Wanted, signal?: AbortSignal): Promise<Emulation> {
    // Read at once: what failed is forgotten by the time that the plan ends.
    void this.plan([wanted], signal);
    return this.#known.get(nameOf(wanted)) as Promise<Emulation>;
  }

  /** The document of this digest, unless it is too long to be kept. */
  kept(digest: string): string | undefined {
    return this.#documents.get(digest);
  }

  /** The document that the client shows. */
  async document(wanted: Wanted, signal?: AbortSignal): Promise<string> {
    const { digest } = await this.find(wanted, signal);
    const kept = this.#documents.get(digest);
    if (kept !== undefined) return kept;
    const { html, subject, compute } = this.#options;
    const { documents } = await compute.run(
      emulateClients,
      { html, subject, wanted: [wanted], isBrief: false },
      { signal },
    );
    const [document = ''] = documents.values();
    return document;
  }

  async #order(wanted: readonly Wanted[], signal: AbortSignal | undefined): Promise<void> {
    const work = this.#run(wanted, signal);
    for (const [index, one] of wanted.entries()) {
      const emulation = work.then((emulations) => emulations[index] as Emulation);
      this.#known.set(nameOf(one), emulation);
      emulation.catch((error: unknown) => {
        // What took too much will take as much again; anything else may pass.
        if (!(error instanceof ComputeError && error.isOverrun)) this.#known.delete(nameOf(one));
      });
    }
    await work.catch(() => {});
  }

  async #run(wanted: readonly Wanted[], signal: AbortSignal | undefined): Promise<Emulation[]> {
    const { html, subject, compute, secondsMax } = this.#options;
    const isBrief = this.#isBrief;
    const { emulations, documents, cpuSeconds } = await compute.run(
      emulateClients,
      { html, subject, wanted, isBrief },
      { signal, allow: () => this.#refuseOverrun(secondsMax) },
    );
    this.#spentSeconds += cpuSeconds;
    for (const [digest, document] of documents) this.#documents.set(digest, document);
    return emulations;
  }

  /** Called when its turn has come: what the clients before took is known then. */
  #refuseOverrun(secondsMax: number): void {
    if (this.#spentSeconds >= secondsMax)
      throw new ComputeError(
        'time',
        `The message is too slow to preview: working out what its clients show took more than ${secondsMax} ` +
          `${secondsMax === 1 ? 'second' : 'seconds'} of computing.`,
      );
  }
}

function nameOf({ profile, images }: Wanted): string {
  return `${profile.id} ${profile.viewport.width} ${images}`;
}
