// The only code that reads the environment. Every setting has a default; all faults are reported together.
import { availableParallelism } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { readBlocklists, type BlocklistConfig } from './blocklists.ts';
import { readDns, type DnsConfig } from './dns.ts';
import { readOidc, type OidcConfig } from './oidc.ts';
import { readQuotas, type Quotas } from './quotas.ts';
import { readRegionUrls, type Region, type RegionUrls } from './regions.ts';
import { readSendingIps, type ConfiguredIp } from './sending-ips.ts';
import { SETTINGS, type Setting } from './settings.ts';
import { readSlack, type SlackConfig } from './slack.ts';
import { readTrackingTls, type TrackingTlsConfig } from './tracking-tls.ts';
import { readSubmission, type SubmissionConfig } from './submission.ts';
import { readValidation, type ValidationConfig } from './validation.ts';

export type { OidcConfig } from './oidc.ts';
export { QUOTAS, type Quota } from './quotas.ts';
export { SETTINGS } from './settings.ts';

const ROLES = ['api', 'work', 'mail', 'send'] as const;
type Role = (typeof ROLES)[number];

export interface Config {
  /** 0 asks the system for a free port. */
  port: number;
  host: string;
  /**
   * What the outside calls this service; used in every absolute URL. No trailing slash. Empty: taken from the listening
   * address.
   */
  publicUrl: string;
  dataDir: string;
  apiKey: string | undefined;
  databaseUrl: string | undefined;
  /** The server that keeps the log of events; undefined: the database does. */
  clickHouseUrl: string | undefined;
  /** Connections to PostgreSQL, and the time that a statement may take; unused with the embedded database. */
  database: { connections: number; statementMs: number };
  http: { trustedProxies: readonly string[]; headersTimeoutMs: number; metricsToken: string | undefined };
  /** Requests within a minute; 0 means no limit. */
  limits: { keyPerMinute: number; accountPerMinute: number; wrongKeysPerMinute: number };
  storageUrl: string | undefined;
  roles: readonly Role[];
  region: Region;
  /** The base address of each region that has one set. */
  regionUrls: RegionUrls;
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  /** How long SIGTERM waits for work under way. */
  drainMs: number;
  fetch: { allowHosts: readonly string[] };
  smtp: { port: number; domain: string; sizeBytesMax: number };
  submission: SubmissionConfig;
  trackingTls: TrackingTlsConfig;
  validation: ValidationConfig;
  /** Outgoing mail. */
  /** How many of each resource one account may have at once. */
  quotas: Quotas;
  /** Ports at which mailboxes may be read. */
  imapPorts: readonly { from: number; to: number }[];
  mail: { relayUrl: string | undefined; helo: string };
  /** What becomes of messages of the sending API, and how long what happened to them is kept. */
  sending: { delivery: 'capture' | 'live'; eventDays: number; ips: readonly ConfiguredIp[] };
  /** The file that says where an address is; undefined where there is none. */
  geoFile: string | undefined;
  /** How long entries of the audit log are kept. */
  auditDays: number;
  /** The provider by which people sign in; undefined where there is none. */
  oidc: OidcConfig | undefined;
  dns: DnsConfig;
  slack: SlackConfig;
  blocklists: BlocklistConfig;
  /** Addresses of the operator's spam filters, and whether Galley looks for others on this machine. */
  filters: { spamd: string | undefined; rspamd: string | undefined; isFinding: boolean };
  secretKey: string | undefined;
  render: {
    browsers: number;
    chromiumPath: string | undefined;
    thunderbirdPath: string | undefined;
    heightMax: number;
    engines: boolean;
    secondsMax: number;
    processBytesMax: number;
  };
  /** 0 processes means as many as the machine has room for. */
  compute: { processes: number; seconds: number; memoryMb: number };
  previews: { retentionDays: number; requeueSeconds: number };
}

type Environment = Record<string, string | undefined>;

/** Thrown once with every fault of the environment, one per line. */
export class ConfigError extends Error {}

