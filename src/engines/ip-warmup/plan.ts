// The stages of a warm-up: how many messages each of them has.
import { PUBLISHED_VOLUMES } from './published.ts';

export const STAGES_MAX = 60;
const VOLUME_MAX = 50_000_000;
/** A stage lasts so long. */
export const STAGE_MS = 86_400_000;
/** What an address sends a day when it is warm, unless somebody says otherwise. */
export const TARGET_DEFAULT = 2222 * 24;

/** The published volumes below the target, then the target itself. */
export function planTo(target: number): number[] {
  return [...PUBLISHED_VOLUMES.filter((volume) => volume < target), target];
}

/** What is wrong with a plan, as the end of a sentence about the field; undefined for one that works. */
export function faultOfPlan(volumes: readonly number[]): string | undefined {
  if (volumes.length === 0 || volumes.length > STAGES_MAX)
    return `must have from 1 to ${STAGES_MAX} stages; it has ${volumes.length}.`;
  const place = volumes.findIndex((volume) => !Number.isInteger(volume) || volume < 1 || volume > VOLUME_MAX);
  if (place >= 0)
    return `must be whole numbers of messages from 1 to ${VOLUME_MAX.toLocaleString('en')}; stage ${place + 1} is not.`;
  const fall = volumes.findIndex((volume, at) => at > 0 && volume < (volumes[at - 1] as number));
  return fall < 0 ? undefined : `must not fall from stage to stage; stage ${fall + 1} is below stage ${fall}.`;
}

interface Running {
  volumes: readonly number[];
  /** From 1. */
  stage: number;
  stageStartedAt: Date;
}

/** The stage that runs: its volume, and from when until when. */
export function spanOf({ volumes, stage, stageStartedAt: startedAt }: Running) {
  const endsAt = new Date(startedAt.getTime() + STAGE_MS);
  return { volume: volumes[stage - 1] as number, startedAt, endsAt };
}
