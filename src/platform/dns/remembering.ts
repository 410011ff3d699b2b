// Answers that are kept for a while: many messages go to few domains.
import type { Dns, DnsAnswers, RecordType } from './types.ts';

const NAMES_MAX = 50_000;
const MX_MS = 300_000;
const FAILURE_MS = 60_000;
/** Of answers whose time to live is not told. */
const OTHER_MS = 60_000;
const TTL_MS = { min: 5000, max: 3_600_000 };

interface Kept {
  answer: Promise<{ records: unknown[] } | { error: unknown }>;
  /** Infinite while the question is under way. */
  until: number;
}

interface RememberingDns extends Dns {
  /** Answers that are kept. */
  readonly size: number;
}

/**
 * Asks `dns` once and remembers: addresses as long as they say, MX for five minutes, failures for one, at most 50,000
 * answers. `now` is in milliseconds.
 */
export function rememberingDns(dns: Dns, now: () => number): RememberingDns {
  const known = new Map<string, Kept>();

  async function ask(name: string, type: RecordType): Promise<{ records: unknown[]; ms: number }> {
    if (dns.resolveWithTtl && (type === 'A' || type === 'AAAA')) {
      const { records, ttlSeconds } = await dns.resolveWithTtl(name, type);
      return { records, ms: Math.min(TTL_MS.max, Math.max(TTL_MS.min, ttlSeconds * 1000)) };
    }
    return { records: await dns.resolve(name, type), ms: type === 'MX' ? MX_MS : OTHER_MS };
  }

  function look(key: string, name: string, type: RecordType): Kept {
    const kept: Kept = { until: Infinity, answer: undefined as never };
    kept.answer = ask(name, type).then(
      ({ records, ms }) => {
        kept.until = now() + ms;
        return { records };
      },
      (error: unknown) => {
        kept.until = now() + FAILURE_MS;
        return { error };
      },
    );
    // Those that were learned first go first.
    known.delete(key);
    if (known.size >= NAMES_MAX) known.delete(known.keys().next().value as string);
    known.set(key, kept);
    return kept;
  }

  return {
    get away() {
      return dns.away;
    },
    get size() {
      return known.size;
    },
    async resolve<Type extends RecordType>(name: string, type: Type): Promise<DnsAnswers[Type]> {
      const key = `${type} ${name.toLowerCase().replace(/\.$/, '')}`;
      const before = known.get(key);
      const kept = before && before.until > now() ? before : look(key, name, type);
      const answer = await kept.answer;
      if ('error' in answer) throw answer.error;
      // Each caller gets its own copy, since callers may sort it.
      return [...answer.records] as DnsAnswers[Type];
    },
  };
}
