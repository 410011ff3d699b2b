import { Chip } from '../../../shared/mail/test-state.tsx';
import { percent } from '../../../ground/words.ts';
import type { Screenshot } from './gate-api.ts';

type Outcome = Screenshot['outcome'];

export const OUTCOMES: Record<Outcome, { title: string; words: string }> = {
  changed: { title: 'Changed', words: 'changed' },
  not_made: { title: 'No screenshot', words: 'no screenshot' },
  no_baseline: { title: 'No baseline', words: 'no baseline' },
  unchanged: { title: 'Unchanged', words: 'unchanged' },
};
const ORDER = Object.keys(OUTCOMES) as Outcome[];

/** What needs a look comes first, and of that what differs most. */
export function byUrgency(a: Screenshot, b: Screenshot): number {
  return ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome) || (b.difference ?? 0) - (a.difference ?? 0);
}

/** What came of the comparison of one client. */
export function OutcomeChip({ shot: { outcome, difference } }: { shot: Screenshot }) {
  if (outcome === 'changed')
    return <Chip tone="bad">{difference === null ? 'changed' : `${percent(difference)} differs`}</Chip>;
  if (outcome === 'unchanged')
    return <Chip tone="good">{difference ? `${percent(difference)} differs` : 'unchanged'}</Chip>;
  return outcome === 'not_made' ? <Chip tone="bad">no screenshot</Chip> : <Chip tone="doubt">no baseline</Chip>;
}