interface Reader {
  /** The faults of the settings that were read so far. */
  faults: string[];
  read: (name: string) => string | undefined;
  number: (name: string) => number;
  list: (name: string) => string[];
}

function readerOf(env: Environment): Reader {
  const faults: string[] = [];
  const read = (name: string): string | undefined => {
    const setting = SETTINGS.find((s) => s.name === name) as Setting;
    const text = env[name]?.trim() || (setting.default === '' ? undefined : setting.default);
    const fault = text === undefined ? undefined : setting.check?.(text);
    if (fault) faults.push(`${name} is ${setting.isSecret ? 'not valid' : `"${text}"`}: ${fault}`);
    return text;
  };
  return {
    faults,
    read,
    number: (name) => Number(read(name)),
    list: (name) =>
      (read(name) ?? '')
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
  };
}

/** Variables that are named like settings but are unknown. */
function strangersIn(env: Environment): string[] {
  const known = new Set(SETTINGS.map(({ name }) => name));
  return Object.keys(env).filter(
    (name) => name.startsWith('GALLEY_') && !name.startsWith('GALLEY_TEST_') && !known.has(name),
  );
}

function readHttp({ read, number, list }: Reader): Config['http'] {
  return {
    trustedProxies: list('GALLEY_TRUSTED_PROXIES'),
    headersTimeoutMs: number('GALLEY_HEADERS_SECONDS') * 1000,
    metricsToken: read('GALLEY_METRICS_TOKEN'),
  };
}

function readLimits(number: Reader['number']): Config['limits'] {
  return {
    keyPerMinute: number('GALLEY_KEY_REQUESTS_PER_MINUTE'),
    accountPerMinute: number('GALLEY_ACCOUNT_REQUESTS_PER_MINUTE'),
    wrongKeysPerMinute: number('GALLEY_WRONG_KEYS_PER_MINUTE'),
  };
}

function readCompute(number: (name: string) => number): Config['compute'] {
  const [processes, seconds] = [number('GALLEY_COMPUTE_PROCESSES'), number('GALLEY_COMPUTE_SECONDS')];
  return { processes, seconds, memoryMb: number('GALLEY_COMPUTE_MEMORY_MIB') };
}

function readRender(read: Reader['read'], number: Reader['number']): Config['render'] {
  return {
    browsers: number('GALLEY_BROWSERS') || availableParallelism(),
    chromiumPath: read('GALLEY_CHROMIUM'),
    thunderbirdPath: read('GALLEY_THUNDERBIRD'),
    heightMax: number('GALLEY_SCREENSHOT_HEIGHT_MAX'),
    engines: read('GALLEY_OPTIONAL_ENGINES') === 'on',
    secondsMax: number('GALLEY_RENDER_SECONDS'),
    processBytesMax: number('GALLEY_RENDER_MEMORY_MIB') * 2 ** 20,
  };
}

function readPreviews(number: Reader['number']): Config['previews'] {
  return {
    retentionDays: number('GALLEY_PREVIEW_RETENTION_DAYS'),
    requeueSeconds: number('GALLEY_PREVIEW_REQUEUE_SECONDS'),
  };
}

function readMail(read: Reader['read']): Config['mail'] {
  return {
    relayUrl: read('GALLEY_SMTP_RELAY'),
    helo: read('GALLEY_SMTP_HELO') ?? (read('GALLEY_SMTP_DOMAIN') as string),
  };
}

function readSending(read: Reader['read'], number: Reader['number']): Config['sending'] {
  return {
    delivery: read('GALLEY_DELIVERY') as 'capture' | 'live',
    eventDays: number('GALLEY_EVENT_RETENTION_DAYS'),
    ips: readSendingIps(read('GALLEY_SENDING_IPS')),
  };
}

function readFilters(read: Reader['read']): Config['filters'] {
  return {
    spamd: read('GALLEY_SPAMD'),
    rspamd: read('GALLEY_RSPAMD'),
    isFinding: read('GALLEY_FIND_FILTERS') === 'on',
  };
}

