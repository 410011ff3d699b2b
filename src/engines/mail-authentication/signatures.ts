// What of authenticating needs the whole message: its DKIM signatures and the seals over them. A long message takes
// long, so this can be done where it can be ended; the keys are asked for outside, between rounds.
import { checkArc, type CheckedArc } from './arc.ts';
import type { LibraryResolver } from './bounded-dns.ts';
import { checkDkim, type CheckedDkim } from './dkim.ts';

interface Signatures {
  dkim: CheckedDkim;
  arc: CheckedArc;
}

export interface SignatureQuestion {
  now: Date;
  mailFrom: string;
  ip: string;
}

/** Checks signatures and seals, with keys that the resolver finds. */
export type CheckSignatures = (
  raw: Buffer,
  question: SignatureQuestion & { resolver: LibraryResolver },
) => Promise<Signatures>;

/** Here and now. */
export async function checkSignatures(
  raw: Buffer,
  { resolver, now, mailFrom, ip }: SignatureQuestion & { resolver: LibraryResolver },
): Promise<Signatures> {
  const { arc: sealed, ...dkim } = await checkDkim(raw, { resolver, now, mailFrom });
  return { dkim, arc: await checkArc(raw, sealed, { ip, resolver, now }) };
}

/** What DNS said: records, or the failure and its code. */
type DnsAnswer = { records: string[][] | string[] } | { message: string; code: string | undefined };

interface DnsQuestion {
  name: string;
  type: string;
}

const keyOf = ({ name, type }: DnsQuestion): string => `${type} ${name.toLowerCase()}`;

/** What is known of DNS, by `TXT name`. */
export type KnownDns = ReadonlyMap<string, DnsAnswer>;

/** One round without a network: what is found with the answers that are known, and what was asked besides. */
interface Round {
  found: Signatures;
  asked: DnsQuestion[];
}

/** Checks with what is known. A question without an answer is taken down, and counts as one that failed. */
export async function checkKnowing(raw: Buffer, question: SignatureQuestion & { known: KnownDns }): Promise<Round> {
  const asked = new Map<string, DnsQuestion>();
  const resolver: LibraryResolver = async (name, type) => {
    const answer = question.known.get(keyOf({ name, type }));
    if (!answer) asked.set(keyOf({ name, type }), { name, type });
    if (answer && 'records' in answer) return structuredClone(answer.records);
    throw Object.assign(new Error(answer?.message ?? 'not asked yet'), { code: answer ? answer.code : 'EREFUSED' });
  };
  return { found: await checkSignatures(raw, { ...question, resolver }), asked: [...asked.values()] };
}

/** Signatures need their keys, the seals over them theirs, and a chain that is read in two ways those of both. */
const ROUNDS_MAX = 6;

/**
 * Signatures checked by rounds that run elsewhere; DNS is asked here. What the last round still asks counts as failed.
 */
export function inRounds(
  round: (raw: Buffer, question: SignatureQuestion & { known: KnownDns }) => Promise<Round>,
): CheckSignatures {
  return async (raw, { resolver, ...question }) => {
    const known = new Map<string, DnsAnswer>();
    for (let count = 1; ; count += 1) {
      const { found, asked } = await round(raw, { ...question, known });
      if (asked.length === 0 || count >= ROUNDS_MAX) return found;
      await Promise.all(asked.map(async (one) => known.set(keyOf(one), await answerOf(resolver, one))));
    }
  };
}

async function answerOf(resolver: LibraryResolver, { name, type }: DnsQuestion): Promise<DnsAnswer> {
  try {
    return { records: await resolver(name, type) };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { message, code };
  }
}
