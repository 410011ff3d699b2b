import type { ProofClient } from '../../proof/proof.ts';
import type { Zoom } from '../../pictures/zoom.ts';

export interface Side {
  client: ProofClient;
  url: string;
  width: number;
  height: number;
}

export interface Pair {
  a: Side;
  b: Side;
  shot: string;
}

export interface CompareViewProps {
  pair: Pair;
  zoom: Zoom;
  onZoom: (zoom: Zoom) => void;
}
