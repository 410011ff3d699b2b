// Questions to real name servers, bounded in number and time.
import type { RecordWithTtl } from 'node:dns';
import { getServers, Resolver } from 'node:dns/promises';
import { DnsError, type Dns, type DnsAnswers, type DnsFailure, type RecordType } from './types.ts';

interface DnsOptions {
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
const LABEL_LENGTH_MAX = 63;

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
  const underWay = new Map<string, Promise<unknown>>();
  const waiting: (() => void)[] = [];
  let running = 0;
  /** When the first of the questions was asked that nobody has answered since. */
  let silentSince: number | undefined;

  async function ask(name: string, type: RecordType): Promise<unknown> {
    // The slot of the finished question goes straight to the next in line, so that no newcomer takes it.
    if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      const answer = await (type === 'A'
        ? resolver.resolve4(name, { ttl: true })
        : type === 'AAAA'
          ? resolver.resolve6(name, { ttl: true })
          : resolver.resolve(name, type));
      silentSince = undefined;
      return answer;
    } catch (error) {
      if (!SILENCE.has(failureOf(error))) silentSince = undefined;
      else silentSince ??= performance.now();
      throw new DnsError(failureOf(error), { name, type }, error);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }

  async function answerTo(asked: string, type: RecordType): Promise<unknown[]> {
    const name = asked.replace(/\.$/, '').toLowerCase();
    if (!isAskable(name)) throw new DnsError('EBADNAME', { name: asked.slice(0, NAME_LENGTH_MAX), type });
    const key = `${type} ${name}`;
    const question = underWay.get(key) ?? ask(name, type).finally(() => underWay.delete(key));
    underWay.set(key, question);
    const answer = (await question) as unknown[];
    if (answer.length === 0) throw new DnsError('ENODATA', { name, type });
    return answer;
  }

  return {
    get away() {
      return silentSince !== undefined && performance.now() - silentSince > SILENT_MS
        ? 'the name servers do not answer'
        : undefined;
    },
    async resolve<Type extends RecordType>(asked: string, type: Type): Promise<DnsAnswers[Type]> {
      const answer = await answerTo(asked, type);
      // Each caller gets its own copy, since callers may sort it.
      const records =
        type === 'A' || type === 'AAAA' ? (answer as RecordWithTtl[]).map(({ address }) => address) : answer;
      return [...records] as DnsAnswers[Type];
    },
    async resolveWithTtl(asked, type) {
      const answer = (await answerTo(asked, type)) as RecordWithTtl[];
      return {
        records: answer.map(({ address }) => address),
        ttlSeconds: Math.min(...answer.map(({ ttl }) => ttl)),
      };
    },
  };
}

function isAskable(name: string): boolean {
  return (
    name !== '' &&
    name.length <= NAME_LENGTH_MAX &&
    name.split('.').every((label) => label !== '' && label.length <= LABEL_LENGTH_MAX)
  );
}

function failureOf(error: unknown): DnsFailure {
  const { code = '' } = error as NodeJS.ErrnoException;
  return KNOWN_FAILURES.includes(code) ? (code as DnsFailure) : 'EFAILED';
}
