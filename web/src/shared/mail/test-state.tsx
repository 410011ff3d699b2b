import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './mail.module.css';

type Tone = 'good' | 'bad' | 'doubt';

export function Chip({ tone, children }: { tone?: Tone | undefined; children: ReactNode }) {
  return (
    <span className={classes.chip} data-tone={tone}>
      {children}
    </span>
  );
}

const VERDICTS: Record<string, { tone?: Tone; words: string }> = {
  spam: { tone: 'bad', words: 'spam' },
  soft: { tone: 'doubt', words: 'unclear' },
  nothing_found: { words: 'nothing found' },
};

/** A verdict in words. That a filter finds nothing is no promise, so nothing is called good. */
export function verdictWords(verdict: string): string {
  return VERDICTS[verdict]?.words ?? verdict;
}

/** What a filter takes a message for. */
export function VerdictChip({ verdict }: { verdict: string }) {
  const { tone, words } = VERDICTS[verdict] ?? { tone: 'doubt', words: verdict };
  return tone ? <Chip tone={tone}>{words}</Chip> : <Chip>{words}</Chip>;
}

/** How far a test is. */
export function TestState({ status }: { status: string }) {
  if (status === 'failed') return <Chip tone="bad">failed</Chip>;
  if (status === 'completed' || status === 'complete') return <Chip tone="good">done</Chip>;
  return (
    <Chip tone="doubt">
      <Loader size={9} color="var(--amber-ink)" aria-label="In progress" />
      in progress
    </Chip>
  );
}
