import type { CompareMode } from '../proof/proof-search.ts';
import type { Zoom } from '../pictures/zoom.ts';

export const MODE_NAMES: Record<CompareMode, string> = {
  side: 'Side by side',
  difference: 'Difference',
  wipe: 'Wipe',
  fade: 'Fade',
};

/** A picture that is held against another. */
export interface Side {
  name: string;
  url: string;
  width: number;
  height: number;
  /** What it shows, for those who don't see it. */
  alt: string;
}

export interface Pair {
  a: Side;
  b: Side;
}

export interface CompareViewProps {
  pair: Pair;
  zoom: Zoom;
  onZoom: (zoom: Zoom) => void;
}
