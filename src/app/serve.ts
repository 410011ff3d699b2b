// Starts what the roles ask for: the API with the dashboard, the workers, the mail listener.
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock/index.ts';
import type { Config } from '../platform/config/index.ts';
import type { Dns } from '../platform/dns/index.ts';
import { messageOf } from '../platform/errors/index.ts';
import { assemble, type Feature, type Outside } from '../platform/feature/index.ts';
import { createServer } from '../platform/http/index.ts';
import type { MailerOptions } from '../platform/mail/index.ts';
import { noteChange } from '../features/account/audit-log/index.ts';
import { requireProduct } from '../features/account/accounts/index.ts';
import { admitFrom } from '../features/account/ip-allowlist/index.ts';
import { authenticateSecret } from '../features/account/keys/index.ts';
import { authenticateSession } from '../features/account/sessions/index.ts';
import { FEATURES } from './features.ts';
import { ensureAccount, isApiKeyIgnored } from './first-start.ts';
import { measureProcess, serveHealth } from './health.ts';
import { listenForMail } from './mail-in.ts';
import { loopbackFor, openOutside } from './outside.ts';
import { sendNotFoundPage, serveDashboard, serveReference } from './pages.ts';

export interface Galley {
  app: FastifyInstance;
  outside: Outside;
  /** Where it listens: the API and the dashboard, or `/health` and `/metrics` alone without the role `api`. */
  url: string;
  /** The first key, at the first start only. */
  newKey: string | undefined;
  isApiKeyIgnored: boolean;
  /** What else runs, a line each. */
  about: string[];
  /** Finishes what is under way, then ends everything. */
  close(): Promise<void>;
}

interface StartOptions {
  config: Config;
  log: Logger;
  /** Default: all of Galley's. */
  features?: readonly Feature[];
  clock?: Clock;
  dns?: Dns;
  /** What the mailer does otherwise than by default. */
  mail?: Partial<MailerOptions>;
  checkReplies?: boolean;
}

/**
 * The server with every endpoint and page, not listening yet; without the role `api` only with its health and metrics.
 */
async function buildApp(
  outside: Outside,
  { config, log, features = FEATURES, checkReplies = false }: StartOptions,
): Promise<FastifyInstance> {
  const metrics = measureProcess(outside);
  const hasApi = config.roles.includes('api');
  const app = await createServer<Outside>({
    endpoints: hasApi ? features.flatMap((feature) => feature.endpoints) : [],
    outside,
    authenticate: async ({ kind, secret, accountId, address }) => {
      const authenticate = kind === 'basic' ? authenticateSecret : authenticateSession;
      const principal = await authenticate(outside, secret, accountId);
      await admitFrom(outside, { ownAccountId: principal.ownAccountId, address });
      return principal;
    },
    noteChange: (change) => noteChange(outside, change),
    requireProduct: (accountId, product) => requireProduct(outside, accountId, product),
    limits: { ...config.limits, now: () => outside.clock.now().getTime() },
    publicUrl: config.publicUrl,
    trustedProxies: config.http.trustedProxies,
    headersTimeoutMs: config.http.headersTimeoutMs,
    log,
    metrics,
    checkReplies,
    ...(hasApi && { sendNotFoundPage }),
  });
  await serveHealth(app, outside, metrics);
  if (!hasApi) return app;
  await serveReference(app, { config, features });
  await serveDashboard(app);
  return app;
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw new Error(`Galley cannot listen on ${host}:${port}: ${messageOf(error)}. GALLEY_PORT sets another port.`, {
      cause: error,
    });
  }
  const { address, family, port: actual } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`;
}

/**
 * Starts Galley in this process. Resolves when it is ready; throws, with everything closed again, when it cannot start.
 */
export async function startGalley(options: StartOptions): Promise<Galley> {
  const { config } = options;
  const features = assemble(options.features ?? FEATURES);
  const { outside, close: closeOutside } = await openOutside({ ...options, features });
  const closers: (() => Promise<void>)[] = [closeOutside];
  const close = async (): Promise<void> => {
    for (const step of closers.splice(0).reverse()) await step();
  };
  try {
    const { newKey } = await ensureAccount(outside);
    const app = await buildApp(outside, { ...options, features });
    closers.push(() => app.close());
    await app.ready();
    const about: string[] = [];
    if (config.roles.includes('mail')) {
      const smtp = await listenForMail(outside, features);
      closers.push(() => smtp.close());
      outside.ownSmtp = { host: loopbackFor(config.host), port: smtp.port };
      about.push(`smtp://${config.host}:${smtp.port}`);
    }
    for (const listener of features.flatMap((feature) => feature.listeners ?? [])) {
      if (!config.roles.includes(listener.role ?? 'mail')) continue;
      const running = await listener.start(outside, (request, reply) => app.routing(request, reply));
      closers.push(() => running.close());
      about.push(`${listener.name}: ${running.about}`);
    }
    if (config.roles.includes('work')) await outside.jobs.work();
    const url = await listen(app, config);
    return { app, outside, url, newKey, isApiKeyIgnored: await isApiKeyIgnored(outside), about, close };
  } catch (error) {
    await close();
    throw error;
  }
}
