// A whole Galley in this process, on a database and a directory of its own, with real parts.
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FEATURES } from '../../src/app/features.ts';
import { startGalley, type Galley } from '../../src/app/serve.ts';
import { readConfig } from '../../src/platform/config/index.ts';
import type { Feature } from '../../src/platform/feature/index.ts';
import type { Clock } from '../../src/platform/clock/index.ts';
import { createZoneDns, type DeclaredZone, type Dns } from '../../src/platform/dns/index.ts';
import type { FilterPlaces } from '../../src/platform/spam-filters/index.ts';
import type { MailerOptions } from '../../src/platform/mail/index.ts';
import { createLog } from '../../src/platform/log/index.ts';
import './jitter.ts';
import { recordCall } from './recorded-calls.ts';
import { freshDatabase } from './template-database.ts';
import { FREE_PORTS } from './program.ts';

export const KEY = 'key-of-the-first-account-in-tests';

/** A clock that stands at the real time until it is moved. */
interface TestClock extends Clock {
  /** Moves time on. */
  advance(milliseconds: number): void;
  /** Stops time until the function is through, but for `advance`: what fills again by the minute does not meanwhile. */
  holding<T>(run: () => Promise<T>): Promise<T>;
}

export interface Answer<Body = any> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface Call {
  /** Sent as JSON; a string and a form are sent as they are. */
  body?: unknown;
  key?: string | null;
  headers?: Record<string, string>;
}

export interface App {
  url: string;
  key: string;
  galley: Galley;
  clock: TestClock;
  /** `app.call('GET /v1/keys')`: a request over HTTP, JSON decoded. */
  call(operation: string, call?: Call): Promise<Answer>;
  /** Waits until no job waits or runs. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

function testClock(): TestClock {
  let offset = 0;
  let heldAt: number | undefined;
  return {
    now: () => new Date((heldAt ?? Date.now()) + offset),
    advance(milliseconds) {
      offset += milliseconds;
    },
    async holding(run) {
      heldAt = Date.now();
      try {
        return await run();
      } finally {
        offset -= Date.now() - heldAt;
        heldAt = undefined;
      }
    },
  };
}

async function decode(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('json')) return response.json();
  return type.startsWith('text/') ? response.text() : Buffer.from(await response.arrayBuffer());
}

/** What tests declare of the world outside. */
interface World {
  /** All of DNS: what is not declared does not exist. Default: nothing is. */
  zone?: DeclaredZone;
  /** In place of a zone, such as one that changes its answers. */
  dns?: Dns;
  /** Where spam filters are looked for, when `GALLEY_FIND_FILTERS` is on; it is off otherwise. */
  filterPlaces?: FilterPlaces;
  /** What the mailer does otherwise than by default. */
  mail?: Partial<MailerOptions>;
  /** Features beside Galley's own. */
  features?: readonly Feature[];
  /** In place of Galley's own. */
  onlyFeatures?: readonly Feature[];
}

/** Starts the app. Extra settings go into its environment. Close it after the tests: nothing may be left. */
export async function startApp(
  settings: Record<string, string> = {},
  { zone = {}, dns = createZoneDns(zone), filterPlaces, mail, features = [], onlyFeatures = FEATURES }: World = {},
): Promise<App> {
  const dataDir = await mkdtemp(join(tmpdir(), 'galley-test-'));
  const database = await freshDatabase(dataDir);
  const env = {
    ...FREE_PORTS,
    GALLEY_DATA_DIR: dataDir,
    GALLEY_API_KEY: KEY,
    GALLEY_BROWSERS: '1',
    GALLEY_OPTIONAL_ENGINES: 'off',
    GALLEY_DRAIN_SECONDS: '5',
    GALLEY_FIND_FILTERS: filterPlaces ? 'on' : 'off',
    ...database.env,
    ...settings,
  };
  const clock = testClock();
  const galley = await startGalley({
    config: readConfig(env),
    log: createLog(process.env['GALLEY_TEST_LOG'] ?? 'silent'),
    clock,
    dns,
    ...(filterPlaces && { filterPlaces }),
    ...(mail && { mail }),
    features: [...onlyFeatures, ...features],
    checkReplies: true,
  });
  const app: App = {
    url: galley.url,
    key: KEY,
    galley,
    clock,
    async call(operation, { body, key = KEY, headers = {} } = {}) {
      const [method = 'GET', path = '/'] = operation.split(' ');
      const isRaw = typeof body === 'string' || body instanceof FormData;
      const response = await fetch(path.startsWith('http') ? path : galley.url + path, {
        method,
        headers: {
          ...(key !== null && { authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}` }),
          ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
      });
      const { status } = response;
      const reply = await decode(response);
      recordCall({ operation, status, reply, baseUrl: galley.url, ...(!isRaw && { body }) });
      return { status, headers: response.headers, body: reply };
    },
    async idle() {
      while (!(await galley.outside.jobs.isIdle())) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    async close() {
      await galley.close();
      await database.remove();
      // A thousand small files: one after the other takes half the processor time of `rm`, for which a full machine has
      // no time before the runner takes the process for one that does not end.
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return app;
}
