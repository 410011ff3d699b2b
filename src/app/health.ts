// What is well and what is not: `/health` for load balancers and people, `/metrics` for Prometheus.
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import { FULL } from '../platform/errors/index.ts';
import type { Outside } from '../platform/feature/index.ts';
import { admitToMetrics } from './metrics-access.ts';
import { VERSION } from './version.ts';

/** Requests at the same time share one probe. */
const FRESH_MS = 1000;

interface PartHealth {
  status: 'ok' | 'away' | 'full';
  reason?: string;
}

interface Health {
  /** `unavailable`: nothing can be answered. `degraded`: what is named in `missing` does not work. */
  status: 'ok' | 'degraded' | 'unavailable';
  missing: string[];
  parts: Record<string, PartHealth>;
}

function partOf(reason: string | undefined): PartHealth {
  if (reason === undefined) return { status: 'ok' };
  return { status: reason === FULL ? 'full' : 'away', reason };
}

/** The parts without which the service accepts nothing new. Without another part, accepted work waits. */
const NEEDED = ['database', 'objects'];

/** What the service cannot do without. */
type LookedAt = Pick<Outside, 'db' | 'blobs' | 'dns' | 'mailer'>;

async function look({ db, blobs, dns, mailer }: LookedAt): Promise<Health> {
  const [database, objects] = await Promise.all([db.check(), blobs.check()]);
  const parts = {
    database: partOf(database),
    objects: partOf(objects),
    dns: partOf(dns.away),
    relay: partOf(mailer.away),
  };
  const missing = Object.entries(parts)
    .filter(([, part]) => part.status !== 'ok')
    .map(([name]) => name);
  return {
    status: parts.database.status === 'away' ? 'unavailable' : missing.length ? 'degraded' : 'ok',
    missing,
    parts,
  };
}

function createLook(outside: LookedAt): () => Promise<Health> {
  let latest: { at: number; health: Promise<Health> } | undefined;
  return () => {
    const now = performance.now();
    if (!latest || now - latest.at > FRESH_MS) latest = { at: now, health: look(outside) };
    return latest.health;
  };
}

/** The registry of this process, with what every process measures. */
export function measureProcess(outside: Pick<Outside, 'jobs' | 'log' | 'metrics'>): Registry {
  const metrics = outside.metrics.registry;
  collectDefaultMetrics({ register: metrics });
  new Gauge({
    name: 'galley_jobs',
    help: 'Jobs waiting or under way, by name. Missing while the database is away.',
    labelNames: ['job'],
    registers: [metrics],
    async collect() {
      this.reset();
      const counts = await outside.jobs
        .counts()
        .catch((error: unknown) => outside.log.warn({ err: error }, 'the jobs could not be counted'));
      for (const [job, count] of Object.entries(counts ?? {})) this.set({ job }, count);
    },
  });
  return metrics;
}

/**
 * `/health` answers 200 while new work is accepted, else 503, and names what is missing; `/metrics` in Prometheus' text
 * format.
 */
export async function serveHealth(
  app: FastifyInstance,
  outside: Pick<Outside, 'config' | 'db' | 'blobs' | 'dns' | 'mailer'>,
  metrics: Registry,
): Promise<void> {
  const health = createLook(outside);
  new Gauge({
    name: 'galley_part_up',
    help: '1 while a part that the service stands on works, by part.',
    labelNames: ['part'],
    registers: [metrics],
    async collect() {
      for (const [part, { status }] of Object.entries((await health()).parts))
        this.set({ part }, status === 'ok' ? 1 : 0);
    },
  });
  app.get('/health', async (_request, reply) => {
    const { status, missing, parts } = await health();
    const code = missing.some((part) => NEEDED.includes(part)) ? 503 : 200;
    return reply
      .code(code)
      .send({ status, version: VERSION, roles: outside.config.roles, region: outside.config.region, missing, parts });
  });
  app.get('/metrics', async (request, reply) => {
    admitToMetrics(request, outside.config.http.metricsToken);
    return reply.type(metrics.contentType).send(await metrics.metrics());
  });
}
