// What the server serves besides the API: the dashboard's files, the reference page, health and metrics.
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { policyJsonSchema } from '../engines/gate/index.ts';
import { rulesOf } from '../features/proof/gate/index.ts';
import type { Config } from '../platform/config/index.ts';
import { listsOf, type Feature } from '../platform/feature/index.ts';
import type { OpenApiDocument } from '../platform/http/index.ts';
import { GROUP_NAMES, groupDocument, namedDocument, serversOf, wholeDocument } from './openapi.ts';
import { REFERENCE_POLICY, REFERENCE_STYLES, referencePage } from './reference.ts';

const DASHBOARD_DIR = join(import.meta.dirname, '../../web/dist');
/** Styles are inline because the component library sets them so; scripts are not. */
const CONTENT_POLICY =
  "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; font-src 'self' data:; " +
  "script-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
/**
 * Paths of the dashboard's pages, written when it is built; every other one is `sendNotFoundPage`'s to a browser, and
 * the API's 404 to programs.
 */
const PAGE_PATHS = join(DASHBOARD_DIR, 'pages.json');

const NEVER_KEPT = { maxAge: 0, immutable: false, cacheControl: false };

const PAGE = join(DASHBOARD_DIR, 'index.html');

function sendNotBuilt(reply: FastifyReply): FastifyReply {
  return reply.code(503).type('text/plain').send('The dashboard is not built; run `npm run build`.');
}

function sendPage(reply: FastifyReply): FastifyReply {
  if (!existsSync(PAGE)) return sendNotBuilt(reply);
  return reply
    .header('content-security-policy', CONTENT_POLICY)
    .header('cache-control', 'no-cache')
    .sendFile('index.html', DASHBOARD_DIR, NEVER_KEPT);
}

/** `/gate/$gateId` of the dashboard is `/gate/:gateId` here. None where the dashboard is not built. */
function pagePaths(): string[] {
  if (!existsSync(PAGE_PATHS)) return [];
  return (JSON.parse(readFileSync(PAGE_PATHS, 'utf8')) as string[]).map((path) => path.replaceAll('/$', '/:'));
}

/** The dashboard, with 404: it says itself that there is no such page, and leads out. */
export function sendNotFoundPage(reply: FastifyReply): FastifyReply {
  if (!existsSync(PAGE)) return sendNotBuilt(reply);
  return reply
    .code(404)
    .header('content-security-policy', CONTENT_POLICY)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(createReadStream(PAGE));
}

/** The dashboard: hashed files are cached for good, its pages never. */
export async function serveDashboard(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(DASHBOARD_DIR, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '1y',
    preCompressed: true,
    decorateReply: true,
  });
  for (const path of pagePaths()) app.get(path, (_request, reply) => sendPage(reply));
  app.get('/favicon.svg', (_request, reply) => reply.sendFile('favicon.svg', DASHBOARD_DIR, NEVER_KEPT));
}

/** `/openapi.json` and its parts, the same as a page to read at `/docs`, and the schema of policies. */
export async function serveReference(
  app: FastifyInstance,
  { config, features }: { config: Config; features: readonly Feature[] },
): Promise<void> {
  const baseUrlOf = (request: FastifyRequest): string => config.publicUrl || `${request.protocol}://${request.host}`;
  // Made once, when it is asked for first: only the addresses differ from reader to reader.
  const made = new Map<string, OpenApiDocument>();
  const recall = (name: string, make: () => OpenApiDocument): OpenApiDocument => {
    const document = made.get(name) ?? make();
    made.set(name, document);
    return document;
  };
  const send = (request: FastifyRequest, document: OpenApiDocument): OpenApiDocument => ({
    ...document,
    servers: serversOf(config, baseUrlOf(request)),
  });
  app.get('/openapi.json', (request) =>
    send(
      request,
      recall('openapi', () => namedDocument([], features)),
    ),
  );
  for (const group of GROUP_NAMES)
    app.get(`/openapi/${group}.json`, (request) =>
      send(
        request,
        recall(group, () => groupDocument(group, [])),
      ),
    );
  app.get('/docs', (request, reply) => {
    const page = referencePage(
      recall('docs', () => wholeDocument([], features)),
      baseUrlOf(request),
    );
    return reply.header('content-security-policy', REFERENCE_POLICY).type('text/html; charset=utf-8').send(page);
  });
  // For editors, which ask from anywhere.
  app.get('/policy.schema.json', (_request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .type('application/schema+json')
      .send(policyJsonSchema(rulesOf({ lists: listsOf(features) }))),
  );
  app.get('/docs/reference.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(REFERENCE_STYLES));
}
