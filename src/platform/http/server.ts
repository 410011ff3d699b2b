// The HTTP server: authenticates, validates, answers, and maps every fault to the shape its group of endpoints uses.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import cookie from '@fastify/cookie';
import Fastify, { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Counter, Histogram, type Registry } from 'prom-client';
import { AppError, ERRORS, isPassing } from '../errors/index.ts';
import { canonicalUrl } from './aliases.ts';
import { createGatekeeper, type Authenticate, type Gatekeeper, type RequireProduct } from './authentication.ts';
import { initiatorOf } from './callers.ts';
import { changeOf, givenFieldsOf, isAudited, type NoteChange } from './changes.ts';
import { HttpReply, type Contract, type Endpoint, type Principal } from './contract.ts';
import { ERROR_SHAPES, type ErrorShape } from './error-shapes.ts';
import { acceptForms, type FormLimits } from './forms.ts';
import { acceptJson, LONG_BODY_BYTES } from './json-bodies.ts';
import { writeJson } from './json-replies.ts';
import { createLimits, type LimitOptions } from './limits.ts';
import { validatorFor } from './validation.ts';

const BODY_BYTES_MAX = 1024 * 1024;
/** How long a whole request may take to arrive. */
const REQUEST_TIMEOUT_MS = 300_000;
const CONNECTIONS_CHECKED_MS = 1000;
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
};

interface ServerOptions<Outside> {
  endpoints: readonly Endpoint<Outside>[];
  outside: Outside;
  authenticate: Authenticate;
  requireProduct: RequireProduct;
  limits: LimitOptions;
  publicUrl: string;
  /** Addresses and ranges whose word about the caller's address, host and scheme counts. */
  trustedProxies: readonly string[];
  /** A connection that has not sent its headers by then is cut. */
  headersTimeoutMs: number;
  /** Keeps every successful change, before it is answered. Never rejects. */
  noteChange?: NoteChange;
  log: Logger;
  metrics: Registry;
  /** Refuse to send a reply that breaks its contract. For tests. */
  checkReplies?: boolean;
  /** The page for a browser that asks for a path where nothing is; paths of the API are answered as the API answers. */
  sendNotFoundPage?: (reply: FastifyReply) => FastifyReply;
}

/** Refuses unknown query parameters: one may have been meant to limit the deletion. Throws `invalid_request`. */
function refuseUnknownQuery(query: unknown, { query: schema }: Contract): void {
  const known = schema && 'properties' in schema ? Object.keys(schema.properties as object) : [];
  const unknown = Object.keys(query as object).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const valid = known.length ? `; valid are ${known.join(', ')}` : '';
  throw new AppError(
    'invalid_request',
    `${unknown.slice(0, 100)} is not known here, and nothing was deleted${valid}.`,
    { details: { field: unknown } },
  );
}

declare module 'fastify' {
  interface FastifyContextConfig {
    errorShape?: ErrorShape;
    form?: FormLimits;
  }
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || code === 'FST_REQ_FILE_TOO_LARGE')
    return new AppError('too_large', 'The request body is larger than this endpoint accepts.', { cause: error });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new AppError('unsupported_media_type', 'Send the body as application/json, or as a form.', { cause: error });
  if (code === 'FST_ERR_CTP_EMPTY_JSON_BODY')
    return new AppError('invalid_request', 'The body is empty; send a JSON object.', { cause: error });
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY' || (statusCode === 400 && error instanceof SyntaxError))
    return new AppError('invalid_request', 'The body is not valid JSON.', { cause: error });
  if (statusCode && statusCode >= 400 && statusCode < 500)
    return new AppError('invalid_request', 'The request could not be read.', { cause: error });
  return new AppError('internal', 'Something went wrong on our side.', { cause: error });
}

/** Reads what a request of the endpoint gives. Throws `invalid_request` naming the field. */
function inputReaderOf(contract: Contract): (request: FastifyRequest) => object {
  const readParams = contract.params && validatorFor(contract.params, 'params');
  const readQuery = contract.query && validatorFor(contract.query, 'query');
  const readJson = contract.body && validatorFor(contract.body, 'body');
  const readForm = contract.body && validatorFor(contract.body, 'form');
  return (request) => {
    if (contract.method === 'DELETE') refuseUnknownQuery(request.query, contract);
    const body = contract.isBodyOptional ? (request.body ?? {}) : request.body;
    const isForm = /^(multipart|application\/x-www-form-urlencoded)/.test(request.headers['content-type'] ?? '');
    const readBody = isForm ? readForm : readJson;
    if (readBody && body === undefined)
      throw new AppError('invalid_request', 'The body is missing; send a JSON object.');
    return {
      params: readParams?.(request.params),
      query: readQuery?.(request.query),
      body: readBody ? readBody(body, { hasNoNull: request.hasNoNull }) : undefined,
    };
  };
}

