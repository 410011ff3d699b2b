// The HTTP server: authenticates, validates, answers, and maps every fault to the shape its group of endpoints uses.
import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import swagger from '@fastify/swagger';
import Fastify, { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Counter, Histogram, type Registry } from 'prom-client';
import { AppError, ERRORS, isPassing } from '../errors/index.ts';
import { canonicalUrl, headerOf } from './aliases.ts';
import { HttpReply, type Contract, type Endpoint, type Principal } from './contract.ts';
import { ERROR_SHAPES, type ErrorShape } from './error-shapes.ts';
import { acceptForms } from './forms.ts';
import { openApiOptions, routeSchema } from './openapi.ts';
import { validatorFor } from './validation.ts';

const BODY_BYTES_MAX = 1024 * 1024;
const HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY', 'cross-origin-opener-policy': 'same-origin' };

/** What a caller shows to prove who it is. */
export interface Credentials {
  kind: 'basic' | 'session';
  secret: string;
  /** The account to act for, when the caller names one. */
  accountId: string | undefined;
}

export interface ServerOptions<Outside> {
  endpoints: readonly Endpoint<Outside>[];
  outside: Outside;
  /** Throws `unauthorized` or `forbidden`. */
  authenticate: (credentials: Credentials) => Promise<Principal>;
  publicUrl: string;
  log: Logger;
  metrics: Registry;
  version: string;
  /** Refuse to send a reply that breaks its contract. For tests. */
  checkReplies?: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    errorShape?: ErrorShape;
  }
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || code === 'FST_REQ_FILE_TOO_LARGE') return new AppError('too_large', 'The request body is larger than this endpoint accepts.', { cause: error });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new AppError('unsupported_media_type', 'Send the body as application/json, or as a form.', { cause: error });
  if (code === 'FST_ERR_CTP_EMPTY_JSON_BODY') return new AppError('invalid_request', 'The body is empty; send a JSON object.', { cause: error });
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY' || (statusCode === 400 && error instanceof SyntaxError)) return new AppError('invalid_request', 'The body is not valid JSON.', { cause: error });
  if (statusCode && statusCode >= 400 && statusCode < 500) return new AppError('invalid_request', 'The request could not be read.', { cause: error });
  return new AppError('internal', 'Something went wrong on our side.', { cause: error });
}

