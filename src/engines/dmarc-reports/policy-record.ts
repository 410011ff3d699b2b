// The record of a domain's policy (RFC 9989 §4.7): read, judged, and built.

export type Policy = 'none' | 'quarantine' | 'reject';

interface RecordNote {
  /** `error`: receivers treat the record as if it were not there, or not as meant. `advice`: it works. */
  level: 'error' | 'advice';
  tag: string;
  message: string;
}

export interface PolicyRecord {
  tags: Readonly<Record<string, string>>;
  notes: RecordNote[];
  p: Policy | null;
  sp: Policy | null;
  np: Policy | null;
  isTesting: boolean;
  /** Addresses of `rua=`, lower case. */
  reportAddresses: string[];
  failureAddresses: string[];
}

/** Of `rua` and of `ruf`; RFC 9990 asks receivers for two. */
const ADDRESSES_MAX = 20;
const VERSION = /^v[ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/i;
const POLICIES = new Set(['none', 'quarantine', 'reject']);
const REMOVED: Readonly<Record<string, string>> = {
  pct:
    'pct was removed by RFC 9989: receivers handled it differently. To try a policy out, publish it with t=y, which ' +
    'asks for the next weaker one.',
  rf: 'rf was removed by RFC 9989; there is one format.',
  ri: 'ri was removed by RFC 9989; reports come once a day.',
};
const KNOWN = new Set(['v', 'p', 'sp', 'np', 'adkim', 'aspf', 'fo', 'rua', 'ruf', 't', 'psd', ...Object.keys(REMOVED)]);
const VALUES: Readonly<Record<string, RegExp>> = {
  p: /^(none|quarantine|reject)$/,
  sp: /^(none|quarantine|reject)$/,
  np: /^(none|quarantine|reject)$/,
  adkim: /^[rs]$/,
  aspf: /^[rs]$/,
  t: /^[yn]$/,
  psd: /^[yun]$/,
  fo: /^[01ds](\s*:\s*[01ds])*$/,
};
const MEANT: Readonly<Record<string, string>> = {
  p: 'none, quarantine or reject',
  sp: 'none, quarantine or reject',
  np: 'none, quarantine or reject',
  adkim: 'r or s',
  aspf: 'r or s',
  t: 'y or n',
  psd: 'y, n or u',
  fo: '0, 1, d, s or several of them with colons between',
};

/** Whether a TXT record is meant as one of DMARC. */
const isPolicyRecord = (text: string): boolean => VERSION.test(text.trim());

function addressesIn(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((uri) => /^\s*mailto:([^!?\s]+)/i.exec(uri)?.[1])
    .filter((address) => address !== undefined)
    .slice(0, ADDRESSES_MAX)
    .map((address) => {
      try {
        return decodeURIComponent(address).toLowerCase();
      } catch {
        return address.toLowerCase();
      }
    });
}

function notesOn(tags: Readonly<Record<string, string>>): RecordNote[] {
  const notes: RecordNote[] = [];
  const note = (level: RecordNote['level'], tag: string, message: string) => notes.push({ level, tag, message });
  if (tags['p'] === undefined)
    note('error', 'p', 'p is missing: it is none, quarantine or reject. Without it receivers use none at most.');
  for (const [tag, value] of Object.entries(tags)) {
    const shown = value.slice(0, 60);
    if (VALUES[tag] && !VALUES[tag].test(value.toLowerCase()))
      note('error', tag, `${tag} must be ${MEANT[tag]}; it is "${shown}".`);
    if (REMOVED[tag]) note('advice', tag, REMOVED[tag]);
    if (!KNOWN.has(tag)) note('advice', tag, `${tag.slice(0, 60)} is no tag of DMARC; receivers ignore it.`);
  }
  if (tags['rua'] === undefined) note('advice', 'rua', 'Without rua nobody sends reports.');
  else if (addressesIn(tags['rua']).length === 0)
    note('error', 'rua', 'rua names no address: it is mailto:address, several with commas between.');
  for (const tag of ['rua', 'ruf'])
    if ((tags[tag] ?? '').split(',').length > ADDRESSES_MAX)
      note('advice', tag, `${tag} names more than ${ADDRESSES_MAX} addresses; those beyond are not looked at here.`);
  if (tags['t'] === 'y') note('advice', 't', 't=y: receivers are asked for the next weaker policy. It is for a trial.');
  return notes;
}

/** Undefined: it is no record of DMARC. Names of tags and values are taken in any case, as receivers do. */
export function readPolicyRecord(text: string): PolicyRecord | undefined {
  if (!isPolicyRecord(text)) return undefined;
  const tags: Record<string, string> = {};
  const notes: RecordNote[] = [];
  for (const part of text.slice(0, 4096).split(';')) {
    const at = part.indexOf('=');
    const tag = (at < 0 ? part : part.slice(0, at)).trim().toLowerCase();
    if (tag === '') continue;
    if (at < 0) notes.push({ level: 'error', tag, message: `"${tag.slice(0, 60)}" is no tag: it has no value.` });
    else if (Object.hasOwn(tags, tag))
      notes.push({ level: 'error', tag, message: `${tag} is there twice; then the whole record does not count.` });
    else tags[tag] = part.slice(at + 1).trim();
  }
  const policy = (tag: string): Policy | null => {
    const value = tags[tag]?.toLowerCase();
    return value !== undefined && POLICIES.has(value) ? (value as Policy) : null;
  };
  return {
    tags,
    notes: [...notes, ...notesOn(tags)],
    p: policy('p'),
    sp: policy('sp'),
    np: policy('np'),
    isTesting: tags['t']?.toLowerCase() === 'y',
    reportAddresses: addressesIn(tags['rua']),
    failureAddresses: addressesIn(tags['ruf']),
  };
}

interface WantedRecord {
  p: Policy;
  sp?: Policy | undefined;
  np?: Policy | undefined;
  adkim?: 'r' | 's' | undefined;
  aspf?: 'r' | 's' | undefined;
  isTesting?: boolean | undefined;
  reportAddresses: readonly string[];
  failureAddresses?: readonly string[] | undefined;
  /** Of a record that is there, as it says them; `psd` decides where receivers look for the organization. */
  fo?: string | undefined;
  psd?: string | undefined;
}

/** RFC 6068: what separates addresses, sizes and tags is written in hexadecimal. */
const uriOf = (address: string): string =>
  `mailto:${address.replaceAll(/[%,;!?# ]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`;

function valid(tag: 'fo' | 'psd', value: string | undefined): string | undefined {
  return value !== undefined && VALUES[tag]?.test(value.toLowerCase()) ? value : undefined;
}

/** The text to publish at `_dmarc.<domain>`. Defaults are left out, and so is `pct`, which RFC 9989 removed. */
export function writePolicyRecord(wanted: WantedRecord): string {
  const { p, sp, np, adkim, aspf, isTesting, reportAddresses, failureAddresses = [], fo = '1', psd } = wanted;
  const tags: [string, string | undefined][] = [
    ['v', 'DMARC1'],
    ['p', p],
    ['sp', sp === p ? undefined : sp],
    ['np', np === (sp ?? p) ? undefined : np],
    ['adkim', adkim === 's' ? 's' : undefined],
    ['aspf', aspf === 's' ? 's' : undefined],
    ['t', isTesting === true ? 'y' : undefined],
    ['rua', reportAddresses.map(uriOf).join(',') || undefined],
    ['ruf', failureAddresses.map(uriOf).join(',') || undefined],
    ['fo', failureAddresses.length > 0 ? valid('fo', fo) : undefined],
    ['psd', valid('psd', psd)],
  ];
  return tags
    .filter(([, value]) => value !== undefined)
    .map(([tag, value]) => `${tag}=${value}`)
    .join('; ');
}
