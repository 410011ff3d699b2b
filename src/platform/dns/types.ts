// DNS questions, their answers, and their failures.

export interface MxRecord {
  exchange: string;
  priority: number;
}

export interface DnsAnswers {
  A: string[];
  AAAA: string[];
  CNAME: string[];
  MX: MxRecord[];
  NS: string[];
  /** Asked by the reverse name (`1.2.0.192.in-addr.arpa`), see `reverseName`. */
  PTR: string[];
  /** Each record in the pieces it was sent in. */
  TXT: string[][];
}

export type RecordType = keyof DnsAnswers;

/**
 * Why there is no answer. `ENOTFOUND`: no such name (NXDOMAIN). `ENODATA`: the name exists without this type. The
 * others say nothing about the name: the answer is not known. The codes are those of c-ares, which libraries expect,
 * and `EBLIND`: the name servers say of every name that there is none.
 */
export type DnsFailure =
  | 'ENOTFOUND'
  | 'ENODATA'
  | 'ETIMEOUT'
  | 'ESERVFAIL'
  | 'EREFUSED'
  | 'EBADNAME'
  | 'EFAILED'
  | 'EBLIND';

/** What servers are that are not believed; see `doubtingDns`. */
export const BLIND = 'the name servers know no public name, not even com';

export class DnsError extends Error {
  readonly code: DnsFailure;

  constructor(code: DnsFailure, question: { name: string; type: string }, cause?: unknown) {
    // "No such name" is an ordinary answer, of which a sweep of blocklists gets a hundred thousand: the question says
    // where it comes from, and a trace of the stack would cost as much as the rest.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(`${question.type} ${question.name}: ${code === 'EBLIND' ? BLIND : code}`, { cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'DnsError';
    this.code = code;
  }
}

/** True when DNS said for certain that there is no such record; false for every other failure. */
export function isNoSuchName(error: unknown): boolean {
  return error instanceof DnsError && (error.code === 'ENOTFOUND' || error.code === 'ENODATA');
}

/** What became of a question. */
export type DnsOutcome<Records> = { records: Records } | { failure: DnsFailure };

export interface Dns {
  /** Why the name servers count as away: for a while they have answered nothing. Undefined while they do. */
  readonly away?: string | undefined;
  /** Answers are never empty: no record is a rejection with {@link DnsError}. */
  resolve<Type extends RecordType>(name: string, type: Type): Promise<DnsAnswers[Type]>;
  /**
   * The same for who asks about very many names, most of which are not there: a failure is an answer, not an error,
   * and equal questions at the same time are sent each.
   * {@link lookUp} asks every resolver so.
   */
  look?<Type extends RecordType>(name: string, type: Type): Promise<DnsOutcome<DnsAnswers[Type]>>;
  /** The same with the least time to live, where the resolver is told it. */
  resolveWithTtl?(name: string, type: 'A' | 'AAAA'): Promise<{ records: string[]; ttlSeconds: number }>;
}

/** What became of a question, whether it was answered or not. Throws what is no failure of DNS. */
export function lookUp<Type extends RecordType>(
  dns: Dns,
  name: string,
  type: Type,
): Promise<DnsOutcome<DnsAnswers[Type]>> {
  if (dns.look) return dns.look(name, type);
  return dns.resolve(name, type).then(
    (records) => ({ records }),
    (error: unknown) => {
      if (!(error instanceof DnsError)) throw error;
      return { failure: error.code };
    },
  );
}
