// Questions to real name servers, bounded in number and time.
import { getServers, Resolver, type RecordWithTtl } from 'node:dns';
import { DnsError, type Dns, type DnsAnswers, type DnsFailure, type DnsOutcome, type RecordType } from './types.ts';

export interface DnsOptions {
  /** `192.0.2.53`, `192.0.2.53:5353`, `[2001:db8::53]:53`. Default: those of the system. */
  servers?: readonly string[];
  /** The time for the first try; later tries get more. */
  timeoutMs?: number;
  tries?: number;
  /** More questions wait: a burst of UDP makes routers drop answers, and each costs a second. */
  concurrency?: number;
}

const DEFAULTS = { timeoutMs: 2000, tries: 2, concurrency: 64 };
/** Single name servers may fail; when none answers for this long, DNS counts as away. */
const SILENT_MS = 30_000;
const SILENCE = new Set<DnsFailure>(['ETIMEOUT', 'EREFUSED', 'EFAILED']);
const NAME_LENGTH_MAX = 253;
const TIMED = { ttl: true } as const;
/** Labels of 63 characters at most, none empty. */
const ASKABLE = /^[^.]{1,63}(\.[^.]{1,63})*$/s;

const KNOWN_FAILURES: readonly string[] = ['ENOTFOUND', 'ENODATA', 'ETIMEOUT', 'ESERVFAIL', 'EREFUSED', 'EBADNAME'];

/** `key`: others that ask the same meanwhile share its answer. */
interface Question {
  key?: string;
  name: string;
  type: RecordType;
}

/** An answer of the name servers, or why there is none; never a rejection. It may be shared. */
type Heard = { records: readonly unknown[]; ttlSeconds: number } | { failure: DnsFailure; cause?: unknown };

/** The name servers of the system. */
export function systemServers(): string[] {
  return getServers();
}

/** Makes a resolver that asks over the network. Equal questions at the same time are sent once. */
export function createDns({ servers, ...options }: DnsOptions = {}): Dns {
  const { timeoutMs, tries, concurrency } = { ...DEFAULTS, ...options };
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers?.length) resolver.setServers(servers);
  const underWay = new Map<string, Promise<Heard>>();
  const waiting: (() => void)[] = [];
  let running = 0;
  /** When the first of the questions was asked that nobody has answered since. */
  let silentSince: number | undefined;

  /** Asks now. A slot is taken already. Few promises stand between a question and its answer: each costs time. */
  function send({ key, name, type }: Question): Promise<Heard> {
    return new Promise((resolve) => {
      askOf(resolver, { name, type }, (heard) => {
        if (!('failure' in heard && SILENCE.has(heard.failure))) silentSince = undefined;
        else silentSince ??= performance.now();
        leave(key);
        resolve(heard);
      });
    });
  }

  /** The slot of a finished question goes straight to the next in line, so that no newcomer takes it. */
  function leave(key: string | undefined): void {
    if (key !== undefined) underWay.delete(key);
    const next = waiting.shift();
    if (next) next();
    else running--;
  }

  function ask(question: Question): Promise<Heard> {
    if (running < concurrency) {
      running++;
      return send(question);
    }
    return new Promise<void>((resolve) => waiting.push(resolve)).then(() => send(question));
  }

  function hear(asked: string, type: RecordType): Promise<Heard> {
    const name = nameOf(asked);
    if (name === undefined) return Promise.resolve({ failure: 'EBADNAME' });
    const key = `${type} ${name}`;
    const known = underWay.get(key);
    if (known) return known;
    const question = ask({ key, name, type });
    underWay.set(key, question);
    return question;
  }

  return {
    get away() {
      return silentSince !== undefined && performance.now() - silentSince > SILENT_MS
        ? 'the name servers do not answer'
        : undefined;
    },
    // Each caller gets its own copy, since callers may sort it.
    resolve: async <Type extends RecordType>(asked: string, type: Type) =>
      [...(await answered(hear(asked, type), { name: asked, type })).records] as DnsAnswers[Type],
    look<Type extends RecordType>(asked: string, type: Type) {
      const name = nameOf(asked);
      const heard = name === undefined ? Promise.resolve({ failure: 'EBADNAME' }) : ask({ name, type });
      return heard as Promise<DnsOutcome<DnsAnswers[Type]>>;
    },
    resolveWithTtl: async (asked, type) => {
      const { records, ttlSeconds } = await answered(hear(asked, type), { name: asked, type });
      return { records: [...records] as string[], ttlSeconds };
    },
  };
}

/** Throws {@link DnsError} where there is no answer. */
async function answered(
  hearing: Promise<Heard>,
  { name, type }: { name: string; type: RecordType },
): Promise<Extract<Heard, { records: unknown }>> {
  const heard = await hearing;
  if ('records' in heard) return heard;
  throw new DnsError(heard.failure, { name: name.slice(0, NAME_LENGTH_MAX), type }, heard.cause);
}

/** Calls back once, later; also with what the resolver throws, such as for a name that it cannot write. */
function askOf(
  resolver: Resolver,
  { name, type }: { name: string; type: RecordType },
  heard: (answer: Heard) => void,
): void {
  const done = (error: unknown, records: unknown): void =>
    heard(error ? { failure: failureOf(error), cause: error } : heardOf(records as unknown[], type));
  try {
    if (type === 'A') resolver.resolve4(name, TIMED, done);
    else if (type === 'AAAA') resolver.resolve6(name, TIMED, done);
    else resolver.resolve(name, type, done);
  } catch (error) {
    queueMicrotask(() => done(error, undefined));
  }
}

function heardOf(records: readonly unknown[], type: RecordType): Heard {
  if (records.length === 0) return { failure: 'ENODATA' };
  if (type !== 'A' && type !== 'AAAA') return { records, ttlSeconds: 0 };
  const timed = records as readonly RecordWithTtl[];
  return { records: timed.map(({ address }) => address), ttlSeconds: Math.min(...timed.map(({ ttl }) => ttl)) };
}

/** In its one spelling; undefined for what no name server can be asked for. */
function nameOf(asked: string): string | undefined {
  const name = (asked.endsWith('.') ? asked.slice(0, -1) : asked).toLowerCase();
  return name.length <= NAME_LENGTH_MAX && ASKABLE.test(name) ? name : undefined;
}

function failureOf(error: unknown): DnsFailure {
  const { code = '' } = error as NodeJS.ErrnoException;
  return KNOWN_FAILURES.includes(code) ? (code as DnsFailure) : 'EFAILED';
}
