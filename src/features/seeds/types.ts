// What a seed is, and what becomes of a message to one.
import type { Authentication } from '../../engines/mail-authentication/index.ts';
import type { PlacementVerdict } from '../../engines/receivers/index.ts';
import type { DeclaredZone } from '../../platform/dns/index.ts';

export type SeedKind = 'receiver' | 'mailbox';

/** One address that tests send to. */
export interface Seed {
  kind: SeedKind;
  /** Id of the local receiver, or of the mailbox. */
  id: string;
  provider: string;
  email: string;
}

/** Those who receive: Galley's own hosts, and the providers at which the account owns mailboxes. */
export interface SeedProvider {
  kind: SeedKind;
  domain: string;
  displayName: string;
  about: string;
  category: 'b2c' | 'b2b';
  region: string;
  /** Addresses that one test can have there; null: as many as wanted. */
  seedsMax: number | null;
  createdAt: Date | null;
  updatedAt: Date | null;
}

/** The connection that a receiver is to assume instead of the real one, which is only this machine's own. */
export interface AssumedEnvelope {
  ip: string | null;
  helo: string | null;
  /** Null: ask DNS. Empty: the address has no name. */
  reverseDns: string | null;
  mailFrom: string | null;
  /** Records that the receiver is to find in DNS, beside the world's. */
  zone?: DeclaredZone;
}

/**
 * `pending`: not tried. `sending`: being handed over. `deferred`: tried, will be again. `sent`: taken, not seen yet.
 * The others are final. `bounced`: refused for good. `unknown`: nobody can tell, for the mailbox could not be read.
 */
export type DeliveryState = 'pending' | 'sending' | 'deferred' | 'sent' | 'delivered' | 'bounced' | 'missing' | 'unknown';
export type FinalState = Extract<DeliveryState, 'delivered' | 'bounced' | 'missing' | 'unknown'>;

/** What the sending side saw. */
export interface Handover {
  outcome: string;
  reason: string;
  host: string | null;
  replies: { command: string; code: number; enhancedCode: string | null; text: string }[];
  isEncrypted: boolean;
  elapsedMs: number;
}

/** What the receiving side saw. */
export interface ReceptionReport {
  headers: { name: string; value: string }[];
  /** Address that the message came from, as far as the receiver knows or assumes. */
  originatingIp: string | null;
  authentication: Omit<Authentication, 'headerFields'> | null;
  /** From the copy's own Authentication-Results, where a provider wrote one. */
  stated: { spf: string | null; dkim: string | null; dmarc: string | null } | null;
  verdict: PlacementVerdict | null;
  filters: FilterSummary[];
  folders: string[];
  tags: string[];
}

export interface FilterSummary {
  engine: string;
  score: number | null;
  threshold: number | null;
  verdict: 'ham' | 'soft' | 'spam' | null;
  /** Why there is no verdict. */
  failure: string | null;
}

export interface SeedDelivery {
  token: string;
  kind: string;
  testId: string;
  accountId: string;
  place: number;
  seedKind: SeedKind;
  seedId: string;
  provider: string;
  email: string;
  envelope: AssumedEnvelope | null;
  state: DeliveryState;
  attempts: number;
  firstAttemptAt: Date | null;
  sentAt: Date | null;
  receivedAt: Date | null;
  settledAt: Date | null;
  touchedAt: Date;
  deadlineAt: Date;
  expiresAt: Date;
  placement: 'inbox' | 'spam' | 'category' | null;
  category: string | null;
  copies: number;
  reason: string | null;
  handover: Handover | null;
  report: ReceptionReport | null;
}

/** How a delivery ended. */
export interface Settlement {
  state: FinalState;
  placement?: SeedDelivery['placement'];
  category?: string | null;
  reason: string | null;
  receivedAt?: Date | null;
  copies?: number;
  report?: ReceptionReport | null;
}
