// Name servers that are cut off from the world say of every name that there is none. That is no answer: whoever believed
// it would call addresses undeliverable and records gone that are well.
import { Recent } from '../recent/index.ts';
import { createDns, type DnsOptions } from './resolver.ts';
import { BLIND, DnsError, lookUp, type Dns, type DnsAnswers, type DnsOutcome, type RecordType } from './types.ts';

/** A name that every resolver with a way to the public DNS knows. */
const KNOWN_BY_ALL = 'com';
/** How long what was found out counts, in milliseconds. */
const KEPT_MS = 60_000;
const NAMES_MAX = 10_000;
/** A zone of one's own begins at most so many labels below the root. */
const ZONE_LABELS_MAX = 4;

const isNoName = (error: unknown): boolean => error instanceof DnsError && error.code === 'ENOTFOUND';

/**
 * Believes "no such name" (NXDOMAIN) from servers that know the public DNS, or a zone above the name, as an internal
 * resolver does; otherwise the question fails with `EBLIND`, which says nothing about the name. Servers that fail at
 * the control question are believed. `now` is in milliseconds.
 */
export function doubtingDns(dns: Dns, now: () => number = () => performance.now()): Dns {
  const known = new Recent<{ until: number; isThere: Promise<boolean> }>(NAMES_MAX);
  let isBlind = false;

  function isThere(name: string): Promise<boolean> {
    const before = known.get(name);
    if (before && before.until > now()) return before.isThere;
    const asked = dns.resolve(name, 'NS').then(
      () => true,
      (error: unknown) => !isNoName(error),
    );
    known.set(name, { until: now() + KEPT_MS, isThere: asked });
    return asked;
  }

  async function lookAround(): Promise<void> {
    isBlind = !(await isThere(KNOWN_BY_ALL));
  }

  async function isBelieved(name: string): Promise<boolean> {
    await lookAround();
    if (!isBlind) return true;
    const labels = name.replace(/\.$/, '').toLowerCase().split('.');
    for (let count = 1; count <= Math.min(ZONE_LABELS_MAX, labels.length - 1); count++)
      if (await isThere(labels.slice(-count).join('.'))) return true;
    return false;
  }

  async function doubt<Answer>(question: { name: string; type: RecordType }, answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      if (!isNoName(error) || (await isBelieved(question.name))) throw error;
      throw new DnsError('EBLIND', question, error);
    }
  }

  async function look<Type extends RecordType>(name: string, type: Type): Promise<DnsOutcome<DnsAnswers[Type]>> {
    const outcome = await lookUp(dns, name, type);
    if ('records' in outcome || outcome.failure !== 'ENOTFOUND' || (await isBelieved(name))) return outcome;
    return { failure: 'EBLIND' };
  }

  const { resolveWithTtl } = dns;
  return {
    get away() {
      // Whoever watches learns that they see again, though nobody asks for a name.
      if (isBlind) void lookAround();
      return dns.away ?? (isBlind ? BLIND : undefined);
    },
    resolve: (name, type) => doubt({ name, type }, dns.resolve(name, type)),
    look,
    ...(resolveWithTtl && {
      resolveWithTtl: (name, type) => doubt({ name, type }, resolveWithTtl.call(dns, name, type)),
    }),
  };
}

/** The resolver of the service: asks over the network, and believes no servers that are cut off. */
export function openDns(options: DnsOptions): Dns {
  return doubtingDns(createDns(options));
}
