// How a listing begins and ends: each by two looks that agree, some minutes apart, so that what flaps is no event.
import type { Verdict } from '../../../engines/blocklists/index.ts';

/** The second look comes after this; answers in a resolver's memory are mostly gone by then. */
export const SECOND_LOOK_MS = 5 * 60_000;
/** A look earlier than this is not a second one. */
const APART_MS = 4 * 60_000;

interface Known {
  state: 'suspected' | 'listed' | 'leaving';
  firstSeen: Date;
  leftAt: Date | null;
}

/** What becomes of a listing. `drop` forgets it; `event` is told. Without `state` and `drop` nothing changes. */
interface Step {
  state?: Known['state'];
  drop?: true;
  event?: 'listed' | 'delisted';
}

/** The step that follows from one more look. */
export function stepOf(known: Known | undefined, verdict: Verdict, now: Date): Step {
  const isSecond = (since: Date): boolean => now.getTime() - since.getTime() >= APART_MS;
  // Being allowed is no listing; not knowing changes nothing.
  if (verdict.state === 'unknown') return {};
  if (verdict.state === 'listed') {
    if (!known) return { state: 'suspected' };
    if (known.state !== 'suspected') return { state: 'listed' };
    return isSecond(known.firstSeen) ? { state: 'listed', event: 'listed' } : { state: 'suspected' };
  }
  if (!known) return {};
  if (known.state === 'suspected') return { drop: true };
  if (known.state === 'listed' || !known.leftAt) return { state: 'leaving' };
  return isSecond(known.leftAt) ? { drop: true, event: 'delisted' } : { state: 'leaving' };
}
