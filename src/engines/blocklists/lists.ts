// The catalog: which lists there are, and which of them are asked.
import rows from '../../../data/blocklists/lists.json' with { type: 'json' };

export type AssetKind = 'ip4' | 'ip6' | 'domain' | 'email';

/** Why a list is not asked: the row says more. */
type ListStatus = 'operating' | 'named' | 'own' | 'closed' | 'paid' | 'keyed';

/** A row of `data/blocklists`; its README says what each field means. */
export interface Blocklist {
  /** As users see it: without the key. */
  zone: string;
  /** The zone that is asked. */
  asked: string;
  name: string;
  operator: string;
  kinds: readonly AssetKind[];
  purpose: 'block' | 'allow' | 'mixed';
  status: ListStatus;
  statusAt: string;
  statusFrom: string;
  reach: 'high' | 'medium' | 'low';
  usedBy?: string | undefined;
  means?: string | undefined;
  remove?: string | undefined;
  page?: string | undefined;
  codes?: Readonly<Record<string, string>> | undefined;
  bits?: Readonly<Record<string, string>> | undefined;
  errors?: Readonly<Record<string, string>> | undefined;
  good?: readonly string[] | undefined;
  key?: string | undefined;
  perDay?: number | undefined;
  test?: string | undefined;
  coveredBy?: string | undefined;
  hash?: string | undefined;
  note?: string | undefined;
  /** Why nobody asks it; undefined for lists that are asked. */
  notAsked: string | undefined;
}

/** What the operator sets: lists of their own, and keys by name. */
interface ListOptions {
  /** Rows in the place of those of the same zone, or beside them. */
  own?: readonly OwnList[];
  /** Only those of `own`. */
  isOwnOnly?: boolean;
  keys?: Readonly<Record<string, string>>;
}

/** A list that the operator adds; what is left out is taken from the catalog's row of this zone. */
export type OwnList = { zone: string } & Partial<Omit<Blocklist, 'zone' | 'asked' | 'notAsked'>> & { off?: boolean };

type Given = Partial<Omit<Blocklist, 'zone'>> & { zone: string; off?: boolean };

const NOTES = {
  closed: 'The list has closed.',
  paid: 'The list is for customers of its operator only.',
};

function whyNotAsked({ status, coveredBy, note, key, off }: Given, keys: Readonly<Record<string, string>>) {
  if (off) return 'Switched off by the operator of this service.';
  if (status === 'closed' || status === 'paid') return note ?? NOTES[status];
  if (coveredBy !== undefined) return `${coveredBy} answers for it.`;
  if (key !== undefined && !keys[key]) return `It needs a key: set ${key}=… in GALLEY_BLOCKLIST_KEYS.`;
  return undefined;
}

function listOf(given: Given, keys: Readonly<Record<string, string>>): Blocklist {
  const key = (given.key !== undefined && keys[given.key]) || '';
  return {
    name: given.zone,
    operator: '',
    kinds: ['ip4'],
    purpose: 'block',
    status: 'own',
    statusAt: '',
    statusFrom: '',
    reach: 'medium',
    ...given,
    zone: given.zone.replace('{key}.', ''),
    asked: given.zone.replace('{key}', key),
    notAsked: whyNotAsked(given, keys),
  };
}

/** Every list that is known, with why it is not asked where it is not. */
export function listsOf({ own = [], isOwnOnly = false, keys = {} }: ListOptions = {}): Blocklist[] {
  const catalog = isOwnOnly ? [] : (rows as unknown as Given[]);
  const added = new Map(own.map((list) => [list.zone, list]));
  const merged = catalog.map((row) => {
    const mine = added.get(row.zone);
    added.delete(row.zone);
    return mine ? { ...row, status: 'own' as const, ...mine } : row;
  });
  return [...merged, ...added.values()].map((given) => listOf(given, keys));
}
