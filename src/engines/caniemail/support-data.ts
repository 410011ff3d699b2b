// Looks up what a client supports in the caniemail data (data/caniemail: MIT, tested by hand, every fact dated).

import caniemail from '../../../data/caniemail/caniemail.json' with { type: 'json' };

/** `y` supported, `n` not, `a` in part, `u` not tested. */
export type SupportLevel = 'y' | 'n' | 'a' | 'u';

export interface Support {
  level: SupportLevel;
  /** Numbers into the feature's notes, in the order given. */
  notes: number[];
  /** The version or date of the client that the cell was tested with; left out where there is no cell. */
  version?: string;
}

export interface Feature {
  slug: string;
  title: string;
  category: 'html' | 'css' | 'image' | 'others';
  /** When somebody last tried it, `YYYY-MM-DD`. */
  lastTestDate: string;
  notes: ReadonlyMap<number, string>;
  /** Family, then platform, then versions from oldest to newest. */
  stats: ReadonlyMap<string, ReadonlyMap<string, readonly DatedSupport[]>>;
}

interface DatedSupport extends Support {
  version: string;
}

const UNTESTED: Support = { level: 'u', notes: [] };

/** Names that people use for families of the data. */
const familyAliases: Record<string, string> = {
  free: 'free-fr',
  't-online': 't-online-de',
  ionos: 'ionos-1and1',
  '1and1': 'ionos-1and1',
  '1und1': 'ionos-1and1',
  samsung: 'samsung-email',
  proton: 'protonmail',
  'proton-mail': 'protonmail',
  mailru: 'mail-ru',
  'mail.ru': 'mail-ru',
  webde: 'web-de',
  'web.de': 'web-de',
  wp: 'wp-pl',
  apple: 'apple-mail',
  applemail: 'apple-mail',
  'outlook-com': 'outlook',
  'yahoo-mail': 'yahoo',
  'hey-com': 'hey',
};

/** Every feature of the data, sorted by slug. */
export const features: readonly Feature[] = (caniemail.data as unknown as RawFeature[]).map(readFeature);

/** When the data was last changed, `YYYY-MM-DD`. */
export const dataDate: string = caniemail.last_update_date.slice(0, 10);

const bySlug = new Map(features.map((feature) => [feature.slug, feature]));

interface RawFeature {
  slug: string;
  title: string;
  category: Feature['category'];
  last_test_date: string;
  stats: Record<string, Record<string, [string, string][]>>;
  notes_by_num: Record<string, string>;
}

function readFeature(raw: RawFeature): Feature {
  const stats = Object.entries(raw.stats).map(([family, platforms]) => {
    const rows = Object.entries(platforms).map(
      ([platform, versions]) =>
        [platform, versions.map(([version, text]) => ({ version, ...parseSupport(text) }))] as const,
    );
    return [family, new Map(rows)] as const;
  });
  const notes = Object.entries(raw.notes_by_num).map(([number, text]) => [Number(number), text] as const);
  return {
    slug: raw.slug,
    title: raw.title,
    category: raw.category,
    lastTestDate: raw.last_test_date,
    notes: new Map(notes),
    stats: new Map(stats),
  };
}

/** Reads a cell such as `y`, `n #1` or `a #1 #3`. Anything else is untested. */
export function parseSupport(text: string): Support {
  const level = text.trim().charAt(0);
  if (level !== 'y' && level !== 'n' && level !== 'a') return UNTESTED;
  return { level, notes: [...text.matchAll(/#(\d+)/g)].map((match) => Number(match[1])) };
}

export function featureOf(slug: string): Feature | undefined {
  return bySlug.get(slug);
}

/** The data's own name of a family: `samsung` becomes `samsung-email`. */
export function familyOf(name: string): string {
  return familyAliases[name] ?? name;
}

/**
 * What one client does with a feature.
 * @param slug such as `css-display-flex`.
 * @param version a version, year or date in the data's spelling. Empty means the newest. An older version gets the
 *   entry at or before it, and the oldest entry when all are newer.
 * @returns level `u` when the data has no row for the client.
 */
export function supportOf(slug: string, client: { family: string; platform: string; version?: string }): Support {
  const versions = bySlug.get(slug)?.stats.get(familyOf(client.family))?.get(client.platform);
  return (versions && entryFor(versions, client.version ?? '')) ?? UNTESTED;
}

function entryFor(versions: readonly DatedSupport[], wanted: string): DatedSupport | undefined {
  if (!wanted) return versions.at(-1);
  const exact = versions.find((entry) => entry.version === wanted);
  if (exact) return exact;
  const kind = kindOf(wanted);
  let before: DatedSupport | undefined;
  let newer: DatedSupport | undefined;
  for (const entry of versions) {
    if (kindOf(entry.version) !== kind) continue;
    if (compareVersions(entry.version, wanted) <= 0) before = entry;
    else newer ??= entry;
  }
  // Newer than everything known, or counted in another way than the data counts: the newest entry is the best guess.
  if (!newer) return versions.at(-1);
  return before ?? newer;
}

function kindOf(version: string): 'date' | 'year' | 'number' {
  if (/^\d{4}-\d\d/.test(version)) return 'date';
  return /^20\d\d$/.test(version) ? 'year' : 'number';
}

function compareVersions(a: string, b: string): number {
  const left = a.split(/[.-]/).map(Number);
  const right = b.split(/[.-]/).map(Number);
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] || 0) - (right[i] || 0);
    if (difference) return difference;
  }
  return 0;
}

/** Every family and platform that the data has rows for, in the data's order. */
export function clientsOfData(): { family: string; platform: string }[] {
  const seen = new Map<string, { family: string; platform: string }>();
  for (const feature of features)
    for (const [family, platforms] of feature.stats)
      for (const platform of platforms.keys()) seen.set(`${family}.${platform}`, { family, platform });
  return [...seen.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, client]) => client);
}
