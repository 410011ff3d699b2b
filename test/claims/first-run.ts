// The first run of the claims, before anything in the emulation was changed for them.
import firstRun from './first-run.json' with { type: 'json' };
import type { Count } from './table.ts';

/** What a run leaves behind. */
export interface RunRecord {
  date: string;
  families: Readonly<Record<string, Count>>;
  /** Claim, family, and what each client showed instead. */
  misses: readonly { claim: string; family: string; misses: Readonly<Record<string, string>> }[];
}

export const FIRST_RUN: RunRecord = firstRun as unknown as RunRecord;
