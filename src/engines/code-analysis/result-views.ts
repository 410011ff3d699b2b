// The analysis in the words of the API: filters, groups and sums. Pure views; what was resolved is kept elsewhere.

import { applicationTypeOf, freshSupportOf, type ApplicationType, type SupportLevel } from '../caniemail/index.ts';
import { weightedClients, type Audience } from './audiences.ts';
import type { AnalyzedFeature, CodeAnalysis, SupportRow } from './types.ts';

export interface ResultFilter {
  slug?: string;
  /** Only features with such support, and only those variants. */
  supportType?: SupportLevel;
  /** Only variants of this kind. */
  applicationType?: ApplicationType;
  groupBy?: 'notes';
}

interface VariantReference {
  id: string;
  /** Keys of the feature's `notes_lookup`. */
  notes: string[];
}

interface VariantGroup {
  /** The texts of the notes that the variants share; empty for none. */
  note: string;
  variants: string[];
}

type SupportLists<Entry> = Partial<Record<SupportLevel, Entry[]>>;

interface FeatureView {
  slug: string;
  name: string;
  description: string;
  category: string;
  notes_lookup: Record<string, string>;
  instances: { id: string; line: number; column: number; resolved: boolean }[];
  support: SupportLists<VariantReference> | SupportLists<VariantGroup>;
}

/** Percentages of what the message uses; the four add up to 100. */
interface SupportSums {
  supported: number;
  partial_support: number;
  unsupported: number;
  unknown: number;
}

interface SupportAggregates {
  application_support: Record<ApplicationType, SupportSums>;
  /** Keyed by family, with `_` instead of `-`. */
  inbox_provider_support: Record<string, SupportSums>;
  market_support: SupportSums;
}

/** The id of an instance: the same as long as the place stays. */
export function instanceId(slug: string, { line, column }: { line: number; column: number }): string {
  return `${slug}-${line}-${column}`;
}

/**
 * The features of a result as the API gives them.
 * @param resolved ids of instances that somebody marked as resolved.
 */
export function featureViews(
  analysis: Pick<CodeAnalysis, 'features'>,
  filter: ResultFilter = {},
  resolved: ReadonlySet<string> = new Set(),
): FeatureView[] {
  return analysis.features.flatMap((feature) => {
    if (filter.slug !== undefined && feature.slug !== filter.slug) return [];
    const rows = feature.support.filter(
      ({ level, platform }) =>
        (!filter.supportType || level === filter.supportType) &&
        (!filter.applicationType || applicationTypeOf(platform) === filter.applicationType),
    );
    if (filter.supportType && !rows.length) return [];
    return [
      {
        slug: feature.slug,
        name: feature.title,
        description: feature.description,
        category: feature.category,
        notes_lookup: notesOf(feature, rows),
        instances: feature.instances.map((instance) => {
          const id = instanceId(feature.slug, instance);
          return { id, line: instance.line, column: instance.column, resolved: resolved.has(id) };
        }),
        support: filter.groupBy ? groupedLists(feature, rows) : plainLists(rows, filter.supportType),
      },
    ];
  });
}

/** The notes that rows point to and that exist. */
function notesOf({ notes }: AnalyzedFeature, rows: readonly SupportRow[]): Record<string, string> {
  const numbers = [...new Set(rows.flatMap((row) => row.notes))].sort((a, b) => a - b);
  return Object.fromEntries(
    numbers.flatMap((number) => (notes[number] === undefined ? [] : [[String(number), notes[number]]])),
  );
}

function levelsOf(rows: readonly SupportRow[], only: SupportLevel | undefined): SupportLevel[] {
  if (only) return [only];
  return rows.some(({ level }) => level === 'u') ? ['y', 'a', 'n', 'u'] : ['y', 'a', 'n'];
}

function plainLists(rows: readonly SupportRow[], only: SupportLevel | undefined): SupportLists<VariantReference> {
  return Object.fromEntries(
    levelsOf(rows, only).map((level) => [
      level,
      rows.filter((row) => row.level === level).map(({ id, notes }) => ({ id, notes: notes.map(String) })),
    ]),
  );
}

function groupedLists({ notes }: AnalyzedFeature, rows: readonly SupportRow[]): SupportLists<VariantGroup> {
  const lists: SupportLists<VariantGroup> = {};
  for (const row of rows) {
    const note = row.notes.flatMap((number) => notes[number] ?? []).join(' ');
    const groups = (lists[row.level] ??= []);
    const group = groups.find((one) => one.note === note);
    if (group) group.variants.push(row.id);
    else groups.push({ note, variants: [row.id] });
  }
  return lists;
}

// ---- Sums -------------------------------------------------------------------------------------------------------

type Tally = Record<SupportLevel, number>;

const emptyTally = (): Tally => ({ y: 0, a: 0, n: 0, u: 0 });

/**
 * How well the message's features are supported: by kind of application, by family, and by an audience. Only the newest
 * version of each client counts, each client alike; `market_support` weighs clients by their share of the audience.
 */
export function supportAggregates(
  analysis: Pick<CodeAnalysis, 'features'>,
  audience: Pick<Audience, 'clients'>,
): SupportAggregates {
  const kinds: Record<ApplicationType, Tally> = { desktop: emptyTally(), mobile: emptyTally(), web: emptyTally() };
  const families = new Map<string, Tally>();
  for (const { support } of analysis.features) {
    for (const { family, platform, level, isNewest } of support) {
      if (!isNewest) continue;
      kinds[applicationTypeOf(platform)][level]++;
      const key = family.replaceAll('-', '_');
      const tally = families.get(key);
      if (tally) tally[level]++;
      else families.set(key, { ...emptyTally(), [level]: 1 });
    }
  }
  const market = emptyTally();
  for (const client of weightedClients(audience)) {
    for (const { slug } of analysis.features) market[freshSupportOf(slug, client).level] += client.share;
  }
  return {
    application_support: { desktop: sumsOf(kinds.desktop), mobile: sumsOf(kinds.mobile), web: sumsOf(kinds.web) },
    inbox_provider_support: Object.fromEntries(
      [...families].sort(([a], [b]) => (a < b ? -1 : 1)).map(([family, tally]) => [family, sumsOf(tally)]),
    ),
    market_support: sumsOf(market),
  };
}

/** Percentages with two decimals; a message that uses nothing is supported. */
function sumsOf({ y, a, n, u }: Tally): SupportSums {
  const total = y + a + n + u;
  if (!total) return { supported: 100, partial_support: 0, unsupported: 0, unknown: 0 };
  const part = (count: number) => Math.round((count / total) * 10_000) / 100;
  const [partial_support, unsupported, unknown] = [part(a), part(n), part(u)];
  return {
    supported: Math.round((100 - partial_support - unsupported - unknown) * 100) / 100,
    partial_support,
    unsupported,
    unknown,
  };
}
