// What other features have to say about the recipients of a message, before it is taken.
import { defineList } from '../../../platform/ports/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import type { DeliveryMode } from '../sending-domains/index.ts';

interface Addressed {
  accountId: string;
  /** In lower case. */
  domain: string;
  mode: DeliveryMode;
  addresses: readonly string[];
}

/** Throws `forbidden` naming the recipients that the domain may not write to. */
type RecipientCheck = (doors: Pick<Outside, 'config' | 'db'>, message: Addressed) => Promise<void>;

export const recipientChecks = defineList<RecipientCheck>('messages.recipient-checks');