function credentialsOf(request: FastifyRequest): Credentials {
  const accountId = headerOf(request.headers, 'x-service-account-id');
  const [scheme, encoded] = (request.headers.authorization ?? '').split(' ', 2);
  if (scheme?.toLowerCase() === 'basic' && encoded) {
    const [user, ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
    if (user !== 'api') throw new AppError('unauthorized', 'Invalid private key');
    return { kind: 'basic', secret: rest.join(':'), accountId };
  }
  const session = request.cookies['galley_session'];
  if (session) {
    const origin = request.headers.origin;
    const isUnsafe = !['GET', 'HEAD'].includes(request.method);
    if (isUnsafe && origin && (!URL.canParse(origin) || new URL(origin).host !== request.headers.host)) throw new AppError('forbidden', 'This request comes from another site.');
    return { kind: 'session', secret: session, accountId };
  }
  throw new AppError('unauthorized', 'Invalid private key');
}

/** May this key do that? */
function authorize(principal: Principal, contract: Contract): void {
  if (contract.access === 'admin' && principal.role !== 'admin') throw new AppError('forbidden', 'This needs a key with the role admin.');
  if (contract.method !== 'GET' && principal.role === 'support') throw new AppError('forbidden', 'A key with the role support may only read.');
}

function register<Outside extends object>(app: FastifyInstance, { contract, handle }: Endpoint<Outside>, options: ServerOptions<Outside>): void {
  const readParams = contract.params && validatorFor(contract.params, 'params');
  const readQuery = contract.query && validatorFor(contract.query, 'query');
  const readJson = contract.body && validatorFor(contract.body, 'body');
  const readForm = contract.body && validatorFor(contract.body, 'form');
  const checkReply = options.checkReplies && !contract.isFile ? validatorFor(contract.reply, 'reply') : undefined;
  app.route({
    method: contract.method,
    url: contract.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: contract.bodyBytesMax ?? BODY_BYTES_MAX,
    schema: routeSchema(contract),
    config: { errorShape: contract.errorShape },
    onRequest: async (request) => {
      if (contract.access === 'none') return;
      const principal = await options.authenticate(credentialsOf(request));
      authorize(principal, contract);
      request.principal = principal;
    },
    handler: async (request, reply) => {
      const body = contract.isBodyOptional ? (request.body ?? {}) : request.body;
      const readBody = /^(multipart|application\/x-www-form-urlencoded)/.test(request.headers['content-type'] ?? '') ? readForm : readJson;
      if (readBody && body === undefined) throw new AppError('invalid_request', 'The body is missing; send a JSON object.');
      const input = { params: readParams?.(request.params), query: readQuery?.(request.query), body: readBody ? readBody(body) : undefined };
      const caller = { principal: request.principal as Principal, baseUrl: options.publicUrl || `${request.protocol}://${request.host}`, requestId: request.id, headers: request.headers };
      const answer = await handle({ ...options.outside, ...caller }, input as never);
      if (contract.deprecated) reply.header('deprecation', contract.deprecated.since).header('link', `<${contract.deprecated.successor}>; rel="successor-version"`);
      if (answer instanceof HttpReply) return reply.code(answer.status ?? contract.status ?? 200).headers(answer.headers).send(answer.body);
      checkReply?.(answer);
      return reply.code(contract.status ?? 200).type('application/json; charset=utf-8').send(JSON.stringify(answer));
    },
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | undefined;
  }
}

function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply): void {
  const shape = ERROR_SHAPES[request.routeOptions.config.errorShape ?? 'message'];
  // A browser answers a challenge with a dialogue of its own, over the dashboard's.
  if (error.status === 401 && !request.headers['sec-fetch-site']) reply.header('www-authenticate', 'Basic realm="galley", charset="UTF-8"');
  reply.code(error.status).headers(error.headers ?? {}).type('application/json; charset=utf-8').send(JSON.stringify(shape(error)));
}

function answerUnknownPaths(app: FastifyInstance, contracts: readonly Contract[]): void {
  const patterns = contracts.map((contract) => ({ method: contract.method, pattern: new RegExp(`^${contract.path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`) }));
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] as string;
    const methods = [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
    const error = methods.length
      ? new AppError('method_not_allowed', `${request.method} is not allowed here; use ${methods.join(' or ')}.`, { headers: { allow: methods.join(', ') } })
      : new AppError('not_found', `There is nothing at ${request.method} ${path}.`);
    sendError(error, request, reply);
  });
}

function measure(app: FastifyInstance, metrics: Registry): void {
  const seconds = new Histogram({ name: 'galley_http_request_seconds', help: 'Time to answer, by endpoint and status.', labelNames: ['method', 'route', 'status'], buckets: [0.005, 0.025, 0.1, 0.5, 2, 10], registers: [metrics] });
  const failures = new Counter({ name: 'galley_http_failures_total', help: 'Answers with status 500 and above.', registers: [metrics] });
  app.addHook('onResponse', async (request, reply) => {
    seconds.observe({ method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode }, reply.elapsedTime / 1000);
    if (reply.statusCode >= 500) failures.inc();
  });
}

/** Builds the server with every endpoint; call `listen` or `inject` on what comes back. */
export async function createServer<Outside extends object>(options: ServerOptions<Outside>): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: options.log as never,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    rewriteUrl: (request) => canonicalUrl(request.url ?? '/'),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    forceCloseConnections: 'idle',
  }) as unknown as FastifyInstance;
  app.removeContentTypeParser('text/plain');
  app.decorateRequest('principal', undefined);
  app.setValidatorCompiler(() => () => true);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS).header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    request.log.debug({ method: request.method, path: request.url.split('?', 1)[0], status: reply.statusCode, ms: Math.round(reply.elapsedTime), requestId: request.id }, 'answered');
  });
  app.setErrorHandler((error, request, reply) => {
    const fault = toAppError(error);
    if (isPassing(fault)) request.log.warn({ message: fault.message, requestId: request.id }, 'request refused for now');
    else if (ERRORS[fault.code].status >= 500) request.log.error({ err: fault.cause ?? fault, requestId: request.id }, 'request failed');
    sendError(fault, request, reply);
  });
  measure(app, options.metrics);
  answerUnknownPaths(app, options.endpoints.map((endpoint) => endpoint.contract));
  await app.register(cookie);
  await acceptForms(app);
  await app.register(swagger, openApiOptions(options.version));
  app.after(() => {
    for (const endpoint of options.endpoints) register(app, endpoint, options);
  });
  return app;
}
