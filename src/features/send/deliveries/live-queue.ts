// Live deliveries: taken where their destinations have room.
import { shareOut } from '../../../engines/sending-policy/index.ts';
import type { Db } from '../../../platform/db/index.ts';
import { claimSpots, listSpots, listStreams, type Stream } from '../messages/index.ts';
import type { Doors } from './attempts.ts';
import type { Departures } from './departures.ts';
import { createUnderWay, type Parts } from './under-way.ts';

/** Taken in this process: those that wait for their place here, are on their way, or whose outcomes are not written. */
const TAKEN_MAX = 1500;
/** While fewer have room, it is not worth the statements of a look. */
const WORTH_A_LOOK = 250;
const STREAMS_AT_ONCE = 256;
/** Spots that one look sees. */
const SPOTS_MAX = 512;
const PER_STREAM_MIN = 4;
/** Streams of which it is remembered where to go on. */
const PLACES_MAX = 10_000;
/** So many looks after another that take nothing; then something has to happen first. */
const IN_VAIN_MAX = 32;

export interface LiveQueue {
  /** Takes what there is room for. Answers whether there may be more, and room for it. */
  look(): Promise<boolean>;
  /** Whether a look is worth while, now that something was settled. */
  readonly isWaiting: boolean;
  /** Gives back what waits for its place, and resolves when nothing is under way. */
  close(): Promise<void>;
}

const keyOf = ({ accountId, domain, lane, route }: Stream): string => `${accountId} ${domain} ${lane} ${route}`;

/** Shows the streams that wait and the destinations of each, some at a time, and goes on where it stopped. */
function createWindow(db: Db, departures: Departures) {
  let afterStream: Stream | undefined;
  const afterDestination = new Map<string, string>();
  return async () => {
    const all = await listStreams(db, { after: afterStream, limit: STREAMS_AT_ONCE });
    afterStream = all.length === STREAMS_AT_ONCE ? all.at(-1) : undefined;
    const sets = await departures.setsOf(all);
    const streams = all.filter((stream) => departures.mayTake(sets(stream)));
    const perStream = Math.max(PER_STREAM_MIN, Math.floor(SPOTS_MAX / Math.max(1, streams.length)));
    const seeds = streams.map((stream) => ({ ...stream, after: afterDestination.get(keyOf(stream)) ?? '' }));
    const spots = await listSpots(db, seeds, perStream);
    for (const stream of streams) afterDestination.delete(keyOf(stream));
    if (afterDestination.size > PLACES_MAX) afterDestination.clear();
    for (const [key, some] of Map.groupBy(spots, keyOf))
      if (some.length === perStream) afterDestination.set(key, some.at(-1)!.destination);
    const ways = spots.map((spot) => ({ ...spot, set: sets(spot)?.key ?? '' }));
    return {
      spots: ways,
      isLastStream: afterStream === undefined,
      isLast: !afterStream && afterDestination.size === 0,
    };
  };
}

/** The live part of a process's sender. */
export function createLiveQueue(doors: Doors, parts: Parts): LiveQueue {
  const { worker, rooms, settler, departures } = parts;
  const { db, clock } = doors;
  const underWay = createUnderWay(doors, parts);
  const next = createWindow(db, departures);
  const free = (): number => TAKEN_MAX - underWay.size - settler.waiting;
  let isWaiting = false;
  let pass = { saw: false, took: false };
  let inVain = 0;

  /** Takes from what one window shows. Answers whether there may be more. */
  const take = async (limit: number): Promise<boolean> => {
    const { spots, isLastStream, isLast } = await next();
    const takes = shareOut(spots, { limit, roomOf: (spot) => rooms.roomOf(spot) });
    const claiming = { worker, now: clock.now(), takenUntil: parts.takenUntil() };
    const claimed = await claimSpots(db, takes, claiming);
    if (claimed.length > 0) await underWay.start(claimed);
    inVain = claimed.length > 0 ? 0 : inVain + 1;
    pass = { saw: pass.saw || spots.length > 0, took: pass.took || claimed.length > 0 };
    isWaiting ||= pass.saw;
    const isMore = !isLast || pass.took;
    if (isLastStream) {
      isWaiting = pass.saw;
      pass = { saw: false, took: false };
    }
    return isMore;
  };

  return {
    get isWaiting() {
      return isWaiting && free() >= WORTH_A_LOOK;
    },
    async look() {
      underWay.stir();
      const limit = free();
      if (limit <= 0) return false;
      const isMore = await take(limit);
      if (isMore && inVain < IN_VAIN_MAX) return free() >= WORTH_A_LOOK;
      inVain = 0;
      return false;
    },
    close: underWay.close.bind(underWay),
  };
}
