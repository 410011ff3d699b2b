// What one client loses of a message.

import { applicationTypeOf, readNote, freshSupportOf, type SupportLevel } from '../caniemail/index.ts';
import { aboutOf, type Impact } from './about.ts';
import { wordVersionOf } from './support-rows.ts';
import type { AnalyzedFeature } from './types.ts';

/** A client of the data; `version` as in the data, empty for the newest. */
export interface Client {
  family: string;
  platform: string;
  version: string;
}

export interface Loss {
  slug: string;
  level: SupportLevel;
  /** Notes of the client's cell that are about what this message does. */
  notes: number[];
  /** 0 for nothing, 1 for the whole message. */
  size: number;
}

/** How much of a message is lost with a feature that is not supported at all. Our own judgment. */
const sizes: Record<Exclude<Impact, 'mobile'>, number> = {
  content: 0.25,
  layout: 0.12,
  look: 0.03,
  access: 0.01,
  detail: 0.005,
  none: 0,
};

/** Partly supported: what is lost when the missing part is used, and when nobody can tell whether it is. */
const MET = 0.4;
const UNCLEAR = 0.1;

/** Everything a client loses, the largest first. What it does not read, and what was never tested, is not among it. */
export function lossesIn(features: readonly AnalyzedFeature[], client: Client): Loss[] {
  return features.flatMap((feature) => lossOf(feature, client) ?? []).sort((a, b) => b.size - a.size);
}

/** What of a feature says who reads it. */
export type FeatureUse = Pick<
  AnalyzedFeature,
  'slug' | 'readers' | 'instanceCount' | 'inStyleSheets' | 'inMediaQueries'
>;

/**
 * Whether a client comes upon any place where the message uses the feature: conditional comments hide places from Word
 * or from the others, and what stands only in style sheets (in media queries) means nothing to a client without them.
 */
export function isReadBy(feature: FeatureUse, client: Client): boolean {
  const { readers, slug, instanceCount, inStyleSheets, inMediaQueries } = feature;
  const word = wordVersionOf(client);
  if (!(word === undefined ? readers.others : readers.word.includes(word))) return false;
  if (!inStyleSheets || inStyleSheets < instanceCount) return true;
  if (freshSupportOf('html-style', client).level === 'n') return false;
  const isOnlyInMedia = inMediaQueries === instanceCount && slug !== 'css-at-media';
  return !isOnlyInMedia || freshSupportOf('css-at-media', client).level !== 'n';
}

/** What a client loses of one feature; undefined for nothing. */
export function lossOf(feature: AnalyzedFeature, client: Client): Loss | undefined {
  const { level, notes } = freshSupportOf(feature.slug, client);
  if (level === 'u' || !isReadBy(feature, client)) return undefined;
  const met = notes.filter((number) => feature.notesMet.includes(number));
  const extent = extentOf(feature, { level, notes, met });
  const size = extent * sizeOf(aboutOf(feature.slug).impact, client);
  return size > 0 ? { slug: feature.slug, level, notes: level === 'n' ? notes : met, size } : undefined;
}

function extentOf(
  feature: AnalyzedFeature,
  { level, notes, met }: { level: SupportLevel; notes: readonly number[]; met: readonly number[] },
): number {
  if (level === 'n') return 1;
  if (met.length) return MET;
  if (level === 'y') return 0;
  const isUnclear =
    !notes.length ||
    notes.some((number) => {
      const kind = readNote(feature.slug, number, feature.notes[number])?.kind;
      return kind !== 'rules' && kind !== 'kept';
    });
  return isUnclear ? UNCLEAR : 0;
}

function sizeOf(impact: Impact, client: Client): number {
  if (impact !== 'mobile') return sizes[impact];
  return applicationTypeOf(client.platform) === 'mobile' || client.platform === 'mobile-webmail'
    ? sizes.layout
    : sizes.detail;
}

/**
 * What is left after several losses: 1 − the union of them. Losses that the same means would mend have one cause and
 * count once: without flexbox, all its properties go together.
 */
export function leftAfter(losses: readonly Loss[]): number {
  const byRemedy = new Map<string, number>();
  for (const { slug, size } of losses) {
    const remedy = aboutOf(slug).suggestion ?? slug;
    byRemedy.set(remedy, Math.max(byRemedy.get(remedy) ?? 0, size));
  }
  return [...byRemedy.values()].reduce((left, size) => left * (1 - size), 1);
}
