// Finds spam filters: the filters that settings name, and the filters that run on this machine at their default
// address.
import { access, constants } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { delimiter, join } from 'node:path';
import { childEnvironment } from '../config/child-environment.ts';
import { createRspamd } from './rspamd.ts';
import { createSpamd } from './spamd.ts';
import type { FilterLimits } from './failure.ts';
import type { FilterEngine, FilterSource, FilterState, SpamFilter } from './types.ts';

/** The places where filters are searched for. */
export interface FilterPlaces {
  spamd: readonly { host: string; port: number }[];
  /** URLs of workers that answer `/ping` and `/checkv2`. */
  rspamd: readonly string[];
  /** Directories where their programs would be. */
  programs: readonly string[];
}

/** What SpamAssassin and Rspamd listen on when nothing else is set: this machine only. */
export const DEFAULT_PLACES: FilterPlaces = {
  spamd: [
    { host: '127.0.0.1', port: 783 },
    { host: '::1', port: 783 },
  ],
  rspamd: ['http://127.0.0.1:11333', 'http://[::1]:11333', 'http://127.0.0.1:11334'],
  programs: [
    ...childEnvironment().PATH.split(delimiter).filter(Boolean),
    '/usr/sbin',
    '/usr/local/sbin',
    '/usr/bin',
    '/usr/local/bin',
  ],
};

interface FilterSearch {
  /** Filters that settings name; these are not searched for. */
  configured: readonly SpamFilter[];
  /** Undefined means that no filter is searched for. */
  places?: FilterPlaces | undefined;
  limits?: Partial<FilterLimits>;
  /** Default: the process's own clock. */
  nowMs?: () => number;
}

const ENGINES: readonly FilterEngine[] = ['rspamd', 'spamassassin'];
const PROGRAMS: Record<FilterEngine, readonly string[]> = {
  spamassassin: ['spamd', 'spamassassin'],
  rspamd: ['rspamd'],
};
/** How long a result is kept before the search is repeated. */
const KEPT_MS = 60_000;
const PROBE_TIMEOUT_MS = 1500;
const ANSWER_BYTES_MAX = 1024;

/**
 * The filters there are. Looks at the first question, and again when what it knows is older than a minute; never
 * rejects.
 */
export function findSpamFilters({ configured, places, limits = {}, nowMs = Date.now }: FilterSearch): FilterSource {
  let known: { at: number; answer: Promise<Found> } | undefined;
  const look = (): Promise<Found> => {
    if (!known || nowMs() - known.at >= KEPT_MS)
      known = { at: nowMs(), answer: lookFor(configured, { places, limits }) };
    return known.answer;
  };
  return { current: async () => (await look()).filters, states: async () => (await look()).states };
}

interface Found {
  filters: SpamFilter[];
  states: FilterState[];
}

async function lookFor(
  configured: readonly SpamFilter[],
  { places, limits }: { places: FilterPlaces | undefined; limits: Partial<FilterLimits> },
): Promise<Found> {
  const found = await Promise.all(
    ENGINES.map(async (engine): Promise<{ filter?: SpamFilter; state: FilterState }> => {
      const given = configured.find(({ name }) => name === engine);
      if (given) return { filter: given, state: { engine, state: 'configured', address: given.address } };
      if (!places) return { state: { engine, state: 'not_looked_for', address: null } };
      const filter = engine === 'rspamd' ? await runningRspamd(places, limits) : await runningSpamd(places, limits);
      if (filter) return { filter, state: { engine, state: 'found', address: filter.address } };
      return {
        state: {
          engine,
          state: (await hasProgram(PROGRAMS[engine], places.programs)) ? 'installed' : 'absent',
          address: null,
        },
      };
    }),
  );
  return { filters: found.flatMap(({ filter }) => filter ?? []), states: found.map(({ state }) => state) };
}

async function runningSpamd({ spamd }: FilterPlaces, limits: Partial<FilterLimits>): Promise<SpamFilter | undefined> {
  for (const place of spamd) if (await isSpamd(place)) return createSpamd({ ...place, limits });
  return undefined;
}

async function runningRspamd({ rspamd }: FilterPlaces, limits: Partial<FilterLimits>): Promise<SpamFilter | undefined> {
  for (const url of rspamd) if (await isRspamd(url)) return createRspamd({ url, limits });
  return undefined;
}

/** `PING` of the spamd protocol: nothing else answers it with PONG. */
function isSpamd({ host, port }: { host: string; port: number }): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = net.connect({ host, port });
  const timer = setTimeout(() => resolve(false), PROBE_TIMEOUT_MS);
  let answer = '';
  socket.once('connect', () => socket.write('PING SPAMC/1.5\r\n\r\n'));
  socket.on('data', (bytes: Buffer) => {
    answer += bytes.toString('latin1');
    if (/^SPAMD\/[\d.]+ 0 PONG/.test(answer)) resolve(true);
    else if (answer.length > ANSWER_BYTES_MAX) resolve(false);
  });
  socket.once('error', () => resolve(false)).once('close', () => resolve(false));
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}

/** Rspamd's workers answer `/ping` with "pong". */
function isRspamd(url: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const request = http.get(new URL('/ping', url), { agent: false, timeout: PROBE_TIMEOUT_MS }, (response) => {
    let answer = '';
    response.on('data', (bytes: Buffer) => {
      answer += bytes.toString('latin1');
      if (answer.length > ANSWER_BYTES_MAX) resolve(false);
    });
    response.once('end', () =>
      resolve(
        response.statusCode === 200 && /^rspamd/i.test(String(response.headers.server)) && answer.trim() === 'pong',
      ),
    );
    response.once('error', () => resolve(false));
  });
  const timer = setTimeout(() => resolve(false), PROBE_TIMEOUT_MS);
  request.once('error', () => resolve(false));
  return promise.finally(() => {
    clearTimeout(timer);
    request.destroy();
  });
}

async function hasProgram(names: readonly string[], directories: readonly string[]): Promise<boolean> {
  for (const path of directories.flatMap((directory) => names.map((name) => join(directory, name)))) {
    try {
      await access(path, constants.X_OK);
      return true;
    } catch {
      // Not there, or not to be run: the next one.
    }
  }
  return false;
}