/** A part of a path is at most so long, unless its schema says that it may be longer. */
const PATH_PART_LENGTH_MAX = 300;

/** What reads paths for an endpoint: it throws `path_too_long`, naming the part. */
function longPathRefusalOf({ params }: Contract): (request: FastifyRequest) => void {
  const fields = params && 'properties' in params ? (params.properties as Record<string, { maxLength?: number }>) : {};
  const lengths = Object.entries(fields).map(
    ([name, { maxLength = 0 }]) => [name, Math.max(PATH_PART_LENGTH_MAX, maxLength)] as const,
  );
  return ({ params: given }) => {
    for (const [name, lengthMax] of lengths) {
      const { length } = (given as Record<string, string>)[name] ?? '';
      if (length > lengthMax)
        throw new AppError(
          'path_too_long',
          `${name}, a part of the path, has ${length} characters; at most ${lengthMax} are accepted.`,
          { details: { field: name } },
        );
    }
  };
}

/** At which address a caller asked. */
const placeOf = ({ protocol, host }: FastifyRequest, publicUrl: string) => ({
  baseUrl: publicUrl || `${protocol}://${host}`,
  host,
});

function register<Outside extends object>(
  app: FastifyInstance,
  { contract, handle }: Endpoint<Outside>,
  options: ServerOptions<Outside> & { gatekeeper: Gatekeeper; closing: AbortSignal },
): void {
  const readInput = inputReaderOf(contract);
  const refuseLongPath = longPathRefusalOf(contract);
  const checkReply = options.checkReplies && !contract.isFile ? validatorFor(contract.reply, 'reply') : undefined;
  app.route({
    method: contract.method,
    url: contract.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: contract.bodyBytesMax ?? BODY_BYTES_MAX,
    config: { errorShape: contract.errorShape, ...(contract.form && { form: contract.form }) },
    onRequest: async (request) => {
      refuseLongPath(request);
      request.principal = await options.gatekeeper.admit(request, contract);
    },
    handler: async (request, reply) => {
      const isLong = Number(request.headers['content-length'] ?? 0) > LONG_BODY_BYTES;
      if (isLong) await turn();
      const fields = isAudited(contract) ? givenFieldsOf(request) : undefined;
      const input = readInput(request);
      if (isLong) await turn();
      const caller = {
        principal: request.principal as Principal,
        ...placeOf(request, options.publicUrl),
        requestId: request.id,
        address: request.ip,
        headers: request.headers,
        isHead: request.method === 'HEAD',
        ...initiatorOf(request.headers),
        closing: options.closing,
        isStillAdmitted: () => options.gatekeeper.isStillAdmitted(request, contract),
      };
      const answer = await handle({ ...options.outside, ...caller }, input as never).catch((error: unknown) => {
        options.gatekeeper.noteFailure(request, contract, error);
        throw error;
      });
      if (fields) await options.noteChange?.(changeOf(request, contract, { fields, caller, answer }));
      if (contract.deprecated)
        reply
          .header('deprecation', contract.deprecated.since)
          .header('link', `<${contract.deprecated.successor}>; rel="successor-version"`);
      if (answer instanceof HttpReply) {
        if (isJson(answer.body)) checkReply?.(answer.body);
        return reply
          .code(answer.status ?? contract.status ?? 200)
          .headers(answer.headers)
          .send(answer.body);
      }
      checkReply?.(answer);
      if (contract.status === 204) return reply.code(204).send();
      const written = await writeJson(answer);
      return reply
        .code(contract.status ?? 200)
        .type('application/json; charset=utf-8')
        .send(written);
    },
  });
}

/** Whether the body is JSON, that is, neither a file nor text. */
function isJson(body: HttpReply['body']): boolean {
  return typeof body === 'object' && !Buffer.isBuffer(body) && !(body instanceof Readable);
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | undefined;
  }
}

function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const shape = ERROR_SHAPES[request.routeOptions.config.errorShape ?? 'message'];
  // A browser answers a challenge with a dialog of its own, over the dashboard's.
  if (error.status === 401 && !request.headers['sec-fetch-site'])
    reply.header('www-authenticate', 'Basic realm="galley", charset="UTF-8"');
  const body = shape(error);
  reply.code(error.status).headers(error.headers ?? {});
  return typeof body === 'string'
    ? reply.type('text/plain; charset=utf-8').send(body)
    : reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/** A version of the API, known or not, and every other first part of its paths. */
function isApiPath(path: string, contracts: readonly Contract[]): boolean {
  const first = path.split('/', 2)[1] ?? '';
  return /^v\d+$/.test(first) || contracts.some((contract) => contract.path.split('/', 2)[1] === first);
}

/** Whether a person's browser wants a page: it names HTML, where programs take anything or JSON. */
function wantsPage(request: FastifyRequest): boolean {
  return (
    request.method === 'GET' &&
    (request.headers.accept ?? '').split(',').some((type) => type.trim().startsWith('text/html'))
  );
}

