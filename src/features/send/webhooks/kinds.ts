// Which event of the log is of which kind.
import type { LoggedEvent } from '../../../platform/event-log/index.ts';
import { WEBHOOK_KINDS, type WebhookKind } from './contract.ts';

/** Undefined for an event that no webhook names. */
export function kindOf({ event, severity }: Pick<LoggedEvent, 'event' | 'severity'>): WebhookKind | undefined {
  if (event === 'failed') return severity === 'temporary' ? 'temporary_fail' : 'permanent_fail';
  return WEBHOOK_KINDS.find((kind) => kind === event);
}

/** The event of the log whose kind this is. */
export function eventOf(kind: WebhookKind): LoggedEvent['event'] {
  return kind === 'temporary_fail' || kind === 'permanent_fail' ? 'failed' : kind;
}
