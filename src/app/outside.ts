// Builds the interface to every outside system once, in the order of their dependencies, and closes them in reverse.
import mailboxProviders from '../../data/mailbox-providers/providers.json' with { type: 'json' };
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openBlobs } from '../platform/blobs/index.ts';
import { openBrowser } from '../platform/browser/index.ts';
import { systemClock, type Clock } from '../platform/clock/index.ts';
import { openCompute } from '../platform/compute/index.ts';
import type { Config } from '../platform/config/index.ts';
import { openDataDir } from '../platform/data-dir/index.ts';
import { migrate, openDatabase, type Db, type Migration } from '../platform/db/index.ts';
import { createAddressesOf, createOwnAddressesOf, openDns, type Dns } from '../platform/dns/index.ts';
import { EVENT_MIGRATIONS, openEventLog } from '../platform/event-log/index.ts';
import { openFacts } from '../platform/facts/index.ts';
import { listsOf, type Feature, type Outside } from '../platform/feature/index.ts';
import { createFetch } from '../platform/fetch/index.ts';
import { JOB_MIGRATIONS, openJobs } from '../platform/jobs/index.ts';
import type { Log } from '../platform/log/index.ts';
import { createMailer, type MailboxProvider, type MailerOptions } from '../platform/mail/index.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import { openPorts } from '../platform/ports/index.ts';
import { openSecrets } from '../platform/secrets/index.ts';
import { openSpamFilters, type FilterPlaces } from '../platform/spam-filters/index.ts';
import { FEATURES } from './features.ts';
import { VERSION } from './version.ts';

/** How many jobs of each lane run at once. Jobs of `net` and `mail` mostly wait for other servers. */
const NET_JOBS = 8;
const MAIL_JOBS = 12;
const QUICK_JOBS = 4;
const SLOW_JOBS = 1;
/** Milliseconds of processor time of a computation that a request waits for. */
const ANSWER_SECONDS = 10;

function migrationsOf(features: readonly Feature[]): Migration[] {
  return [...JOB_MIGRATIONS, ...EVENT_MIGRATIONS, ...features.flatMap((feature) => feature.migrations ?? [])];
}

/** Migrations of the platform and of every feature. */
export const MIGRATIONS: readonly Migration[] = migrationsOf(FEATURES);

interface OpenOptions {
  config: Config;
  log: Log;
  /** Default: all of Galley's. */
  features?: readonly Feature[];
  clock?: Clock;
  /** Default: the resolver of the configuration. */
  dns?: Dns;
  /** What the mailer does otherwise than by default, such as the port at which servers found by MX listen. */
  mail?: Partial<MailerOptions>;
  /** Where to search for spam filters that no setting names. Default: the addresses at which they listen by default. */
  filterPlaces?: FilterPlaces;
}

/** Opens the database of the configuration and brings its tables up to date. */
export async function openMigratedDatabase(
  config: Config,
  { log, features = FEATURES }: Partial<Pick<OpenOptions, 'log' | 'features'>> = {},
): Promise<Db> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const db = await openDatabase(
    config.databaseUrl ? { url: config.databaseUrl } : { dir: join(config.dataDir, 'db') },
    { ...config.database, ...(log && { log }) },
  );
  try {
    await migrate(db, migrationsOf(features));
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}

/**
 * The listener may run in another process of this machine; a port that is picked at start is known to that process
 * only.
 */
function ownSmtpOf({ host, smtp }: Config): Outside['ownSmtp'] {
  return smtp.port === 0 ? null : { host: loopbackFor(host), port: smtp.port };
}

/** The address to which a client connects to reach a server that listens on `host`. */
export function loopbackFor(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

/** Everything outside except the queue: its jobs receive the outside, so the queue is added last. */
async function openDoors(options: OpenOptions): Promise<Omit<Outside, 'jobs' | 'facts' | 'ports' | 'lists'>> {
  const { config, log, features = FEATURES, clock = systemClock, dns = openDns(config.dns), filterPlaces } = options;
  const warning = await openDataDir(config.dataDir);
  if (warning !== undefined) log.warn({ dataDir: config.dataDir }, warning);
  const secrets = await openSecrets(config);
  const db = await openMigratedDatabase(config, { log, features });
  const browser = await openBrowser({
    chromiumPath: config.render.chromiumPath,
    thunderbirdPath: config.render.thunderbirdPath,
    size: config.render.browsers,
    optionalEngines: config.render.engines,
    effort: config.render,
    log,
  });
  const fetch = createFetch({
    allowHosts: config.fetch.allowHosts,
    resolver: createAddressesOf(config.dns.servers, dns),
    userAgent: `Galley/${VERSION} (email preview)`,
  });
  const compute = openCompute({
    ...config.compute,
    answerSeconds: Math.min(ANSWER_SECONDS, config.compute.seconds),
    log,
  });
  const blobs = openBlobs({ dir: join(config.dataDir, 'objects'), url: config.storageUrl });
  const mailer = createMailer({
    dns,
    ownAddressesOf: createOwnAddressesOf(config.dns.servers, dns),
    fetch,
    log,
    helo: config.mail.helo,
    relayUrl: config.mail.relayUrl,
    allowHosts: config.fetch.allowHosts,
    now: () => clock.now().getTime(),
    providers: mailboxProviders as readonly MailboxProvider[],
    ...options.mail,
  });
  return {
    config,
    db,
    blobs,
    fetch,
    browser,
    compute,
    dns,
    mailer,
    events: openEventLog({ db, clock, clickHouseUrl: config.clickHouseUrl }),
    secrets,
    filters: openSpamFilters(config.filters, { places: filterPlaces, nowMs: () => clock.now().getTime() }),
    clock,
    log,
    metrics: createMetrics(),
    ownSmtp: ownSmtpOf(config),
  };
}

/** Everything a feature may reach. `close` waits for work under way as long as the configuration says. */
export async function openOutside(options: OpenOptions): Promise<{ outside: Outside; close: () => Promise<void> }> {
  const doors = await openDoors(options);
  const { config, log, db, browser, compute, events, fetch, mailer } = doors;
  const all = <Item>(of: (feature: Feature) => readonly Item[] | undefined): Item[] =>
    (options.features ?? FEATURES).flatMap((feature) => of(feature) ?? []);
  const lists = listsOf(options.features ?? FEATURES);
  const ports = openPorts(
    all((feature) => feature.ports),
    all((feature) => feature.provides),
  );
  const facts = openFacts(
    all((feature) => feature.tells),
    all((feature) => feature.listensTo),
    { jobs: () => jobs },
  );
  const jobs = await openJobs<Outside>({
    db,
    log,
    jobs: all((feature) => feature.jobs),
    // One more than the browsers: a picture is stored while the next one is made.
    concurrency: {
      render: config.render.browsers + 1,
      net: NET_JOBS,
      mail: MAIL_JOBS,
      slow: SLOW_JOBS,
      quick: QUICK_JOBS,
    },
    outside: () => outside,
  });
  const outside: Outside = { ...doors, lists, ports, facts, jobs };
  const close = async (): Promise<void> => {
    await jobs.close(config.drainMs);
    mailer.close();
    await Promise.all([browser.close(), compute.close()]);
    fetch.close();
    await events.close();
    await db.close();
  };
  return { outside, close };
}
