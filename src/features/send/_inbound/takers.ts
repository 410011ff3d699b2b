// Who takes the mail that comes in for a domain: features add themselves to the list, and each address goes to one.
import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import type { SmtpRefusal } from '../../../platform/mail/index.ts';
import { defineList } from '../../../platform/ports/index.ts';
import type { KeptIncoming } from '../messages/index.ts';

/** What takers may use. */
export type InboundDoors = Pick<
  Outside,
  | 'config'
  | 'db'
  | 'blobs'
  | 'clock'
  | 'secrets'
  | 'dns'
  | 'events'
  | 'compute'
  | 'lists'
  | 'log'
  | 'facts'
  | 'jobs'
  | 'filters'
>;

/** An address that mail comes in for. */
export interface Addressed {
  accountId: string;
  /** Of the account, in lower case; the host of the address, or above it. */
  domain: string;
  /** As it was given. */
  recipient: string;
  /** MAIL FROM; empty for the null sender. */
  sender: string;
}

/** A message for addresses that one taker takes. */
export interface Offered extends Omit<Addressed, 'recipient'> {
  recipients: readonly string[];
  /** Whole, as it came. */
  raw: Buffer;
  /** Who handed it over: its address, and what it called itself. */
  client: { ip: string; helo: string };
}

/** A message that is kept: `GET /v3/domains/{domain}/messages/{key}` shows it, and `readContent` has its bytes. */
export interface Arrival extends KeptIncoming {
  /** Those that the taker takes. */
  recipients: readonly string[];
  sender: string;
}

/** A feature that takes mail for addresses of domains. */
export interface InboundTaker {
  name: string;
  /** Who knows single addresses is asked before who takes whatever is left: the lowest first. */
  order: number;
  /** Whether it takes mail for the address; a refusal is answered to the sender as it is. */
  takes(outside: InboundDoors, addressed: Addressed): Promise<boolean | SmtpRefusal>;
  /**
   * With the whole message, while the sender can still be told: why it is not taken. It is asked again when the message
   * is kept; a refusal for the time being (4xx) no longer counts then.
   */
  refuses?(outside: InboundDoors, offered: Offered): Promise<SmtpRefusal | undefined>;
  /** In the transaction that keeps the message, once for each: queue here what is to be done with it. */
  take(outside: InboundDoors, tx: Sql, arrival: Arrival): Promise<void>;
}

export const inboundTakers = defineList<InboundTaker>('inbound.takers');
