// Questions to real name servers, bounded in number and time.
import type { RecordWithTtl } from 'node:dns';
import { getServers, Resolver } from 'node:dns/promises';
import { DnsError, type Dns, type DnsAnswers, type DnsFailure, type RecordType } from './types.ts';

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
/** Labels of 63 characters at most, none empty. */
const ASKABLE = /^[^.]{1,63}(\.[^.]{1,63})*$/s;

const KNOWN_FAILURES: readonly string[] = ['ENOTFOUND', 'ENODATA', 'ETIMEOUT', 'ESERVFAIL', 'EREFUSED', 'EBADNAME'];

/** The name servers of the system. */
export function systemServers(): string[] {
  return getServers();
}

/** Makes a resolver that asks over the network. Equal questions at the same time are sent once. */
export function createDns({ servers, ...options }: DnsOptions = {}): Dns {
  const { timeoutMs, tries, concurrency } = { ...DEFAULTS, ...options };
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers?.length) resolver.setServers(servers);
  const underWay = new Map<string, Promise<unknown[]>>();
  const waiting: (() => void)[] = [];
  let running = 0;
  /** When the first of the questions was asked that nobody has answered since. */
  let silentSince: number | undefined;

  /** Asks now. A slot is taken already. Few promises stand between a question and its answer: each costs time. */
  function send(name: string, type: RecordType): Promise<unknown[]> {
    return askOf(resolver, name, type).then(
      (records) => {
        silentSince = undefined;
        leave(name, type);
        if ((records as unknown[]).length === 0) throw new DnsError('ENODATA', { name, type });
        return records as unknown[];
      },
      (error: unknown) => {
        const code = failureOf(error);
        if (!SILENCE.has(code)) silentSince = undefined;
        else silentSince ??= performance.now();
        leave(name, type);
        throw new DnsError(code, { name, type }, error);
      },
    );
  }

  /** The slot of a finished question goes straight to the next in line, so that no newcomer takes it. */
  function leave(name: string, type: RecordType): void {
    underWay.delete(`${type} ${name}`);
    const next = waiting.shift();
    if (next) next();
    else running--;
  }

  function ask(name: string, type: RecordType): Promise<unknown[]> {
    if (running < concurrency) {
      running++;
      return send(name, type);
    }
    return new Promise<void>((resolve) => waiting.push(resolve)).then(() => send(name, type));
  }

  function answerTo(asked: string, type: RecordType): Promise<unknown[]> {
    const name = (asked.endsWith('.') ? asked.slice(0, -1) : asked).toLowerCase();
    if (!isAskable(name))
      return Promise.reject(new DnsError('EBADNAME', { name: asked.slice(0, NAME_LENGTH_MAX), type }));
    const key = `${type} ${name}`;
    const known = underWay.get(key);
    if (known) return known;
    const question = ask(name, type);
    underWay.set(key, question);
    return question;
  }

  return {
    get away() {
      return silentSince !== undefined && performance.now() - silentSince > SILENT_MS
        ? 'the name servers do not answer'
        : undefined;
    },
    resolve: (asked, type) => answerTo(asked, type).then((answer) => copyOf(answer, type)),
    resolveWithTtl: (asked, type) => answerTo(asked, type).then((answer) => withTtl(answer as RecordWithTtl[])),
  };
}

function withTtl(answer: readonly RecordWithTtl[]): { records: string[]; ttlSeconds: number } {
  return {
    records: answer.map(({ address }) => address),
    ttlSeconds: Math.min(...answer.map(({ ttl }) => ttl)),
  };
}

function askOf(resolver: Resolver, name: string, type: RecordType): Promise<unknown> {
  if (type === 'A') return resolver.resolve4(name, { ttl: true });
  return type === 'AAAA' ? resolver.resolve6(name, { ttl: true }) : resolver.resolve(name, type);
}

/** Each caller gets its own copy, since callers may sort it. */
function copyOf<Type extends RecordType>(answer: readonly unknown[], type: Type): DnsAnswers[Type] {
  const isTimed = type === 'A' || type === 'AAAA';
  return (isTimed ? (answer as RecordWithTtl[]).map(({ address }) => address) : [...answer]) as DnsAnswers[Type];
}

function isAskable(name: string): boolean {
  return name.length <= NAME_LENGTH_MAX && ASKABLE.test(name);
}

function failureOf(error: unknown): DnsFailure {
  const { code = '' } = error as NodeJS.ErrnoException;
  return KNOWN_FAILURES.includes(code) ? (code as DnsFailure) : 'EFAILED';
}
