// The typed client of the Galley API. No dependencies; runs in browsers and in Node.
import type { Operations } from './generated.ts';

export type { Operations } from './generated.ts';

export type Operation = keyof Operations & string;
export type Reply<Name extends Operation> = Operations[Name]['reply'];

type Part<Name extends Operation, Key extends string> =
  Operations[Name] extends Record<Key, infer Value> ? Value : undefined;
type Given<Name extends Operation> = (Part<Name, 'path'> extends undefined ? object : { path: Part<Name, 'path'> }) &
  (Part<Name, 'body'> extends undefined ? object : { body: Part<Name, 'body'> | FormData }) &
  (Part<Name, 'query'> extends undefined ? object : { query?: Part<Name, 'query'> });

/** An answer that is not a success. */
export class GalleyError extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly requestId: string;
  /** When the service asks to be tried again, in seconds from the answer; undefined where it does not say. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    message: string,
    details: { body: unknown; requestId: string; retryAfterSeconds?: number | undefined },
  ) {
    super(message);
    this.name = 'GalleyError';
    this.status = status;
    this.body = details.body;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** No answer: the service cannot be reached, or the connection broke. */
export class UnreachableError extends Error {
  constructor(cause: unknown) {
    super('The service cannot be reached.', { cause });
    this.name = 'UnreachableError';
  }
}

/** What networks fail with is a `TypeError`, as is many a fault of a program: here it gets a name of its own. */
async function reaching<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof TypeError ? new UnreachableError(error) : error;
  }
}

/** `fetch`, except that it throws {@link UnreachableError} where there is no answer. */
export function fetchAnswer(address: string, init: RequestInit = {}): Promise<Response> {
  return reaching(fetch(address, init));
}

export interface ClientOptions {
  /** `http://127.0.0.1:8400`; empty in a browser page of the same origin. */
  url: string;
  /** An API key; left out where a session cookie stands for it. */
  key?: string;
  /** Act for this subaccount. */
  accountId?: string;
}

export interface Client {
  /**
   * `client.call('GET /v2/preview/tests/{test_id}', { path: { test_id } })`. Throws {@link GalleyError} or
   * {@link UnreachableError}. A body is sent as JSON, a `FormData` as a form, which can hold files.
   */
  call<Name extends Operation>(
    operation: Name,
    given: Given<Name>,
    options?: { signal?: AbortSignal; headers?: Record<string, string> },
  ): Promise<Reply<Name>>;
}

interface Parts {
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
}

function addressOf(base: string, template: string, { path = {}, query = {} }: Parts): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
  );
  return `${base.replace(/\/+$/, '')}${filled}${search.size ? `?${search}` : ''}`;
}

function messageOf(body: unknown, status: number): string {
  const fields = (body ?? {}) as { message?: string; Reason?: string };
  return fields.message ?? fields.Reason ?? `The service answered with status ${status}.`;
}

/** `Retry-After` as seconds or as a date (RFC 9110, 10.2.3). */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (!text) return undefined;
  const seconds = /^\d+$/.test(text.trim()) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}

/** Builds a client for one deployment. */
export function createClient({ url, key, accountId }: ClientOptions): Client {
  const headers = {
    ...(key !== undefined && { authorization: `Basic ${btoa(`api:${key}`)}` }),
    ...(accountId !== undefined && { 'x-service-account-id': accountId }),
  };
  return {
    async call(operation, given, options = {}) {
      const [method = 'GET', template = '/'] = operation.split(' ');
      const parts = given as Parts;
      const isJsonBody = parts.body !== undefined && !(parts.body instanceof FormData);
      const response = await fetchAnswer(addressOf(url, template, parts), {
        method,
        headers: { ...headers, ...(isJsonBody && { 'content-type': 'application/json' }), ...options.headers },
        ...(parts.body !== undefined && { body: isJsonBody ? JSON.stringify(parts.body) : (parts.body as FormData) }),
        ...(options.signal && { signal: options.signal }),
      });
      const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
      const body: unknown = await reaching(isJson ? response.json() : response.text());
      if (!response.ok)
        throw new GalleyError(response.status, messageOf(body, response.status), {
          body,
          requestId: response.headers.get('x-request-id') ?? '',
          retryAfterSeconds: retryAfterOf(response.headers),
        });
      return body as never;
    },
  };
}
