// How many deliveries each destination has room for in this process, those that wait for their turn here included.
// Domains whose mail the same servers take share one room; a destination that does not answer, or asks for less, gets
// less. What leaves from addresses of its own has rooms of its own.
import type { Outside } from '../../../platform/feature/index.ts';
import { Recent } from '../../../platform/recent/index.ts';
import type { Outcome } from './outcomes.ts';

/** For each connection that the mailer may have there: the next are ready when one is done. */
const PER_CONNECTION = { first: 3, max: 20 };
/** Of a destination whose servers are not known. */
const CONNECTIONS = 10;
const KEYS_MAX = 50_000;
const KEY_MS = 300_000;
/** DNS that takes longer is not waited for. */
const DNS_MS = 5000;
/** After so many that nobody answered, a destination is left alone for a while. */
const SILENT_MAX = 3;
const REST_MS = 5000;
const REST_MS_MAX = 300_000;

interface Place {
  key: string;
  connections: number;
}

interface Room {
  inside: number;
  size: number;
  sizeMax: number;
  silent: number;
  /** Because nobody answered. */
  restsUntil: number;
  /** Because it asked to be left alone. */
  asksUntil: number;
}

/** Where deliveries go, and the key of the addresses that they leave from; empty: the system chooses. */
export interface Way {
  destination: string;
  set: string;
}

export interface Rooms {
  /** Undefined while it is not known which servers the destination has; it calls back when it is. */
  roomOf(way: Way): { key: string; free: number } | undefined;
  /** Answers the key of the room. */
  enter(way: Way): string;
  /** Without an outcome: it was not tried. */
  leave(way: Way, outcome?: Outcome): void;
  /** Nothing is taken for it until then. */
  rest(way: Way, until: Date): void;
}

type Doors = Pick<Outside, 'mailer' | 'clock'>;

/** What says that less would be better (RFC 3463 §3.8, and common practice). */
const isSlowDown = ({ code, 'enhanced-code': enhanced = '' }: Outcome['status']): boolean =>
  code === 421 || enhanced === '4.7.28' || enhanced === '4.7.0';

/** There was no connection; what broke after a message says nothing of the next. */
const isSilent = ({ end, status }: Outcome): boolean =>
  end === 'deferred' && status.code === 498 && status.description === '';

async function placeOf({ mailer }: Doors, destination: string): Promise<Place> {
  const unknown = { key: destination, connections: CONNECTIONS };
  const timer = Promise.withResolvers<undefined>();
  const timeout = setTimeout(() => timer.resolve(undefined), DNS_MS);
  try {
    // Where no server takes mail, or DNS fails, the attempt says so.
    return (await Promise.race([mailer.destinationOf(`postmaster@${destination}`), timer.promise])) ?? unknown;
  } catch {
    return unknown;
  } finally {
    clearTimeout(timeout);
  }
}

/** The place for what leaves from these addresses. */
const from = (place: Place, { set }: Way): Place =>
  set === '' ? place : { ...place, key: `${place.key} from ${set}` };
const nameOf = ({ destination, set }: Way): string => (set === '' ? destination : `${destination} ${set}`);

const firstSize = ({ connections }: Place): number => connections * PER_CONNECTION.first;

function newRoom(place: Place): Room {
  const sizeMax = place.connections * PER_CONNECTION.max;
  return { inside: 0, size: firstSize(place), sizeMax, silent: 0, restsUntil: 0, asksUntil: 0 };
}

function learn(room: Room, outcome: Outcome, now: number): void {
  const half = Math.max(1, Math.floor(room.size / 2));
  if (isSilent(outcome)) {
    // Those that were on their way when it fell silent say nothing new.
    if (room.restsUntil > now) return;
    room.silent += 1;
    room.size = half;
    if (room.silent < SILENT_MAX) return;
    room.restsUntil = now + Math.min(REST_MS_MAX, REST_MS * 2 ** (room.silent - SILENT_MAX));
  } else {
    room.silent = 0;
    room.restsUntil = 0;
    room.size = isSlowDown(outcome.status) ? half : Math.min(room.sizeMax, room.size + 1);
  }
}

/** Where destinations are; it calls back when an answer is there. */
function rememberingPlaces(doors: Doors, onKnown: () => void): (destination: string) => Place | undefined {
  const places = new Recent<{ place: Place | undefined; until: number }>(KEYS_MAX);
  const now = (): number => doors.clock.now().getTime();
  return (destination) => {
    const known = places.get(destination);
    if (known && (known.place === undefined || known.until > now())) return known.place;
    places.set(destination, { place: known?.place, until: Infinity });
    void placeOf(doors, destination).then((place) => {
      places.set(destination, { place, until: now() + KEY_MS });
      onKnown();
    });
    // What was known before still holds until the answer is there.
    return known?.place;
  };
}

/** `onKnown` is called when a destination can be asked for again. */
export function createRooms(doors: Doors, onKnown: () => void): Rooms {
  const rooms = new Map<string, Room>();
  const now = (): number => doors.clock.now().getTime();
  const knownPlace = rememberingPlaces(doors, onKnown);
  /** Where those that are inside went, for a destination may move to other servers meanwhile. */
  const inside = new Map<string, { key: string; count: number }>();

  const roomAt = (place: Place): Room => {
    const found = rooms.get(place.key) ?? newRoom(place);
    rooms.set(place.key, found);
    return found;
  };
  const placeFor = (way: Way): Place =>
    from(knownPlace(way.destination) ?? { key: way.destination, connections: CONNECTIONS }, way);

  /** A room that has learned nothing is made again when it is needed. */
  const forget = (key: string, room: Room): void => {
    const isPlain = room.silent === 0 && room.asksUntil <= now() && room.size * PER_CONNECTION.max >= room.sizeMax;
    if (isPlain || rooms.size > KEYS_MAX) rooms.delete(key);
  };

  return {
    roomOf(way) {
      const known = knownPlace(way.destination);
      if (!known) return undefined;
      const place = from(known, way);
      const room = rooms.get(place.key);
      if (!room) return { key: place.key, free: firstSize(place) };
      const isResting = Math.max(room.restsUntil, room.asksUntil) > now();
      return { key: place.key, free: isResting ? 0 : Math.max(0, room.size - room.inside) };
    },
    enter(way) {
      const place = placeFor(way);
      const name = nameOf(way);
      const entry = inside.get(name) ?? { key: place.key, count: 0 };
      entry.count += 1;
      inside.set(name, entry);
      roomAt({ ...place, key: entry.key }).inside += 1;
      return entry.key;
    },
    leave(way, outcome) {
      const name = nameOf(way);
      const entry = inside.get(name);
      const room = entry && rooms.get(entry.key);
      if (!room) return;
      entry.count -= 1;
      if (entry.count === 0) inside.delete(name);
      room.inside -= 1;
      if (outcome) learn(room, outcome, now());
      if (room.inside === 0) forget(entry.key, room);
    },
    rest(way, until) {
      const { key } = inside.get(nameOf(way)) ?? placeFor(way);
      const room = rooms.get(key);
      if (room) room.asksUntil = Math.max(room.asksUntil, until.getTime());
    },
  };
}
