// How an attempt to deliver ended, whoever made it: the queue, the events and the webhooks follow from this value.
import type { EventKind } from '../../../platform/event-log/index.ts';
import { defineList } from '../../../platform/ports/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import type { Conversation } from './attempts-store.ts';
import type { Delivery, MessageFacts } from '../messages/index.ts';

/** What a receiver said; on the wire this is `delivery-status`. */
export interface DeliveryStatus {
  code: number;
  message: string;
  description: string;
  'enhanced-code'?: string;
  'mx-host'?: string;
  'session-seconds'?: number;
  tls?: boolean;
  'certificate-verified'?: boolean;
  utf8?: boolean;
  'bounce-type'?: 'hard' | 'soft';
}

/** What follows a delivery at once, such as the opening by a sandbox recipient. */
interface FollowUp {
  event: Extract<EventKind, 'opened' | 'clicked' | 'unsubscribed' | 'complained'>;
  about: Record<string, unknown>;
}

/** What every end may have. */
interface Told {
  /** Of the attempt, where servers were asked. */
  conversation?: Conversation;
}

export type Outcome = Told & Ending;

type Ending =
  | {
      end: 'delivered';
      status: DeliveryStatus;
      provider?: string;
      envelope?: Record<string, unknown>;
      followUps?: FollowUp[];
    }
  /** It is tried again then; without a time, when the schedule says. */
  | { end: 'deferred'; status: DeliveryStatus; provider?: string; envelope?: Record<string, unknown>; retryAt?: Date }
  | {
      end: 'failed';
      status: DeliveryStatus;
      provider?: string;
      envelope?: Record<string, unknown>;
      /** `bounce`, `generic`, `suppress-bounce`, `suppress-unsubscribe`, `suppress-complaint`, `old` and so on. */
      reason: string;
    };

/** A delivery that was taken, with its message. */
export interface Attempt {
  delivery: Delivery;
  message: MessageFacts;
}

/** What an attempt may use. */
export type CarrierDoors = Pick<
  Outside,
  'config' | 'db' | 'blobs' | 'clock' | 'compute' | 'dns' | 'mailer' | 'secrets' | 'log' | 'jobs'
>;

/** Makes the attempts of a batch, and says how each ended, by the id of its delivery. Throws only for a fault of its own. */
export type Carrier = (doors: CarrierDoors, attempts: readonly Attempt[]) => Promise<Map<string, Outcome>>;

/**
 * What is asked right before an attempt, such as whether the address is on a list of suppressions: outcomes for those
 * that are not tried. By the id of the delivery.
 */
export const deliveryChecks = defineList<Carrier>('deliveries.checks');

/** Why a delivery is not tried before then. */
export interface Hold {
  /** A sentence, without its full stop. */
  reason: string;
  until: Date;
  /** What holds it, where that looks again when it changes. */
  by?: string;
  /** The time does not count: it is given up later by as long as it waits. */
  isExtended?: true;
}

/** What holds deliveries back before an attempt, such as the hours in which they may leave. */
export interface DeliveryHolder {
  /** Those that are not tried now, by the id of the delivery. */
  hold(doors: CarrierDoors, attempts: readonly Attempt[]): Promise<Map<string, Hold>>;
  /** Asked, where it is there, when it is known from which address an attempt leaves; undefined: it may. */
  takeFrom?(doors: Pick<Outside, 'db' | 'clock'>, delivery: Delivery, ip: string): Promise<Hold | undefined>;
  /** Those that it let go were not tried after all. */
  giveBack?(doors: Pick<Outside, 'db' | 'clock'>, deliveries: readonly Delivery[]): Promise<void>;
}

/** Asked about what the checks leave. */
export const deliveryHolds = defineList<DeliveryHolder>('deliveries.holds');
