// Which address each delivery leaves from: one of its set that this process can bind, those that are held back first and
// as far as they may, then the others. Without addresses the system chooses.
import { messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import type { Mailer, MailLease } from '../../../platform/mail/index.ts';
import { createRouting, type Routing, type SendingSet } from '../ip-pools/index.ts';
import { takeTurn } from '../sending-ips/index.ts';
import type { Delivery } from '../messages/index.ts';
import { deliveryHolds, type Hold, type Outcome } from './outcomes.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'clock' | 'log' | 'lists' | 'mailer'>;
/** Why there is no place, and until when, where that is known. */
type Wait = Pick<Extract<Awaited<ReturnType<Mailer['tryLease']>>, { ok: false }>, 'ok' | 'reason' | 'until'> & {
  /** It is this one alone that is held back: others from the same set may leave. */
  hold?: Hold;
};
type Sender = Pick<Delivery, 'accountId' | 'domain' | 'route'>;

/** Where the next may leave within so long, nothing more is taken meanwhile; else each message says why it waits. */
export const SOON_MS = 120_000;
/** After so long it is seen whether a process has come that can send from an address. */
const AGAIN_MS = 60_000;
/** Sets of which it is remembered that they rest. */
const RESTING_MAX = 10_000;

/** A place at a destination, for one message from one address. */
export interface Departure extends MailLease {
  /** It was not used. */
  cancel(): void;
  /** The outcome with where the message left from. */
  leftFrom(outcome: Outcome): Outcome;
}

export interface Departures {
  /** What each of these leaves from. */
  setsOf<One extends Sender>(senders: readonly One[]): Promise<(sender: Sender) => SendingSet | undefined>;
  /** Whether this process can send from a set now. What no process can is taken, too, so that it says why it waits. */
  mayTake(set: SendingSet | undefined): boolean;
  /** A place; or why there is none, and until when, where that is known. */
  leaseFor(delivery: Delivery, set: SendingSet | undefined): Promise<Departure | Wait>;
}

const keyOf = ({ accountId, domain, route }: Sender): string => `${accountId} ${domain} ${route}`;
const nothing = (): undefined => undefined;

const plainly = (lease: MailLease): Departure => ({ ...lease, cancel: lease.release, leftFrom: (outcome) => outcome });

function fromAddress(
  lease: MailLease,
  { ip, poolId }: { ip: string; poolId: string | undefined },
  unused: () => void,
): Departure {
  const envelope = { 'sending-ip': ip, ...(poolId !== undefined && { 'i-ip-pool-id': poolId }) };
  return {
    ...lease,
    cancel() {
      unused();
      lease.release();
    },
    leftFrom: (outcome) => ({ ...outcome, envelope: { ...outcome.envelope, ...envelope } }),
  };
}

/** Of one process, which can bind these. */
export function createDepartures(doors: Doors, hostNames: ReadonlyMap<string, string>): Departures {
  return new ProcessDepartures(doors, hostNames);
}

class ProcessDepartures implements Departures {
  readonly #doors: Doors;
  readonly #hostNames: ReadonlyMap<string, string>;
  readonly #routing: Routing;
  /** What holds a whole set back, until when; so nothing is taken for it in vain. */
  readonly #resting = new Map<string, number>();

  constructor(doors: Doors, hostNames: ReadonlyMap<string, string>) {
    this.#doors = doors;
    this.#hostNames = hostNames;
    this.#routing = createRouting(doors);
  }

  async setsOf<One extends Sender>(senders: readonly One[]): Promise<(sender: Sender) => SendingSet | undefined> {
    if (!(await this.#routing.hasAddresses())) return nothing;
    const sets = new Map<string, SendingSet | undefined>();
    for (const sender of senders) {
      const key = keyOf(sender);
      if (!sets.has(key)) sets.set(key, await this.#routing.setFor(sender));
    }
    return (sender) => sets.get(keyOf(sender));
  }

  mayTake(set: SendingSet | undefined): boolean {
    if (!set) return true;
    if ((this.#resting.get(set.key) ?? 0) > this.#now) return false;
    return set.ips.some((ip) => this.#isBound(ip)) || set.alive.length === 0;
  }

  async leaseFor(delivery: Delivery, set: SendingSet | undefined): Promise<Departure | Wait> {
    if (!set) {
      const lease = await this.#doors.mailer.tryLease(delivery.recipient);
      return lease.ok ? plainly(lease) : lease;
    }
    const refusals: (Wait & { isGate: boolean })[] = [];
    for (const ip of this.#inOrder(set, delivery.id)) {
      const lease = await this.#leaseFrom(delivery, { ip, set });
      if (lease.ok) return lease;
      refusals.push(lease);
    }
    if (refusals.length === 0) return this.#noneHere(set);
    // One that has no room has some when another message ends.
    const crowded = refusals.find(({ until }) => until === undefined);
    if (crowded) return crowded;
    const next = refusals.reduce((first, one) => (one.until! < first.until! ? one : first));
    const isSoon = next.until!.getTime() - this.#now <= SOON_MS;
    if (isSoon && refusals.every(({ isGate }) => isGate)) this.#rest(set, next.until!);
    return next;
  }

  get #now(): number {
    return this.#doors.clock.now().getTime();
  }

  #isBound(ip: string): boolean {
    return this.#hostNames.has(ip);
  }

  #rest({ key }: SendingSet, until: Date): void {
    if (this.#resting.size >= RESTING_MAX) this.#resting.clear();
    this.#resting.set(key, until.getTime());
  }

  /** Those that are held back come first; the others in turn, but one delivery always begins with the same. */
  #inOrder({ ips, heldBack }: SendingSet, id: string): string[] {
    const bound = ips.filter((ip) => this.#isBound(ip));
    const [first, others] = [bound.filter((ip) => heldBack.includes(ip)), bound.filter((ip) => !heldBack.includes(ip))];
    const start = others.length === 0 ? 0 : Number(BigInt(id) % BigInt(others.length));
    return [...first, ...others.slice(start), ...others.slice(0, start)];
  }

  /** A place from one address of a set. */
  async #leaseFrom(
    delivery: Delivery,
    { ip, set }: { ip: string; set: SendingSet },
  ): Promise<Departure | (Wait & { isGate: boolean })> {
    const { mailer } = this.#doors;
    const lease = await mailer.tryLease(delivery.recipient, { ip, hostName: this.#hostNames.get(ip) as string });
    if (!lease.ok) return { ...lease, isGate: false };
    try {
      const turn = set.heldBack.includes(ip) ? await takeTurn(this.#doors, ip) : undefined;
      if (turn && !turn.ok) {
        lease.release();
        return { ...turn, isGate: true };
      }
      const hold = await this.#holdFrom(delivery, ip);
      if (!hold)
        return fromAddress(lease, { ip, poolId: set.poolIdOf(ip) }, () => {
          turn?.giveBack();
          this.#unhold(delivery);
        });
      turn?.giveBack();
      lease.release();
      return { ok: false, reason: hold.reason, until: hold.until, hold, isGate: false };
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  /** What holds this one back, now that it is known where it leaves from. */
  async #holdFrom(delivery: Delivery, ip: string): Promise<Hold | undefined> {
    for (const { takeFrom } of this.#doors.lists.of(deliveryHolds)) {
      const hold = await takeFrom?.(this.#doors, delivery, ip);
      if (hold) return hold;
    }
    return undefined;
  }

  /** It had its place, and is not tried: whatever counted it takes it back, once. */
  #unhold(delivery: Delivery): void {
    for (const { giveBack } of this.#doors.lists.of(deliveryHolds))
      void giveBack?.(this.#doors, [delivery]).catch((error: unknown) =>
        this.#doors.log.warn({ message: messageOf(error) }, 'what was counted of a delivery could not be taken back'),
      );
  }

  #noneHere(set: SendingSet): Wait {
    const until = new Date(this.#now + AGAIN_MS);
    this.#rest(set, until);
    const which = set.ips.slice(0, 3).join(', ');
    const reason =
      set.emptyPoolId === undefined
        ? `no running process can send from ${which}; GALLEY_SENDING_IPS names addresses`
        : `the IP pool ${set.emptyPoolId} that this is to leave from has no addresses; ` +
          'add one, or choose what else it leaves from';
    return { ok: false, reason, until };
  }
}