function answerUnknownPaths(
  app: FastifyInstance,
  contracts: readonly Contract[],
  sendNotFoundPage: ServerOptions<unknown>['sendNotFoundPage'],
): void {
  const patterns = contracts.map((contract) => ({
    method: contract.method,
    pattern: new RegExp(`^${contract.path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
  }));
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] as string;
    if (sendNotFoundPage && wantsPage(request) && !isApiPath(path, contracts)) return sendNotFoundPage(reply);
    const methods = [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
    const error = methods.length
      ? new AppError('method_not_allowed', `${request.method} is not allowed here; use ${methods.join(' or ')}.`, {
          headers: { allow: methods.join(', ') },
        })
      : new AppError('not_found', `There is nothing at ${request.method} ${path}.`);
    return sendError(error, request, reply);
  });
}

function measure(app: FastifyInstance, metrics: Registry): void {
  const seconds = new Histogram({
    name: 'galley_http_request_seconds',
    help: 'Time to answer, by endpoint and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.5, 2, 10],
    registers: [metrics],
  });
  const failures = new Counter({
    name: 'galley_http_failures_total',
    help: 'Answers with status 500 and above.',
    registers: [metrics],
  });
  app.addHook('onResponse', (request, reply, done) => {
    seconds.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    if (reply.statusCode >= 500) failures.inc();
    done();
  });
}

function logAnswers(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    done();
    if (!log.isLevelEnabled('debug')) return;
    log.debug(
      {
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        requestId: request.id,
      },
      'answered',
    );
  });
}

/** Behind a proxy that is not named, all callers have one address, and share its limits. */
function warnOfProxies(
  app: FastifyInstance,
  { trustedProxies, log }: Pick<ServerOptions<unknown>, 'trustedProxies' | 'log'>,
): void {
  let isKnown = trustedProxies.length > 0;
  app.addHook('onRequest', (request, _reply, done) => {
    if (isKnown || !request.headers['x-forwarded-for']) return done();
    isKnown = true;
    log.warn(
      { proxy: request.ip },
      'requests come through a proxy whose X-Forwarded-For is not believed, so that all callers count as one ' +
        'address; GALLEY_TRUSTED_PROXIES names the proxy',
    );
    done();
  });
}

/** The longest part of a path that the router hands on; `PATH_PART_LENGTH_MAX` is what an endpoint takes of it. */
const ROUTED_LENGTH_MAX = 8192;

/** What the router does not look for. */
function pathFault({ code }: { code: string }): AppError {
  return code === 'FST_ERR_MAX_PARAM_LENGTH'
    ? new AppError('path_too_long', `A part of the path has more than ${ROUTED_LENGTH_MAX} characters.`)
    : new AppError('invalid_request', 'The path cannot be read: after each % it needs two digits of UTF-8.');
}

/** Fires when the server begins to close. */
function closingOf(app: FastifyInstance): AbortSignal {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  return closing.signal;
}

/** Builds the server with every endpoint; call `listen` or `inject` on what comes back. */
export async function createServer<Outside extends object>(options: ServerOptions<Outside>): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: options.log as never,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // What is logged names the request itself.
    childLoggerFactory: (logger) => logger,
    rewriteUrl: (request) => canonicalUrl(request.url ?? '/'),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: ROUTED_LENGTH_MAX },
    forceCloseConnections: 'idle',
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    frameworkErrors: (error, request, reply) =>
      sendError(pathFault(error), request, reply.headers(HEADERS).header('x-request-id', request.id)),
    http: {
      headersTimeout: options.headersTimeoutMs,
      connectionsCheckingInterval: Math.min(options.headersTimeoutMs, CONNECTIONS_CHECKED_MS),
    },
  }) as unknown as FastifyInstance;
  const closing = closingOf(app);
  app.removeContentTypeParser('text/plain');
  app.decorateRequest('principal', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(HEADERS).header('x-request-id', request.id);
    done();
  });
  logAnswers(app, options.log);
  app.setErrorHandler((error, request, reply) => {
    const fault = toAppError(error);
    if (isPassing(fault))
      request.log.warn({ message: fault.message, requestId: request.id }, 'request refused for now');
    else if (ERRORS[fault.code].status >= 500)
      request.log.error({ err: fault.cause ?? fault, requestId: request.id }, 'request failed');
    sendError(fault, request, reply);
  });
  warnOfProxies(app, options);
  measure(app, options.metrics);
  answerUnknownPaths(
    app,
    options.endpoints.map((endpoint) => endpoint.contract),
    options.sendNotFoundPage,
  );
  await app.register(cookie);
  acceptJson(app);
  await acceptForms(app);
  app.after(() => {
    const gatekeeper = createGatekeeper({ ...options, limits: createLimits(options.limits) });
    for (const endpoint of options.endpoints) register(app, endpoint, { ...options, gatekeeper, closing });
  });
  return app;
}
