// The support data as rows, one for each tested version of each client; made once. A client's newest row says what
// still holds: a test that is older than a change of what it depends on says nothing.

import { features, freshSupport, type Feature } from '../caniemail/index.ts';
import type { SupportRow } from './types.ts';
import type { WordVersion } from '../source/index.ts';

const rows = new Map<string, readonly SupportRow[]>(
  features.map((feature) => [feature.slug, Object.freeze(rowsOf(feature))]),
);

function rowsOf(feature: Feature): SupportRow[] {
  return [...feature.stats].flatMap(([family, platforms]) =>
    [...platforms].flatMap(([platform, versions]) =>
      versions.map((tested, nth) => {
        const isNewest = nth === versions.length - 1;
        const { version } = tested;
        const { level, notes } = isNewest ? freshSupport(feature, { family, platform }).support : tested;
        return Object.freeze({
          id: variantId({ family, platform, version }),
          family,
          platform,
          version,
          level,
          notes: Object.freeze(notes),
          isNewest,
        });
      }),
    ),
  );
}

/** Every tested version of every client for a feature, oldest first within a client. */
export function supportRows(slug: string): readonly SupportRow[] {
  return rows.get(slug) ?? [];
}

function variantId({ family, platform, version }: { family: string; platform: string; version: string }): string {
  return `${family}.${platform}.${version}`;
}

/**
 * The number that Word answers to `[if mso N]` in a client; undefined for clients that don't show messages with Word.
 * @param version as in the data; empty means the newest.
 */
export function wordVersionOf({
  family,
  platform,
  version,
}: {
  family: string;
  platform: string;
  version: string;
}): WordVersion | undefined {
  if (family !== 'outlook' || (platform !== 'windows' && platform !== 'windows-mail') || version === '2003')
    return undefined;
  return ({ 2007: 12, 2010: 14, 2013: 15 } as Record<string, WordVersion>)[version] ?? 16;
}
