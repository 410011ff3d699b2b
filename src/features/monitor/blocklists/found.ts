import type { Verdict } from '../../../engines/blocklists/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';

/** What a sweep needs of the outside. */
export type SweepDoors = Pick<Outside, 'db' | 'dns' | 'config' | 'clock' | 'jobs' | 'log'>;

/** What was found of an asset, by zone. */
export interface Found {
  verdicts: Map<string, Verdict>;
  /** What lists say of it in words. */
  reasons: Map<string, string | null>;
}
