// What else is counted of events, by features above: in the transaction that counts them here.
import type { Sql } from '../../../platform/db/index.ts';
import type { UncountedEvent } from '../../../platform/event-log/index.ts';
import { defineList } from '../../../platform/ports/index.ts';

interface TaggedEvent {
  event: UncountedEvent;
  /** Of its message, in lower case: those that are counted. */
  tags: readonly string[];
}

interface FurtherFigures {
  /** Each event comes once, whatever ends in between. */
  add(tx: Sql, counted: readonly TaggedEvent[]): Promise<void>;
  /** Deletes the figures of a tag, of one domain or of all of an account. */
  forgetTag(tx: Sql, accountId: string, of: { domain?: string | undefined; tag: string }): Promise<void>;
}

export const furtherFigures = defineList<FurtherFigures>('figures.further');
