// What an answer of a list says: a listing, a clean bill, or that the list did not answer the question at all.
import type { Blocklist } from './lists.ts';

export interface Code {
  code: string;
  meaning: string;
}

/**
 * `listed` and `allowed` are on the list; `clean` is certainly not; `unknown` is neither, and `why` says what came
 * instead. `isLate`: nothing came, and it may when it is asked again.
 */
export type Verdict =
  | { state: 'listed' | 'allowed'; codes: Code[] }
  | { state: 'clean' }
  | { state: 'unknown'; why: string; isStrange?: boolean; isLate?: boolean };

/** Lists of many operators answer so when they refuse a resolver (RFC 5782 §2.1 keeps 127.0.0.1 free). */
const COMMON_ERRORS: Readonly<Record<string, string>> = {
  '127.255.255.252': 'the name of the zone is misspelled',
  '127.255.255.254': 'refused: asked through a public or open resolver',
  '127.255.255.255': 'refused: too many questions from this resolver',
  '127.255.255.*': 'refused',
  '127.0.0.1': 'refused',
};

const NUMBER = String.raw`\d{1,3}`;

function meaningIn(table: Readonly<Record<string, string>> | undefined, address: string): string | undefined {
  if (!table) return undefined;
  if (Object.hasOwn(table, address)) return table[address];
  const pattern = Object.keys(table).find(
    (code) =>
      code.includes('*') && new RegExp(`^${code.replaceAll('.', '\\.').replaceAll('*', NUMBER)}$`).test(address),
  );
  return pattern === undefined ? undefined : table[pattern];
}

function codesOf(list: Blocklist, address: string): Code[] {
  const { codes, bits } = list;
  const meaning = meaningIn(codes, address);
  if (meaning !== undefined) return [{ code: address, meaning }];
  if (bits) {
    const [, , third, last] = address.split('.').map(Number);
    const set = third === 0 ? Object.entries(bits).filter(([bit]) => (last! & Number(bit)) !== 0) : [];
    return set.map(([, bitMeaning]) => ({ code: address, meaning: bitMeaning }));
  }
  return codes ? [] : [{ code: address, meaning: '' }];
}

/** What one address of an answer that is an error says; undefined for every other. */
function errorOf(list: Blocklist, address: string): string | undefined {
  if (!/^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address))
    return `answered ${address}, which is outside 127/8: a resolver that redirects, or a zone that was taken over`;
  const own = meaningIn(list.errors, address);
  if (own !== undefined) return `answered ${address}: ${own}`;
  if (meaningIn(list.codes, address) !== undefined || list.good?.includes(address)) return undefined;
  const common = meaningIn(COMMON_ERRORS, address);
  return common === undefined ? undefined : `answered ${address}: ${common}`;
}

/** Reads the addresses that a list answered; at least one. An error among them makes all of it worth nothing. */
export function readAnswer(list: Blocklist, addresses: readonly string[]): Verdict {
  const errors = addresses.flatMap((address) => errorOf(list, address) ?? []);
  if (errors.length) return { state: 'unknown', why: errors[0]! };
  const codes = addresses.flatMap((address) => codesOf(list, address));
  if (codes.length) return { state: list.purpose === 'allow' ? 'allowed' : 'listed', codes };
  if (addresses.every((address) => list.good?.includes(address))) return { state: 'clean' };
  const why = `answered ${addresses.join(', ')}, a code that the catalog does not know`;
  return { state: 'unknown', why, isStrange: true };
}

/** Of a hundred thousand answers most are this one. */
const CLEAN: Verdict = Object.freeze({ state: 'clean' });

/** What it says when there is no answer, by the code of the failure. */
export function readFailure(code: string | undefined): Verdict {
  if (code === 'ENOTFOUND' || code === 'ENODATA') return CLEAN;
  if (code === 'ETIMEOUT') return { state: 'unknown', why: 'did not answer in time', isLate: true };
  if (code === 'ESERVFAIL') return { state: 'unknown', why: 'the name server failed (SERVFAIL)' };
  if (code === 'EREFUSED') return { state: 'unknown', why: 'the name server refused the question' };
  return { state: 'unknown', why: `could not be asked${code === undefined ? '' : ` (${code})`}` };
}

/** The test entry must be on the list: a code that is no error will do. */
export function isOnList(verdict: Verdict): boolean {
  return (
    verdict.state === 'listed' || verdict.state === 'allowed' || (verdict.state === 'unknown' && !!verdict.isStrange)
  );
}
