// Live deliveries: taken where their destinations have room.
import { shareOut } from '../../../engines/sending-policy/index.ts';
import type { Db } from '../../../platform/db/index.ts';
import { claimSpots, listSpots, listStreams, type Stream } from '../messages/index.ts';
import type { Doors } from './attempts.ts';
import { createUnderWay, type Parts } from './under-way.ts';

/** Under way at once in this process, with those whose outcomes are not written yet. */
const UNDER_WAY_MAX = 500;
const STREAMS_AT_ONCE = 256;
/** Spots that one look sees. */
const SPOTS_MAX = 512;
const PER_STREAM_MIN = 4;

interface LiveQueue {
  /** Takes what there is room for. Answers whether there may be more. */
  look(): Promise<boolean>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

const keyOf = ({ accountId, domain, lane }: Stream): string => `${accountId} ${domain} ${lane}`;

/** Shows the streams that wait and the destinations of each, some at a time, and goes on where it stopped. */
function createWindow(db: Db) {
  let afterStream: Stream | undefined;
  let afterDestination = new Map<string, string>();
  return async () => {
    const streams = await listStreams(db, { after: afterStream, limit: STREAMS_AT_ONCE });
    const wasFirst = afterStream === undefined;
    afterStream = streams.length === STREAMS_AT_ONCE ? streams.at(-1) : undefined;
    const perStream = Math.max(PER_STREAM_MIN, Math.floor(SPOTS_MAX / Math.max(1, streams.length)));
    const seeds = streams.map((stream) => ({ ...stream, after: afterDestination.get(keyOf(stream)) ?? '' }));
    const spots = await listSpots(db, seeds, perStream);
    const counts = Map.groupBy(spots, keyOf);
    afterDestination = new Map(
      [...counts].flatMap(([key, some]) => (some.length < perStream ? [] : [[key, some.at(-1)!.destination] as const])),
    );
    const isWhole = wasFirst && afterStream === undefined && seeds.every(({ after }) => after === '');
    return { spots, isMore: afterStream !== undefined || afterDestination.size > 0 || !isWhole };
  };
}

/** The live part of a process's sender. */
export function createLiveQueue(doors: Doors, parts: Parts): LiveQueue {
  const { worker, rooms, settler } = parts;
  const { db, clock } = doors;
  const underWay = createUnderWay(doors, parts);
  const listWaiting = createWindow(db);
  return {
    async look() {
      const limit = UNDER_WAY_MAX - underWay.size - settler.waiting;
      if (limit <= 0) return false;
      const { spots, isMore } = await listWaiting();
      const takes = shareOut(spots, { limit, roomOf: (destination) => rooms.roomOf(destination) });
      const claiming = { worker, now: clock.now(), takenUntil: parts.takenUntil() };
      const claimed = await claimSpots(db, takes, claiming);
      if (claimed.length === 0) return isMore;
      await underWay.start(claimed);
      return true;
    },
    idle: underWay.idle,
  };
}
