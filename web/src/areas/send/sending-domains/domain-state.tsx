import type { SendingDomain } from '../../../shared/mail/mail-api.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';

/** Whether a domain may send. */
export function DomainState({ domain: { state } }: { domain: Pick<SendingDomain, 'state'> }) {
  if (state === 'active') return <Chip tone="good">verified</Chip>;
  return state === 'disabled' ? <Chip tone="bad">disabled</Chip> : <Chip tone="doubt">not verified</Chip>;
}
