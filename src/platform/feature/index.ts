// The parts of a feature, and the interfaces that it may use.
import type { Blobs } from '../blobs/index.ts';
import type { Browser } from '../browser/index.ts';
import type { Clock } from '../clock/index.ts';
import type { Compute } from '../compute/index.ts';
import type { Config } from '../config/index.ts';
import type { Db, Migration } from '../db/index.ts';
import type { Dns } from '../dns/index.ts';
import type { EventLog } from '../event-log/index.ts';
import type { Fact, Facts, Subscription } from '../facts/index.ts';
import type { GuardedFetch } from '../fetch/index.ts';
import { endpointFor, type AnswerRequest, type Caller, type Endpoint } from '../http/index.ts';
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
  /** The processes in which engines read messages. */
  compute: Compute;
  dns: Dns;
  mailer: Mailer;
  /** What happened to messages that were sent. */
  events: EventLog;
  /** The spam filters that the operator runs. Most installations have none. */
  filters: FilterSource;
  /** Where this deployment's own SMTP listener is reached; null when its port is not known to this process. */
  ownSmtp: { host: string; port: number } | null;
  /** Encrypts stored secrets, and decrypts them again. */
  secrets: Secrets;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** Publishes facts to the features that listen. */
  facts: Facts;
  /** What higher features provide for lower ones. */
  ports: Ports;
  /** What higher features add to the lists of lower ones. */
  lists: Lists;
}

/** The interfaces, and who makes the request. */
export type Context = Outside & Caller;

export const endpoint = endpointFor<Outside>();
export const defineJob = defineJobFor<Outside>();

/** Something that runs for as long as the process, such as an SMTP server. */
interface Listener {
  name: string;
  /** The process that has this role runs it. Default: `mail`. */
  role?: 'api' | 'mail' | 'send';
  /** Resolves when it accepts work; `close` stops it. `answer` answers a request as the HTTP server of the app does. */
  start(outside: Outside, answer: AnswerRequest): Promise<{ about: string; close(): Promise<void> }>;
}

interface AnyMailReceiver<Doors> {
  name: string;
  /** Whether the receiver takes mail for the address. A refusal is sent to the client as it is. */
  accepts(outside: Doors, address: string, envelope: SmtpEnvelope): Promise<boolean | SmtpRefusal>;
  /** It takes whole domains: those that know single addresses are asked before it. */
  isGeneral?: true;
}

/** Takes a message while the client waits, so that it can choose the reply. */
interface DirectMailReceiver<Doors = Outside> extends AnyMailReceiver<Doors> {
  delivery?: 'direct';
  /** Keeps a message for good, see `SmtpListenerOptions.store`. The envelope names only recipients that it accepts. */
  receive(outside: Doors, raw: Buffer, envelope: SmtpEnvelope): Promise<void>;
}

/** Takes messages from the spool: the client gets its 250 when the message is on disk there. */
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

/** A feature's receiver of mail at Galley's SMTP listener. `Doors` are the interfaces that its functions get. */
export type MailReceiver<Doors = Outside> = DirectMailReceiver<Doors> | SpooledMailReceiver<Doors>;

export interface Feature {
  name: string;
  endpoints: readonly Endpoint<Outside>[];
  migrations?: readonly Migration[];
  jobs?: readonly Job<Outside>[];
  listeners?: readonly Listener[];
  mailReceivers?: readonly MailReceiver[];
  /** The facts that the feature publishes. */
  tells?: readonly Fact[];
  /** The facts of lower features that it listens to. */
  listensTo?: readonly Subscription[];
  /** The ports that higher features provide for it. */
  ports?: readonly { readonly name: string }[];
  /** What it provides for the ports of lower features. */
  provides?: readonly Provision[];
  /** What it adds to the lists of lower features. */
  adds?: readonly Addition[];
  /** Makes the endpoints whose schemas follow from lists. */
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

/** The lists that these features fill. */
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

/** Reads the `.sql` files in a feature's folder; `import.meta.url` finds them. */
export { migrationsIn } from './migrations-in.ts';
