// Who supports a feature, by family of clients: the newest tested version of each platform counts.
import type { AnalyzedFeature } from '../../../shared/report/report-api.ts';

export type Level = 'y' | 'a' | 'n' | 'u';

export interface PlatformSupport {
  platform: string;
  version: string;
  level: Level;
  notes: string[];
}

export const LEVEL_NAMES: Record<Level, string> = {
  y: 'supported',
  a: 'partly supported',
  n: 'not supported',
  u: 'not tested',
};

const LEVELS: Level[] = ['y', 'a', 'n', 'u'];
const BY_NUMBER = new Intl.Collator('en', { numeric: true });

/** Support by family, and in each by platform. */
export function supportOf(feature: AnalyzedFeature): Map<string, PlatformSupport[]> {
  const newest = new Map<string, PlatformSupport & { family: string }>();
  for (const level of LEVELS) {
    for (const variant of feature.support[level] ?? []) {
      if (!('id' in variant)) continue;
      const [family = '', platform = '', ...rest] = variant.id.split('.');
      const version = rest.join('.');
      const key = `${family}.${platform}`;
      const known = newest.get(key);
      if (!known || BY_NUMBER.compare(version, known.version) > 0)
        newest.set(key, { family, platform, version, level, notes: variant.notes });
    }
  }
  return Map.groupBy(newest.values(), ({ family }) => family);
}

/** What a family as a whole does: everything the same, or some of it. */
export function levelOf(platforms: readonly PlatformSupport[] | undefined): Level {
  const known = (platforms ?? []).filter(({ level }) => level !== 'u');
  if (known.length === 0) return 'u';
  if (known.every(({ level }) => level === 'y')) return 'y';
  if (known.every(({ level }) => level === 'n')) return 'n';
  return 'a';
}

/** Families that most messages are read in; the others are shown on demand. */
export const MAIN_FAMILIES = ['apple-mail', 'gmail', 'outlook', 'yahoo', 'samsung-email', 'aol', 'thunderbird'];
