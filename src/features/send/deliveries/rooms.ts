// How many deliveries each destination has room for in this process. Domains whose mail the same servers take share one
// room; a destination that does not answer, or asks for less, gets less.
import type { Outside } from '../../../platform/feature/index.ts';
import { Recent } from '../../../platform/recent/index.ts';
import type { Outcome } from './outcomes.ts';

/** More than the mailer has connections for: the next are ready when one is done. */
const ROOM = 60;
const KEYS_MAX = 50_000;
const KEY_MS = 300_000;
/** DNS that takes longer is not waited for. */
const DNS_MS = 5000;
/** After so many that nobody answered, a destination is left alone for a while. */
const SILENT_MAX = 3;
const REST_MS = 5000;
const REST_MS_MAX = 300_000;

interface Room {
  inside: number;
  size: number;
  silent: number;
  restsUntil: number;
}

export interface Rooms {
  /** Undefined while it is not known which servers the destination has; it calls back when it is. */
  roomOf(destination: string): { key: string; free: number } | undefined;
  enter(destination: string): void;
  /** Without an outcome: it was not tried. */
  leave(destination: string, outcome?: Outcome): void;
}

type Doors = Pick<Outside, 'config' | 'dns' | 'clock'>;

/** What says that less would be better (RFC 3463 §3.8, and common practice). */
const isSlowDown = ({ code, 'enhanced-code': enhanced = '' }: Outcome['status']): boolean =>
  code === 421 || enhanced === '4.7.28' || enhanced === '4.7.0';

/** There was no connection; what broke after a message says nothing of the next. */
const isSilent = ({ end, status }: Outcome): boolean =>
  end === 'deferred' && status.code === 498 && status.description === '';

async function serversOf({ dns }: Doors, destination: string): Promise<string> {
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(() => timer.reject(new Error('DNS took too long.')), DNS_MS);
  try {
    const records = await Promise.race([dns.resolve(destination, 'MX'), timer.promise]);
    return records
      .map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, ''))
      .sort()
      .join(' ');
  } catch {
    // Without MX records the domain is its own server; when DNS fails, the attempt says so.
    return destination;
  } finally {
    clearTimeout(timeout);
  }
}

/** `onKnown` is called when a destination can be asked for again. */
export function createRooms(doors: Doors, onKnown: () => void): Rooms {
  const keys = new Recent<{ key: string | undefined; until: number }>(KEYS_MAX);
  const rooms = new Map<string, Room>();
  const now = (): number => doors.clock.now().getTime();
  /** Where those that are inside went, for a destination may move to other servers meanwhile. */
  const inside = new Map<string, string>();

  const keyOf = (destination: string): string | undefined => {
    if (doors.config.mail.relayUrl !== undefined) return 'relay';
    const known = keys.get(destination);
    if (known && (known.key === undefined || known.until > now())) return known.key;
    keys.set(destination, { key: undefined, until: 0 });
    void serversOf(doors, destination).then((key) => {
      keys.set(destination, { key, until: now() + KEY_MS });
      onKnown();
    });
    // What was known before still holds until the answer is there.
    return known?.key;
  };

  const roomAt = (key: string): Room => {
    const found = rooms.get(key) ?? { inside: 0, size: ROOM, silent: 0, restsUntil: 0 };
    rooms.set(key, found);
    return found;
  };

  const learn = (room: Room, outcome: Outcome): void => {
    if (isSilent(outcome)) {
      // Those that were on their way when it fell silent say nothing new.
      if (room.restsUntil > now()) return;
      room.silent += 1;
      room.size = Math.max(1, Math.floor(room.size / 2));
      if (room.silent < SILENT_MAX) return;
      room.restsUntil = now() + Math.min(REST_MS_MAX, REST_MS * 2 ** (room.silent - SILENT_MAX));
    } else {
      room.silent = 0;
      room.restsUntil = 0;
      room.size = isSlowDown(outcome.status) ? Math.max(1, Math.floor(room.size / 2)) : Math.min(ROOM, room.size + 1);
    }
  };

  return {
    roomOf(destination) {
      const key = keyOf(destination);
      if (key === undefined) return undefined;
      const room = rooms.get(key);
      if (!room) return { key, free: ROOM };
      return { key, free: room.restsUntil > now() ? 0 : Math.max(0, room.size - room.inside) };
    },
    enter(destination) {
      const key = keyOf(destination) ?? destination;
      inside.set(destination, inside.get(destination) ?? key);
      roomAt(inside.get(destination) as string).inside += 1;
    },
    leave(destination, outcome) {
      const key = inside.get(destination) ?? destination;
      const room = roomAt(key);
      room.inside = Math.max(0, room.inside - 1);
      if (outcome) learn(room, outcome);
      if (room.inside > 0) return;
      inside.delete(destination);
      if (room.size >= ROOM && room.silent === 0) rooms.delete(key);
    },
  };
}
