// What holds back what leaves from an address, such as its warm-up: features above say it here.
import { messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { defineList } from '../../../platform/ports/index.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'clock' | 'log'>;

interface Granted {
  /** So many may leave now. */
  count: number;
  /** Where that is fewer than were asked for: why, a sentence without its full stop, and when to ask again. */
  reason?: string;
  until?: Date;
}

/** Asked for every message that would leave from an address that it holds back, in every process that sends. */
export interface SendingGate {
  /** Which of these addresses it holds back now; asked about once a second, for all addresses together. */
  heldBack(doors: Doors, ips: readonly string[]): Promise<readonly string[]>;
  /** Takes turns of an address: exact, whichever process asks. One that it does not hold back is granted all. */
  takeFrom(doors: Doors, ip: string, asked: { count: number; now: Date }): Promise<Granted>;
  /** Turns that were taken and not used. */
  giveBack(doors: Doors, ip: string, count: number): Promise<void>;
}

/** Messages leave from addresses that are held back first, as far as they may, and then from the others of a set. */
export const sendingGates = defineList<SendingGate>('sending-ips.gates');

/** Those of the addresses that some gate holds back now. */
export async function listHeldBack(
  doors: Doors & Pick<Outside, 'lists'>,
  ips: readonly string[],
): Promise<ReadonlySet<string>> {
  const held = new Set<string>();
  for (const gate of doors.lists.of(sendingGates)) for (const ip of await gate.heldBack(doors, ips)) held.add(ip);
  return held;
}

type Turn = { ok: true; giveBack: () => void } | { ok: false; reason: string; until: Date };

/** Where a gate does not say when to ask again. */
const AGAIN_MS = 60_000;

/** One message may leave from an address that is held back: every gate that holds it back grants it, or one says why not. */
export async function takeTurn(doors: Doors & Pick<Outside, 'lists'>, ip: string): Promise<Turn> {
  const taken: SendingGate[] = [];
  const giveBack = (): void => {
    for (const gate of taken)
      void gate
        .giveBack(doors, ip, 1)
        .catch((error: unknown) =>
          doors.log.warn({ message: messageOf(error), ip }, 'a turn of an address could not be given back'),
        );
  };
  const now = doors.clock.now();
  for (const gate of doors.lists.of(sendingGates)) {
    const { count, reason, until } = await gate.takeFrom(doors, ip, { count: 1, now });
    if (count > 0) {
      taken.push(gate);
      continue;
    }
    giveBack();
    return { ok: false, reason: reason ?? `${ip} is held back`, until: until ?? new Date(now.getTime() + AGAIN_MS) };
  }
  return { ok: true, giveBack };
}
