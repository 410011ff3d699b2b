import type { LoggedEvent } from '../../../platform/event-log/index.ts';
import { eventView } from '../events/index.ts';
import type { MessageFacts } from '../messages/index.ts';

interface Place {
  baseUrl: string;
  region: string;
  /** The account that an account is a part of. */
  parentId: string | null;
}

/** An event as logs show it: as lists do, but for variables as text, addresses as a list, and whose it is. */
export function logView(event: LoggedEvent, message: MessageFacts | undefined, place: Place) {
  const {
    timestamp: _timestamp,
    'user-variables': variables,
    storage,
    ...rest
  } = eventView(event, message, place) as ReturnType<typeof eventView> & {
    'user-variables'?: unknown;
    storage?: { url: string };
  };
  return {
    ...rest,
    '@timestamp': event.at.toISOString(),
    account: { id: event.accountId, ...(place.parentId !== null && { 'parent-id': place.parentId }) },
    domain: { name: event.domain },
    ...(variables !== undefined && { 'user-variables': JSON.stringify(variables) }),
    ...(storage !== undefined && { storage: { ...storage, url: [storage.url] } }),
  };
}
