import type { ComponentProps } from 'react';
import { Chip } from '../../../shared/mail/test-state.tsx';
import type { Run } from './schedules-api.ts';

const STATES: Readonly<Record<Run['state'], [words: string, tone: ComponentProps<typeof Chip>['tone']]>> = {
  running: ['running', 'doubt'],
  passed: ['passed', 'good'],
  failed: ['failed', 'bad'],
  first: ['first reading', undefined],
  unchanged: ['unchanged', 'good'],
  changed: ['changed', 'doubt'],
  complete: ['done', 'good'],
  error: ['could not run', 'bad'],
};

/** How a run ended. */
export function RunState({ state }: Pick<Run, 'state'>) {
  const [words, tone] = STATES[state];
  return <Chip tone={tone}>{words}</Chip>;
}
