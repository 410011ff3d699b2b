// One request over one connection, and its answer.
import type { Dispatcher } from 'undici';
import { hangUp, type Connection } from './connect.ts';

/** How much of a body is kept before a reader asks for it. */
const AHEAD_BYTES_MAX = 64 * 1024;

/** Fields of which the first one counts, as with Node's own client; others that are repeated are joined by a comma. */
const SINGLE_FIELDS = new Set([
  'age',
  'authorization',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'from',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'referer',
  'retry-after',
  'server',
  'user-agent',
]);

export interface Start {
  chunks: Buffer[];
  size: number;
  /** True when there is more than was asked for. */
  isOver: boolean;
}

interface OutgoingRequest {
  url: URL;
  method: 'GET' | 'HEAD' | 'POST';
  headers: Record<string, string>;
  body?: Buffer;
}

type Fields = Record<string, string | string[] | undefined>;

/** An answer whose body is arriving. */
export class Answer {
  readonly status: number;
  /** Lower-case names; values in Latin-1. */
  readonly headers: Record<string, string>;
  readonly setCookies: string[];
  /** Whether all of it has arrived. */
  isComplete = false;
  #chunks: Buffer[] = [];
  #size = 0;
  #error: Error | undefined;
  #isUnwanted = false;
  /** How much a reader wants; undefined while nobody reads. */
  #wanted: number | undefined;
  #wake: (() => void) | undefined;
  readonly #controller: Dispatcher.DispatchController;

  constructor(status: number, fields: Fields, controller: Dispatcher.DispatchController) {
    this.status = status;
    this.headers = joined(fields);
    this.setCookies = [fields['set-cookie'] ?? []].flat();
    this.#controller = controller;
  }

  /**
   * The body, or what came of it until there was more than `sizeBytesMax`; then its connection is cut. Throws when it
   * breaks off.
   */
  async readStart(sizeBytesMax: number): Promise<Start> {
    this.#wanted = sizeBytesMax;
    if (!this.#isSettled()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      this.#controller.resume();
      await promise;
    }
    if (this.#error) throw this.#error;
    const isOver = this.#size > sizeBytesMax;
    if (isOver) this.destroy(new Error('enough was read'));
    return { chunks: this.#chunks, size: this.#size, isOver };
  }

  /** Lets the rest arrive without keeping it, so that its connection can be used again. */
  ignore(): void {
    this.#isUnwanted = true;
    this.#chunks = [];
    if (!this.isComplete) this.#controller.resume();
  }

  /** Cuts the connection, unless everything has arrived. */
  destroy(reason: Error): void {
    if (this.isComplete || this.#error) return;
    this.#isUnwanted = true;
    this.#controller.abort(reason);
    this.failed(reason);
  }

  /** A piece of the body has arrived. */
  arrived(chunk: Buffer): void {
    if (this.#isUnwanted) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#wanted === undefined) {
      if (this.#size > AHEAD_BYTES_MAX) this.#controller.pause();
    } else if (this.#size > this.#wanted) {
      this.#controller.pause();
      this.#wake?.();
    }
  }

  /** Everything has arrived. */
  completed(): void {
    this.isComplete = true;
    this.#wake?.();
  }

  /** Nothing more will arrive. */
  failed(error: Error): void {
    this.#error ??= error;
    this.#wake?.();
  }

  #isSettled(): boolean {
    return this.isComplete || this.#error !== undefined || this.#size > this.#wanted!;
  }
}

interface ExchangeEvents {
  /** The header section of the answer is there. */
  answered(answer: Answer): void;
  /** No answer will come. */
  failed(error: Error): void;
  /** The connection is free, or closed. */
  finished(): void;
}

/**
 * Sends the request. One of `answered` and `failed` is called, and `finished`, once each; informational answers are
 * passed over.
 */
export function exchange(connection: Connection, request: OutgoingRequest, events: ExchangeEvents): void {
  const { url, method, headers, body } = request;
  let answer: Answer | undefined;
  let isFinished = false;
  const finish = (): void => {
    if (isFinished) return;
    isFinished = true;
    events.finished();
  };
  connection.uses += 1;
  // A HEAD request would close its connection.
  const options = { path: url.pathname + url.search, method, headers, body: body ?? null, reset: false };
  connection.client.dispatch(options, {
    onRequestStart() {},
    onResponseStart(controller, status, fields) {
      if (status < 200) return;
      const arriving = new Answer(status, fields, controller);
      events.answered(arriving);
      answer = arriving;
    },
    onResponseData(_controller, chunk) {
      answer?.arrived(chunk);
    },
    onResponseEnd() {
      finish();
      answer?.completed();
    },
    onResponseError(_controller, error) {
      // After a fault, the next bytes on this connection might belong to this request.
      hangUp(connection);
      finish();
      if (answer) answer.failed(error);
      else events.failed(renamed(error));
    },
  });
}

function joined(fields: Fields): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name in fields) {
    const value = fields[name];
    if (typeof value === 'string') headers[name] = trimmed(value);
    else if (value) headers[name] = SINGLE_FIELDS.has(name) ? trimmed(value[0]!) : value.map(trimmed).join(', ');
  }
  return headers;
}

/** The client's own names for what Node and its parser have names for. */
const CODES: Record<string, string> = { UND_ERR_SOCKET: 'ECONNRESET', UND_ERR_HEADERS_OVERFLOW: 'HPE_HEADER_OVERFLOW' };

function renamed(error: NodeJS.ErrnoException): Error {
  const code = CODES[error.code ?? ''];
  return code === undefined ? error : Object.assign(new Error(error.message, { cause: error }), { code });
}

/** White space after a value is none of it (RFC 9110 §5.5). */
function trimmed(value: string): string {
  return value.endsWith(' ') || value.endsWith('\t') ? value.replace(/[ \t]+$/, '') : value;
}
