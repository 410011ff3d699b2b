// When a cell of the data still holds. What a client does with selectors hangs on what it does with <style>; where
// that changed after the selectors were tried, their cells say nothing about the client of today.

import newer from '../../../data/caniemail/newer-evidence.json' with { type: 'json' };
import { familyOf, featureOf, supportOf, type Feature, type Support, type SupportLevel } from './support-data.ts';

/** What a feature depends on, nearest first; empty for one that stands alone. */
function dependenciesOf(slug: string): readonly string[] {
  if (slug.startsWith('css-at-media-')) return ['css-at-media', 'html-style'];
  if (/^css-(?:at-|selector-|pseudo-|nesting)/.test(slug)) return ['html-style'];
  return /^html-(?:srcset|picture|image-maps|loading)/.test(slug) ? ['html-img'] : [];
}

interface Client {
  family: string;
  platform: string;
  version?: string;
}

interface Freshness {
  support: Support;
  /** Why the cell of the data is not used, or undefined: it is. */
  stale?: string;
  /** What it depends on went at this date, after the cell was tested: the cell no longer matters. */
  moot?: string;
  /** The newer evidence that is used in its place. */
  source?: string;
}

/** What the data says of a client today: a cell that is older than a change of what it depends on says nothing. */
export function freshSupportOf(slug: string, client: Client): Support {
  const feature = featureOf(slug);
  return feature ? freshSupport(feature, client).support : supportOf(slug, client);
}

/** One cell, unless it is older than a change of what it depends on, or newer evidence is known. */
export function freshSupport(feature: Feature, client: Client): Freshness {
  const support = supportOf(feature.slug, client);
  const { version: tested = '' } = support;
  const evidence = newerEvidence(feature.slug, client);
  if (evidence && !isNewer(tested, evidence.date))
    return { support: { level: evidence.level, notes: [] }, source: evidence.source };
  // What is supported needs no filter, and untested stays untested.
  if (support.level !== 'n' && support.level !== 'a') return { support };
  for (const slug of dependenciesOf(feature.slug)) {
    const change = changeOf(slug, client);
    if (!change || !isNewer(change.since, tested)) continue;
    // Where it went, nothing that depends on it can show any more.
    if (!change.isSupported) return { support, moot: change.since };
    return {
      support: { level: 'u', notes: [] },
      stale:
        `tested ${tested}, before ${featureOf(slug)?.title ?? slug} was supported in ${change.since}: ` +
        'not known since',
    };
  }
  return { support };
}

/** The last time that a client began or ceased to support a feature at all. */
function changeOf(slug: string, client: Client): { since: string; isSupported: boolean } | undefined {
  if (client.version) return undefined;
  const versions = featureOf(slug)?.stats.get(familyOf(client.family))?.get(client.platform) ?? [];
  for (let i = versions.length - 1; i > 0; i--) {
    const [before, after] = [versions[i - 1]!, versions[i]!];
    if (before.level === 'u' || after.level === 'u' || (before.level === 'n') === (after.level === 'n')) continue;
    return { since: after.version, isSupported: after.level !== 'n' };
  }
  return undefined;
}

const isDate = (version: string): boolean => /^\d{4}-\d\d/.test(version);

/** Dates are compared; versions of a program are each tested as a whole, and stay as the data has them. */
const isNewer = (one: string, other: string): boolean => isDate(one) && isDate(other) && one > other;

interface Evidence {
  level: SupportLevel;
  date: string;
  source: string;
}

function newerEvidence(slug: string, { family, platform, version }: Client): Evidence | undefined {
  if (version) return undefined;
  return newer.evidence.find(
    (one) => one.family === familyOf(family) && one.platforms.includes(platform) && one.features.includes(slug),
  ) as Evidence | undefined;
}
