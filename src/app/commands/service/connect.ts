// Commands that ask a Galley that runs: where it is, the key, and how its refusals read.
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, GalleyError, UnreachableError, type Client } from '@galley/sdk';
import { readConfig } from '../../../platform/config/index.ts';
import { tell } from '../tell.ts';
import { UsageError } from '../usage.ts';

/** The options that every such command has. */
export const SERVICE_OPTIONS = {
  url: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

export const SERVICE_USAGE = `  --url URL          where Galley runs; default: this machine, at GALLEY_PORT
  --json             JSON on standard output, an object a line`;

export const KEY_USAGE = `The API key is taken from GALLEY_API_KEY; \`galley keys create\` makes one.`;

/** The client of the service that is meant. Throws {@link UsageError} without a key, or for an address that is none. */
export function connect({ url }: { url?: string | undefined }): Client {
  const { port, apiKey } = readConfig(process.env);
  const address = url ?? `http://127.0.0.1:${port}`;
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new UsageError(`--url must be an address such as http://127.0.0.1:8400; it is "${address}".`);
  if (apiKey === undefined) throw new UsageError(`No API key. ${KEY_USAGE}`);
  return createClient({ url: address, key: apiKey });
}

const PASSING = new Set([408, 429, 500, 502, 503, 504]);
const WAIT_SECONDS_MAX = 10;

/** Whether the same request may succeed later. */
const isPassing = (error: unknown): error is GalleyError | UnreachableError =>
  error instanceof UnreachableError || (error instanceof GalleyError && PASSING.has(error.status));

interface Patience {
  signal: AbortSignal;
  /** Tries in all; without it, until it succeeds. */
  tries?: number;
}

/** Tries again what may succeed later, ever more rarely, and says so once. */
export async function persistently<Result>(
  work: () => Promise<Result>,
  { signal, tries = Infinity }: Patience,
): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      const result = await work();
      if (tried > 1) tell('Galley answers again.');
      return result;
    } catch (error) {
      if (!isPassing(error) || tried >= tries || signal.aborted) throw error;
      if (tried === 1) tell(`${sentenceOf(error)} Trying again …`);
      const asked = error instanceof GalleyError ? error.retryAfterSeconds : undefined;
      await pause(Math.min(asked ?? 2 ** (tried - 1) / 2, WAIT_SECONDS_MAX) * 1000, undefined, { signal });
    }
  }
}

/** What went wrong, for the person who runs the command. Throws what is no answer of the service. */
export function sentenceOf(error: unknown): string {
  if (error instanceof UnreachableError) return 'Galley cannot be reached. Is it running? --url says where it is.';
  if (!(error instanceof GalleyError)) throw error;
  if (error.status === 401) return 'Galley refused the key in GALLEY_API_KEY.';
  return plain(error.message);
}

/** Runs the work; what Galley refuses is told, with exit code 1. */
export async function orRefused(work: Promise<number>): Promise<number> {
  try {
    return await work;
  } catch (error) {
    tell(sentenceOf(error));
    return 1;
  }
}

/** Characters that a terminal would act on, or that turn the direction of a line: none may come from a message. */
// eslint-disable-next-line no-control-regex
const ACTING = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/** A text of somebody else's as one line that a terminal may show; of a long one, the beginning. */
export function plain(text: string, lengthMax = 500): string {
  const line = text.replaceAll(ACTING, ' ').replaceAll(/ +/g, ' ').trim();
  return line.length > lengthMax ? `${line.slice(0, lengthMax)}…` : line;
}

/** The same of a text of several lines, which stay. */
export const plainLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.replaceAll(ACTING, (signs) => signs.replaceAll(/[^\t]/g, ' ')))
    .join('\n');

/** A line of JSON holds no character that a terminal acts on: JSON escapes them, but for those after ASCII. */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
