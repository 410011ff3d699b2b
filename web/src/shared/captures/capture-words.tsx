import { Chip } from '../mail/test-state.tsx';
import type { Capture, CaptureRequest } from './captures-api.ts';

const STATES = {
  waiting: { tone: 'doubt', words: 'waiting for the operator' },
  accepted: { tone: 'good', words: 'accepted' },
  rejected: { tone: 'bad', words: 'rejected' },
} as const;

/** Whether it counts as evidence. */
export function CaptureStateChip({ state }: Pick<Capture, 'state'>) {
  const { tone, words } = STATES[state];
  return <Chip tone={tone}>{words}</Chip>;
}

/** Who ran the client: `real` is an agent of the operator's, `captured` is what somebody says. */
export function CaptureKind({ fidelity }: Pick<Capture, 'fidelity'>) {
  return <Chip>{fidelity}</Chip>;
}

/** `by hand`, `by the agent Lab 3`. */
export function howWords({ how, agent }: Pick<Capture, 'how' | 'agent'>): string {
  return how === 'agent' ? `by the agent ${agent ?? ''}`.trim() : 'by hand';
}

const REQUEST_STATES: Readonly<Record<CaptureRequest['state'], { tone?: 'good' | 'bad' | 'doubt'; words: string }>> = {
  waiting: { words: 'waiting for an agent' },
  claimed: { tone: 'doubt', words: 'an agent is at it' },
  done: { tone: 'good', words: 'done' },
  failed: { tone: 'bad', words: 'failed' },
};

/** How far a job of an agent is. */
export function RequestStateChip({ state }: Pick<CaptureRequest, 'state'>) {
  const { tone, words } = REQUEST_STATES[state];
  return <Chip tone={tone}>{words}</Chip>;
}
