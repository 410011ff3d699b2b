// What the addresses of the gate's pages remember.
import { MODES, type CompareMode } from '../../proof/proof-search.ts';

export const SHOWN = ['failing', 'problems', 'ignored', 'passed'] as const;
export type Shown = (typeof SHOWN)[number];

export interface RunSearch {
  part?: 'screenshots';
  /** Which findings; what is most urgent without it. */
  show?: Shown;
}

/** Which baseline a new gate is held against. */
export function readNewGateSearch({ baseline }: Record<string, unknown>): { baseline?: string } {
  return typeof baseline === 'string' || typeof baseline === 'number' ? { baseline: String(baseline) } : {};
}

export function readRunSearch({ part, show }: Record<string, unknown>): RunSearch {
  const shown = SHOWN.find((one) => one === show);
  return { ...(part === 'screenshots' && { part }), ...(shown && { show: shown }) };
}

export function readPictureSearch({ mode }: Record<string, unknown>): { mode?: CompareMode } {
  const found = MODES.find((one) => one === mode);
  return found ? { mode: found } : {};
}