/** `993` or `1143-1150`. */
function portRange(text: string): { from: number; to: number } {
  const [from = 0, to = from] = text.split('-').map(Number);
  return { from, to };
}

/** Settings that do not go together. */
function contradictionsIn({ sending, mail, validation }: Config): string[] {
  if (mail.relayUrl === undefined) return [];
  const found: string[] = [];
  if (sending.ips.length > 0)
    found.push('GALLEY_SENDING_IPS and GALLEY_SMTP_RELAY are both set: a relay chooses the address; give one of them.');
  if (validation.isProbing)
    found.push(
      'GALLEY_VALIDATION_PROBE is on and GALLEY_SMTP_RELAY is set: a relay does not know the mailboxes of others; ' +
        'give one of them.',
    );
  return found;
}

/** Reads and checks `GALLEY_*`. Throws {@link ConfigError} naming each wrong variable and what is valid. */
export function readConfig(env: Environment): Config {
  const reader = readerOf(env);
  const { faults, read, number, list } = reader;
  const dataDir = read('GALLEY_DATA_DIR') as string;
  const config: Config = {
    port: number('GALLEY_PORT'),
    host: read('GALLEY_HOST') as string,
    publicUrl: (read('GALLEY_PUBLIC_URL') ?? '').replace(/\/+$/, ''),
    dataDir: isAbsolute(dataDir) ? dataDir : resolve(dataDir),
    apiKey: read('GALLEY_API_KEY'),
    databaseUrl: read('GALLEY_DATABASE_URL'),
    clickHouseUrl: read('GALLEY_CLICKHOUSE_URL'),
    database: {
      connections: number('GALLEY_DATABASE_CONNECTIONS'),
      statementMs: number('GALLEY_DATABASE_TIMEOUT_SECONDS') * 1000,
    },
    http: readHttp(reader),
    limits: readLimits(number),
    storageUrl: read('GALLEY_STORAGE_URL'),
    roles: list('GALLEY_ROLES') as Role[],
    region: read('GALLEY_REGION') as Config['region'],
    regionUrls: readRegionUrls(read('GALLEY_REGION_URLS') ?? '') ?? {},
    logLevel: read('GALLEY_LOG_LEVEL') as Config['logLevel'],
    drainMs: number('GALLEY_DRAIN_SECONDS') * 1000,
    fetch: { allowHosts: list('GALLEY_ALLOW_HOSTS') },
    smtp: {
      port: number('GALLEY_SMTP_PORT'),
      domain: read('GALLEY_SMTP_DOMAIN') as string,
      sizeBytesMax: number('GALLEY_SMTP_MESSAGE_MIB') * 1024 * 1024,
    },
    submission: readSubmission(read),
    trackingTls: readTrackingTls(read),
    validation: readValidation(read, number),
    quotas: readQuotas(read('GALLEY_QUOTAS') ?? ''),
    imapPorts: list('GALLEY_IMAP_PORTS').map(portRange),
    mail: readMail(read),
    sending: readSending(read, number),
    auditDays: number('GALLEY_AUDIT_DAYS'),
    geoFile: read('GALLEY_GEO_FILE'),
    oidc: readOidc({ read, faults }),
    dns: readDns(read, list('GALLEY_DNS_SERVERS')),
    slack: readSlack(read, faults),
    blocklists: readBlocklists(read),
    filters: readFilters(read),
    secretKey: read('GALLEY_SECRET_KEY'),
    render: readRender(read, number),
    compute: readCompute(number),
    previews: readPreviews(number),
  };
  faults.push(...contradictionsIn(config));
  faults.push(
    ...strangersIn(env).map((name) => `${name} is not a setting of Galley; docs/configuration.md lists them all.`),
  );
  if (faults.length) throw new ConfigError(`The configuration has faults:\n${faults.map((f) => `  ${f}`).join('\n')}`);
  return Object.freeze(config);
}
