import { dataDate, featureOf, features, type Feature } from '../caniemail/index.ts';
import { aboutOf } from './about.ts';
import {
  elementPaths,
  EVERYBODY,
  joinReaders,
  lineColumnAt,
  lineStartsOf,
  readersAt,
  messageHtml,
  snippetOf,
  type LocatedMessage,
  type MessageHtml,
  type Readers,
} from '../source/index.ts';
import { searchHeaders } from './search-headers.ts';
import { searchMessage, type Hit } from './search-html.ts';
import { supportRows } from './support-rows.ts';
import type { AnalyzedFeature, AnalyzeOptions, CodeAnalysis, FeatureInstance } from './types.ts';

const INSTANCES_MAX = 200;

/**
 * Every feature of the caniemail data that a message uses, where it uses it, and what each version of each client does
 * with it. Finds by parsing: what stands in text, in comments of CSS, or in comments that no client reads is not a use.
 * @param given decoded text of the HTML part, read or not. Anything goes in; the first 200,000 nodes are read.
 */
export function analyzeCode(given: string | MessageHtml, options: AnalyzeOptions = {}): CodeAnalysis {
  const { html, message } = messageHtml(given);
  const uses = usesBySlug(searchMessage(message, options.imageFormats));
  const outside = searchHeaders(message, options);
  const write = writerOf(message, options.instancesMax ?? INSTANCES_MAX);
  const found = features.flatMap((feature) => {
    const use = uses.get(feature.slug);
    if (use) return [write(feature, use)];
    return outside.found.has(feature.slug) ? [withoutPlace(feature)] : [];
  });
  return {
    features: found,
    sourceBytes: Buffer.byteLength(html),
    notLookedFor: outside.notLookedFor,
    complete: message.complete,
    dataDate,
  };
}

interface Use {
  hits: Hit[];
  /** Hits of the feature's notes, by number. */
  notes: Map<number, Hit[]>;
}

function usesBySlug(hits: readonly Hit[]): Map<string, Use> {
  const uses = new Map<string, Use>();
  const notes: Hit[] = [];
  for (const hit of hits) {
    if (hit.key.includes('#')) notes.push(hit);
    else {
      const use = uses.get(hit.key);
      if (use) use.hits.push(hit);
      else uses.set(hit.key, { hits: [hit], notes: new Map() });
    }
  }
  // A note alone is no use: it may be about something beside the feature.
  for (const hit of notes) {
    const [slug, number] = hit.key.split('#') as [string, string];
    const use = uses.get(slug);
    if (!use) continue;
    const list = use.notes.get(Number(number));
    if (list) list.push(hit);
    else use.notes.set(Number(number), [hit]);
  }
  return uses;
}

function writerOf(message: LocatedMessage, instancesMax: number): (feature: Feature, use: Use) => AnalyzedFeature {
  const lines = lineStartsOf(message.source);
  const pathOf = elementPaths(message.elements.filter(({ readers }) => !readers).map(({ node }) => node));
  const readersOf = (hit: Hit): Readers => hit.home?.readers ?? readersAt(message.conditionals, hit.start);
  return (feature, use) => {
    const hits = inOrder(use.hits);
    const notesAt = use.notes.size ? notesByPlace(use.notes) : undefined;
    const kept = hits.length > instancesMax ? hits.slice(0, instancesMax) : hits;
    const instances = kept.map((hit): FeatureInstance => {
      const { line, column } = lineColumnAt(lines, hit.start);
      const instance: FeatureInstance = {
        line,
        column,
        offset: hit.start,
        snippet: snippetOf(message.source, hit.start, hit.end),
      };
      const selector = hit.element && !hit.element.readers ? pathOf(hit.element.node) : undefined;
      const readers = readersOf(hit);
      const notes = notesAt?.get(hit.end);
      if (selector !== undefined) instance.selector = selector;
      if (readers !== EVERYBODY) instance.readers = readers;
      if (notes) instance.notes = notes;
      return instance;
    });
    let readers = readersOf(hits[0]!);
    for (const hit of hits) if (readers !== EVERYBODY) readers = joinReaders(readers, readersOf(hit));
    let inStyleSheets = 0;
    let inMediaQueries = 0;
    for (const { isInMedia } of hits) {
      if (isInMedia !== undefined) inStyleSheets++;
      if (isInMedia) inMediaQueries++;
    }
    return {
      ...describe(feature),
      instances,
      instanceCount: hits.length,
      inStyleSheets,
      inMediaQueries,
      notesMet: [...use.notes.keys()].sort((a, b) => a - b),
      readers,
    };
  };
}

/** Sorted by place, each place once. */
function inOrder(hits: Hit[]): Hit[] {
  let isSorted = true;
  for (let i = 1; i < hits.length && isSorted; i++) isSorted = hits[i - 1]!.start < hits[i]!.start;
  if (isSorted) return hits;
  hits.sort((a, b) => a.start - b.start);
  return hits.filter((hit, nth) => nth === 0 || hit.start !== hits[nth - 1]!.start);
}

/** A note is about the instance that ends where it ends: both mean the same declaration, selector or tag. */
function notesByPlace(notes: Use['notes']): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (const [number, hits] of notes) {
    for (const { end } of hits) {
      const list = places.get(end);
      if (!list) places.set(end, [number]);
      else if (!list.includes(number)) list.push(number);
    }
  }
  return places;
}

type OfMessage = Pick<
  AnalyzedFeature,
  'slug' | 'instances' | 'instanceCount' | 'inStyleSheets' | 'inMediaQueries' | 'notesMet' | 'readers'
>;
type Described = Omit<AnalyzedFeature, Exclude<keyof OfMessage, 'slug'>>;
const descriptions = new Map<string, Described>();

/** All about a feature that doesn't depend on the message. */
function describe(feature: Feature): Described {
  let described = descriptions.get(feature.slug);
  if (!described) {
    const { description, suggestion } = aboutOf(feature.slug);
    descriptions.set(
      feature.slug,
      (described = {
        slug: feature.slug,
        title: feature.title,
        category: feature.category,
        description,
        lastTestDate: feature.lastTestDate,
        url: `https://www.caniemail.com/features/${feature.slug}/`,
        notes: Object.freeze(Object.fromEntries(feature.notes)),
        support: supportRows(feature.slug),
        ...(suggestion !== undefined && { suggestion }),
      }),
    );
  }
  return described;
}

function withoutPlace(feature: Feature): AnalyzedFeature {
  return {
    ...describe(feature),
    instances: [],
    instanceCount: 0,
    inStyleSheets: 0,
    inMediaQueries: 0,
    notesMet: [],
    readers: EVERYBODY,
  };
}

/** An analysis without what is the same for every message: what to keep of it. */
export type PackedAnalysis = Omit<CodeAnalysis, 'features'> & { features: OfMessage[] };

export function packAnalysis(analysis: CodeAnalysis): PackedAnalysis {
  return {
    ...analysis,
    features: analysis.features.map(
      ({ slug, instances, instanceCount, inStyleSheets, inMediaQueries, notesMet, readers }) => ({
        slug,
        instances,
        instanceCount,
        inStyleSheets,
        inMediaQueries,
        notesMet,
        readers,
      }),
    ),
  };
}

/** The analysis again, with the support data as it is now. Features that the data no longer has are left out. */
export function unpackAnalysis(packed: PackedAnalysis): CodeAnalysis {
  return {
    ...packed,
    dataDate,
    features: packed.features.flatMap((kept) => {
      const feature = featureOf(kept.slug);
      return feature ? [{ ...describe(feature), ...kept }] : [];
    }),
  };
}
