// What a feature is made of, and what it may reach outside itself.
import type { Blobs } from '../blobs/index.ts';
import type { Browser } from '../browser/index.ts';
import type { Clock } from '../clock/index.ts';
import type { Compute } from '../compute/index.ts';
import type { Config } from '../config/index.ts';
import type { Db, Migration } from '../db/index.ts';
import type { Dns } from '../dns/index.ts';
import type { Fact, Facts, Subscription } from '../facts/index.ts';
import type { GuardedFetch } from '../fetch/index.ts';
import { endpointFor, type Caller, type Endpoint } from '../http/index.ts';
import { defineJob as defineJobFor, type Job, type Jobs } from '../jobs/index.ts';
import type { Log } from '../log/index.ts';
import type { Metrics } from '../metrics/index.ts';
import type { Mailer, SmtpEnvelope, SmtpRefusal } from '../mail/index.ts';
import { openLists, type Addition, type Lists, type Ports, type Provision } from '../ports/index.ts';
import type { Secrets } from '../secrets/index.ts';
import type { FilterSource } from '../spam-filters/index.ts';

export { Hopeless, SERVICE, type JobFailure, type JobTurn } from '../jobs/index.ts';

/** The interfaces to everything outside the process; the app builds them once. */
export interface Outside {
  config: Config;
  db: Db;
  jobs: Jobs;
  blobs: Blobs;
  fetch: GuardedFetch;
  browser: Browser;
  /** Where engines read messages. */
  compute: Compute;
  dns: Dns;
  mailer: Mailer;
  /** The spam filters that the operator runs. Most installations have none. */
  filters: FilterSource;
  /** Where this deployment's own SMTP listener is reached; null when its port is not known to this process. */
  ownSmtp: { host: string; port: number } | null;
  /** Encrypts what is stored and must be read back. */
  secrets: Secrets;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** Tells those who listen what happened. */
  facts: Facts;
  /** What features need of those above them. */
  ports: Ports;
  /** What features add to lists of those below them. */
  lists: Lists;
}

/** The outside, and who is asking. */
export type Context = Outside & Caller;

export const endpoint = endpointFor<Outside>();
export const defineJob = defineJobFor<Outside>();

/** Something that runs for as long as the process, such as an SMTP server. */
interface Listener {
  name: string;
  /** Resolves when it accepts work; `close` stops it. */
  start(outside: Outside): Promise<{ about: string; close(): Promise<void> }>;
}

interface AnyMailReceiver<Doors> {
  name: string;
  /** Whether the address is one of its own; a refusal is answered as it is. */
  accepts(outside: Doors, address: string, envelope: SmtpEnvelope): Promise<boolean | SmtpRefusal>;
}

/** Takes a message while its sender waits, and so may answer in its own words. */
interface DirectMailReceiver<Doors = Outside> extends AnyMailReceiver<Doors> {
  delivery?: 'direct';
  /** Keeps a message for good, see `SmtpListenerOptions.store`. The envelope names only recipients that it accepts. */
  receive(outside: Doors, raw: Buffer, envelope: SmtpEnvelope): Promise<void>;
}

/** Needs only that the message is safe: the sender has its 250 when the message is synced to the spool. */
export interface SpooledMailReceiver<Doors = Outside> extends AnyMailReceiver<Doors> {
  delivery: 'spooled';
  /**
   * Refuses a message that could never be handled while the sender can still get the error: after the 250 reply nobody
   * would.
   */
  refuses?(outside: Doors, raw: Buffer, envelope: SmtpEnvelope): Promise<SmtpRefusal | undefined>;
  /**
   * Follows at once, and again until it resolves, see `DrainOptions.handle`; what came before a crash may come again,
   * under the same id.
   */
  receive(outside: Doors, raw: Buffer, envelope: SpooledEnvelope): Promise<void>;
}

export interface SpooledEnvelope extends SmtpEnvelope {
  /** Of the message in the spool: stays the same however often it is handed over. */
  id: string;
}

/** Mail that a feature takes at the service's own SMTP listener. `Doors` are what it is handed. */
export type MailReceiver<Doors = Outside> = DirectMailReceiver<Doors> | SpooledMailReceiver<Doors>;

export interface Feature {
  name: string;
  endpoints: readonly Endpoint<Outside>[];
  migrations?: readonly Migration[];
  jobs?: readonly Job<Outside>[];
  listeners?: readonly Listener[];
  mailReceivers?: readonly MailReceiver[];
  /** What it tells. */
  tells?: readonly Fact[];
  /** What it hears of features below it. */
  listensTo?: readonly Subscription[];
  /** What it needs of features above it. */
  ports?: readonly { readonly name: string }[];
  /** What it brings for the ports of features below it. */
  provides?: readonly Provision[];
  /** What it adds to lists that others read. */
  adds?: readonly Addition[];
  /** Makes its endpoints, where they follow from lists. */
  endpointsFor?(lists: Lists): readonly Endpoint<Outside>[];
}

type Declared = Omit<Feature, 'endpoints' | 'endpointsFor'> & {
  /** A function where their schemas follow from what all features add to lists. */
  endpoints: Feature['endpoints'] | Feature['endpointsFor'];
};

/** A resource of the product: its endpoints, tables, jobs and listeners. */
export function defineFeature({ endpoints = [], ...feature }: Declared): Feature {
  return typeof endpoints === 'function'
    ? { ...feature, endpoints: [], endpointsFor: endpoints }
    : { ...feature, endpoints };
}

/** What these features add to lists. */
export function listsOf(features: readonly Feature[]): Lists {
  return openLists(features.flatMap(({ adds = [] }) => adds));
}

/** The same features with every endpoint: those that follow from lists are made from what all of these add. */
export function assemble(features: readonly Feature[]): readonly Feature[] {
  const lists = listsOf(features);
  return features.map((feature) =>
    feature.endpointsFor ? { ...feature, endpoints: feature.endpointsFor(lists) } : feature,
  );
}

/** Reads the `.sql` files that stand beside a feature; `import.meta.url` finds them. */
export { migrationsIn } from './migrations-in.ts';
