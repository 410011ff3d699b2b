// MTA-STS: a domain's promise that its servers speak TLS (RFC 8461). Where it is published, it is kept.
import { isNoSuchName, type Dns } from '../dns/index.ts';
import { messageOf } from '../errors/index.ts';
import type { GuardedFetch } from '../fetch/index.ts';
import type { Log } from '../log/index.ts';

export interface StsPolicy {
  mode: 'none' | 'testing' | 'enforce';
  /** Whether the domain's policy names this server. */
  allows(host: string): boolean;
}

export interface StsPolicies {
  /** Never rejects: when no policy can be fetched, the last valid one applies, or none (§5.1). */
  find(domain: string, signal?: AbortSignal): Promise<StsPolicy>;
}

/** Loaded when first needed: it takes half a second. */
const library = () => import('mailauth/lib/mta-sts.js');
type Library = Awaited<ReturnType<typeof library>>;

interface KnownPolicy {
  id: string;
  policy: ReturnType<Library['parsePolicy']>;
  expiresAt: number;
}

const NO_POLICY: StsPolicy = { mode: 'none', allows: () => true };
/** §3.3: a policy is at most 64 kB and comes within a minute. */
const POLICY_BYTES_MAX = 64 * 1024;
const POLICY_TIMEOUT_MS = 20_000;
const KNOWN_MAX = 10_000;
/** How long a record, or a failed fetch of a policy, is remembered. */
const FRESH_MS = 60_000;

interface StsOptions {
  dns: Dns;
  fetch: Pick<GuardedFetch, 'request'>;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: Log;
}

/** Policies by domain, kept as long as they say. */
export function createStsPolicies({ dns, fetch, now, log }: StsOptions): StsPolicies {
  const known = new Map<string, KnownPolicy>();
  const looks = new Map<string, { at: number; policy: Promise<StsPolicy> }>();

  async function idOf(domain: string): Promise<string | undefined> {
    const resolver = async (name: string, type: string): Promise<string[][]> => {
      if (type !== 'TXT') throw new Error(`MTA-STS asked for ${type}`);
      return dns.resolve(name, 'TXT').catch((error: unknown) => {
        // No record is an answer; the library reads it as one.
        if (isNoSuchName(error)) return [];
        throw error;
      });
    };
    const { resolvePolicy } = await library();
    const id = await resolvePolicy(domain, { resolver, strict: true } as Parameters<typeof resolvePolicy>[1]);
    return typeof id === 'string' ? id : undefined;
  }

  async function fetchPolicy(domain: string, signal: AbortSignal | undefined): Promise<KnownPolicy['policy']> {
    const url = `https://mta-sts.${domain}/.well-known/mta-sts.txt`;
    // §3.3: redirects must not be followed, and only an answer of 200 counts.
    const answer = await fetch.request(url, {
      sizeBytesMax: POLICY_BYTES_MAX,
      timeoutMs: POLICY_TIMEOUT_MS,
      types: ['text/plain'],
      mayFollow: (next) => next === url,
      ...(signal ? { signal } : {}),
    });
    if (!answer.ok) throw answer.error;
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
    return (await library()).parsePolicy(answer.body, { strict: true } as Parameters<Library['parsePolicy']>[1]);
  }

  async function look(domain: string, signal: AbortSignal | undefined): Promise<StsPolicy> {
    const before = known.get(domain);
    const cached = before && before.expiresAt > now() ? before : undefined;
    try {
      const id = await idOf(domain);
      if (id === undefined || id === cached?.id) return cached ? await enforceable(cached.policy) : NO_POLICY;
      const policy = await fetchPolicy(domain, signal);
      if (known.size >= KNOWN_MAX) known.delete(known.keys().next().value as string);
      known.set(domain, { id, policy, expiresAt: now() + (policy.maxAge ?? 0) * 1000 });
      return enforceable(policy);
    } catch (error) {
      log.info(
        { domain, cause: messageOf(error), isCached: cached !== undefined },
        'an MTA-STS policy could not be learned',
      );
      return cached ? enforceable(cached.policy) : NO_POLICY;
    }
  }

  return {
    find(domain, signal) {
      const last = looks.get(domain);
      if (last && now() - last.at < FRESH_MS) return last.policy;
      if (looks.size >= KNOWN_MAX) looks.clear();
      const policy = look(domain, signal);
      looks.set(domain, { at: now(), policy });
      return policy;
    },
  };
}

async function enforceable(policy: KnownPolicy['policy']): Promise<StsPolicy> {
  if (policy.mode === 'none') return NO_POLICY;
  const { validateMx } = await library();
  return { mode: policy.mode as StsPolicy['mode'], allows: (host) => validateMx(host, policy).valid };
}
