// What the addresses of the gate's pages remember.
import { MODES, type CompareMode } from '../../../shared/proof/proof-search.ts';

const SHOWN = ['failing', 'problems', 'ignored', 'passed'] as const;
export type Shown = (typeof SHOWN)[number];

interface RunSearch {
  part?: 'screenshots';
  /** Which findings; what is most urgent without it. */
  show?: Shown;
}

function worded(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Which baseline a new gate is held against, and what its email is called. */
export function readNewGateSearch(search: Record<string, unknown>): { baseline?: string; name?: string } {
  const [baseline, name] = [worded(search['baseline']), worded(search['name'])];
  return { ...(baseline !== undefined && { baseline }), ...(name !== undefined && { name }) };
}

export function readRunSearch({ part, show }: Record<string, unknown>): RunSearch {
  const shown = SHOWN.find((one) => one === show);
  return { ...(part === 'screenshots' && { part }), ...(shown && { show: shown }) };
}

export function readPictureSearch({ mode }: Record<string, unknown>): { mode?: CompareMode } {
  const found = MODES.find((one) => one === mode);
  return found ? { mode: found } : {};
}
