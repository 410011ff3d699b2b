// The stored result of an image test. Its findings are stored apart, in the order of the images.
import type { Finding } from '../../../engines/findings/index.ts';
import type { FoundImage, ImageFacts } from '../../../engines/images/index.ts';

/** `Skipped`: the image was not checked, and no fault is known; a finding says why. */
export type ImageVerdict = 'Valid' | 'Invalid' | 'Skipped';

export interface CheckedImage {
  /** The id stays the same when the test runs again and the image is still there. */
  id: string;
  /** The address as written; a `data:` address is shortened. */
  url: string;
  status: ImageVerdict;
  place: Pick<FoundImage, 'line' | 'column' | 'offset' | 'selector' | 'where'> | null;
  alt: string | null;
  display: { width: number | null; height: number | null } | null;
  facts: ImageFacts | null;
  /** As measured, where pixels could be looked at: many files have an alpha channel and no holes. */
  hasTransparency: boolean;
  loadTimeMs: number | null;
  finalUrl: string | null;
  /** Names in the test's folder. */
  file: string | null;
  firstFrame: string | null;
  /** How many findings the image has; they follow those of the images before it. */
  findingCount: number;
}

export interface ImageTestResult {
  folder: string;
  totalLoadTimeMs: number | null;
  totalBytes: number;
  images: CheckedImage[];
}

/** The findings of each image, and those about all of them together, which come last. */
export function findingsByImage(
  { images }: ImageTestResult,
  findings: readonly Finding[],
): { own: Finding[][]; together: Finding[] } {
  let at = 0;
  const own = images.map(({ findingCount }) => findings.slice(at, (at += findingCount)));
  return { own, together: findings.slice(at) };
}

/** A list of a thousand tests shows so much of each. */
export interface BriefImage {
  id: string;
  url: string;
  status: ImageVerdict;
  failures: {
    id: string;
    rule: string;
    description: string;
    impact?: string;
    recommendation?: string;
    details?: Record<string, unknown>[];
  }[];
}

export interface ImageTestSummary {
  image_count: number;
  invalid_count: number;
  failures: number;
  total_bytes: number;
  total_load_time_ms: number | null;
  images: BriefImage[];
}
