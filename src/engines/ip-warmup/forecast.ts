// When an address is warm, if it goes on as it went.
import type { Verdict } from './decide.ts';
import { STAGE_MS } from './plan.ts';

/** Decisions that say how it goes; older ones say how it went. */
const DECISIONS_MAX = 7;

interface Course {
  /** From 1. */
  stage: number;
  stages: number;
  stageEndsAt: Date;
  /** Oldest first. */
  verdicts: readonly Verdict[];
}

interface Forecast {
  /** Null: not at this rate. */
  warmAt: Date | null;
  /** When every stage from now on is followed by the next. */
  earliestAt: Date;
  /** Stages gained per stage. */
  rate: number;
  /** Decisions that the rate follows from; 0: none yet, and every stage is taken to be followed by the next. */
  decisions: number;
}

const STEPS: Readonly<Record<Verdict, number>> = { advance: 1, hold: 0, 'step back': -1 };

/** The running stage is taken to be followed by the next; those after it as the latest decisions went. */
export function forecastOf({ stage, stages, stageEndsAt, verdicts }: Course): Forecast {
  const latest = verdicts.slice(-DECISIONS_MAX);
  const rate = latest.length === 0 ? 1 : latest.reduce((sum, verdict) => sum + STEPS[verdict], 0) / latest.length;
  const after = stages - stage;
  const inStages = (count: number): Date => new Date(stageEndsAt.getTime() + count * STAGE_MS);
  const earliestAt = inStages(after);
  const warmAt = after === 0 ? stageEndsAt : rate > 0 ? inStages(Math.ceil(after / rate)) : null;
  return { warmAt: rate > 0 ? warmAt : null, earliestAt, rate, decisions: latest.length };
}
