// The settings of blocklists: the operator's own lists, keys of others, and how much each is asked.
import { readFileSync } from 'node:fs';
import type { Setting } from './settings.ts';

/** A row as `data/blocklists/README.md` describes it; what is left out is taken from the row of the same zone. */
interface OwnBlocklist {
  zone: string;
  kinds?: ('ip4' | 'ip6' | 'domain' | 'email')[];
  off?: boolean;
}

export interface BlocklistConfig {
  own: readonly OwnBlocklist[];
  /** Galley's catalog is not asked. */
  isOwnOnly: boolean;
  keys: Readonly<Record<string, string>>;
  /** Questions a day that each list is asked at most, where its row says nothing. */
  questionsPerDay: number;
}

const KINDS = ['ip4', 'ip6', 'domain', 'email'];
const ZONE = /^(\{key\}\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9-]{2,63}$/;

function rowFault(row: unknown): string | undefined {
  const { zone, kinds } = (row ?? {}) as Partial<OwnBlocklist>;
  if (typeof zone !== 'string' || !ZONE.test(zone)) return `each row needs a zone, such as bl.example.com`;
  const isRight = kinds === undefined || (Array.isArray(kinds) && kinds.every((kind) => KINDS.includes(kind)));
  return isRight ? undefined : `the kinds of ${zone} must be some of ${KINDS.join(', ')}`;
}

function readFile(path: string): { own: OwnBlocklist[]; isOwnOnly: boolean } {
  const { lists, catalog = true } = JSON.parse(readFileSync(path, 'utf8')) as {
    lists: OwnBlocklist[];
    catalog?: boolean;
  };
  if (!Array.isArray(lists)) throw new Error('it must be {"lists": […]}');
  const fault = lists.map(rowFault).find((one) => one !== undefined);
  if (fault !== undefined) throw new Error(fault);
  return { own: lists, isOwnOnly: !catalog };
}

function fileFault(path: string): string | undefined {
  try {
    readFile(path);
    return undefined;
  } catch (error) {
    return `this JSON file of blocklists cannot be used: ${(error as Error).message}.`;
  }
}

const keysFault = (text: string): string | undefined =>
  text.split(',').every((part) => /^\s*[a-z][a-z0-9-]*=[A-Za-z0-9-]{4,100}\s*$/.test(part))
    ? undefined
    : 'give name=key, joined by commas; a key has letters, digits and hyphens.';

export const BLOCKLIST_SETTINGS: readonly Setting[] = [
  {
    name: 'GALLEY_BLOCKLISTS',
    default: '',
    about:
      'Path of a JSON file with blocklists of your own, `{"lists": [{"zone": "bl.example.com", "kinds": ["ip4"]}]}`; ' +
      'fields as in `data/blocklists/README.md`. A row of a known zone changes that row, `"off": true` switches it ' +
      'off, and `"catalog": false` beside `lists` asks no other list.',
    check: fileFault,
  },
  {
    name: 'GALLEY_BLOCKLIST_KEYS',
    default: '',
    about:
      'Keys of lists that ask for one, `name=key` joined by commas; the name is the `key` of the list’s row, such as ' +
      '`spamhaus` for its Data Query Service.',
    check: keysFault,
    isSecret: true,
  },
  {
    name: 'GALLEY_BLOCKLIST_QUESTIONS_PER_DAY',
    default: '50000',
    about: 'Questions a day (UTC) that each blocklist is asked at most, where its operator allows no other number.',
    check: (text) =>
      /^\d{1,9}$/.test(text) && Number(text) >= 10 ? undefined : 'give a whole number from 10 to 999999999.',
  },
];

export function readBlocklists(read: (name: string) => string | undefined): BlocklistConfig {
  const path = read('GALLEY_BLOCKLISTS');
  const entries = (read('GALLEY_BLOCKLIST_KEYS') ?? '').split(',').filter(Boolean);
  return {
    ...(path === undefined || fileFault(path) !== undefined ? { own: [], isOwnOnly: false } : readFile(path)),
    keys: Object.fromEntries(entries.map((entry) => entry.trim().split('=') as [string, string])),
    questionsPerDay: Number(read('GALLEY_BLOCKLIST_QUESTIONS_PER_DAY')),
  };
}
