// Names of events in a query of logs, and what they stand for.
import type { EventPredicate } from '../../../platform/event-log/index.ts';
import type { EVENT_NAMES, METRIC_NAMES } from './contract.ts';

const never: EventPredicate = { any: [] };
const kind = (event: string): EventPredicate => ({ field: 'event', is: 'in', values: [event] });
/** The first of a reader. */
const first = (event: string): EventPredicate => ({
  all: [kind(event), { field: 'isUnique', is: 'in', values: ['true'] }],
});
const failed = (severity?: string, reason?: string): EventPredicate => ({
  all: [
    kind('failed'),
    ...(severity === undefined ? [] : [{ field: 'severity', is: 'in', values: [severity] } as const]),
    ...(reason === undefined ? [] : [{ field: 'reason', is: 'in', values: [reason] } as const]),
  ],
});
/** Those that were tried to the end. */
const processed: EventPredicate = { any: [kind('delivered'), failed('permanent')] };

/** `events`. */
export const EVENTS: Readonly<Record<(typeof EVENT_NAMES)[number], EventPredicate>> = {
  accepted: kind('accepted'),
  delivered: kind('delivered'),
  failed: kind('failed'),
  opened: kind('opened'),
  unique_opened: first('opened'),
  clicked: kind('clicked'),
  unique_clicked: first('clicked'),
  unsubscribed: kind('unsubscribed'),
  complained: kind('complained'),
  rejected: kind('rejected'),
  stored: kind('stored'),
  email_validation: kind('email_validation'),
  list_uploaded: never,
  list_member_uploaded: never,
  list_member_upload_error: never,
  trapped: never,
};

/** `metric_events`: the names of metrics without `_count`. */
export const METRIC_EVENTS: Readonly<Record<(typeof METRIC_NAMES)[number], EventPredicate>> = {
  accepted_incoming: never,
  accepted_outgoing: kind('accepted'),
  accepted: kind('accepted'),
  delivered_smtp: kind('delivered'),
  delivered_http: never,
  delivered_optimized: never,
  delivered: kind('delivered'),
  stored: kind('stored'),
  opened: kind('opened'),
  clicked: kind('clicked'),
  unique_opened: first('opened'),
  unique_clicked: first('clicked'),
  complained: kind('complained'),
  unsubscribed: kind('unsubscribed'),
  failed: kind('failed'),
  processed,
  sent: processed,
  temporary_failed: failed('temporary'),
  permanent_failed: failed('permanent'),
  esp_block: failed(undefined, 'espblock'),
  temporary_failed_esp_block: failed('temporary', 'espblock'),
  permanent_failed_esp_block: failed('permanent', 'espblock'),
  rate_limit: never,
  webhook: never,
  webhook_failure: failed(undefined, 'webhook'),
  permanent_failed_optimized: never,
  permanent_failed_old: failed('permanent', 'old'),
  bounced: failed('permanent', 'bounce'),
  hard_bounces: failed('permanent', 'bounce'),
  soft_bounces: failed('temporary', 'generic'),
  delayed_bounce: failed('permanent', 'delayed-bounce'),
  suppressed_bounces: failed('permanent', 'suppress-bounce'),
  suppressed_unsubscribed: failed('permanent', 'suppress-unsubscribe'),
  suppressed_complaints: failed('permanent', 'suppress-complaint'),
  delivered_first_attempt: { all: [kind('delivered'), { field: 'attempt', is: 'below', value: 2 }] },
  delivered_subsequent: { all: [kind('delivered'), { field: 'attempt', is: 'above', value: 1 }] },
  delivered_two_plus_attempts: { all: [kind('delivered'), { field: 'attempt', is: 'above', value: 1 }] },
};
