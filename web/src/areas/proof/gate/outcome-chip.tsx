import { Chip } from '../../../shared/mail/test-state.tsx';
import { percent } from '../../../ground/words.ts';
import type { Screenshot } from './gate-api.ts';

type Outcome = Screenshot['outcome'];

export const OUTCOMES: Record<Outcome, { title: string; words: string }> = {
  changed: { title: 'Changed', words: 'changed' },
  not_made: { title: 'Not made', words: 'not made' },
  no_baseline: { title: 'Without a baseline', words: 'no baseline' },
  unchanged: { title: 'As approved', words: 'as approved' },
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
    return <Chip tone="good">{difference ? `${percent(difference)} apart` : 'as approved'}</Chip>;
  return outcome === 'not_made' ? <Chip tone="bad">not made</Chip> : <Chip tone="doubt">no baseline</Chip>;
}
