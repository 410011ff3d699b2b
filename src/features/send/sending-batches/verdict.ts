// What the first deliveries of a batch say of it; pure.
import { knownOf } from './store.ts';

export interface Sampled {
  /** So many are to be known. */
  sample: number;
  /** Percent. */
  bouncedMax: number;
  deferredMax: number;
  delivered: number;
  bounced: number;
  deferred: number;
  /** Not tried: they say nothing. */
  untried: number;
}

/**
 * Held as soon as more bounced or were deferred than the limits let through, passed as soon as that cannot come any
 * more; undefined until then. `isOver`: no more will be known, and what is known stands for all.
 */
export function verdictOf(sampled: Sampled, isOver: boolean): 'held' | 'passed' | undefined {
  const { sample, bouncedMax, deferredMax, bounced, deferred, untried } = sampled;
  const known = knownOf(sampled);
  const size = isOver ? known : Math.max(known, sample - untried);
  const open = size - known;
  const [bouncedLimit, deferredLimit] = [bouncedMax, deferredMax].map((max) => Math.floor((size * max) / 100)) as [
    number,
    number,
  ];
  if (bounced > bouncedLimit || deferred > deferredLimit) return 'held';
  return bounced + open <= bouncedLimit && deferred + open <= deferredLimit ? 'passed' : undefined;
}
