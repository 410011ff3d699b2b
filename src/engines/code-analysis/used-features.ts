// What of an analysis says which features a message uses, and where: little enough to be kept with every test.
import type { MessageHtml } from '../source/index.ts';
import { analyzeCode } from './analyze-code.ts';
import type { FeatureUse } from './client-loss.ts';

export interface UsedFeature extends FeatureUse {
  /** In the source as given, counted from 1; the first few. */
  places: { line: number; column: number }[];
}

const PLACES_MAX = 5;

/** The features of a message. Everything goes in; of long messages the first part is read. */
export function usedFeatures(html: string | MessageHtml): UsedFeature[] {
  return analyzeCode(html, { instancesMax: PLACES_MAX }).features.map(
    ({ slug, readers, instanceCount, inStyleSheets, inMediaQueries, instances }) => ({
      slug,
      readers,
      instanceCount,
      inStyleSheets,
      inMediaQueries,
      places: instances.map(({ line, column }) => ({ line, column })),
    }),
  );
}
