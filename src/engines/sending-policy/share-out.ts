// Who goes next, when more waits than there is room for; pure.

/** What waits together: of one domain of an account, in one lane, for one destination. */
export interface Spot {
  accountId: string;
  domain: string;
  /** Lower ones go first. */
  lane: number;
  destination: string;
}

interface Sharing<Waiting> {
  /** In all. */
  limit: number;
  /** The room that its destination shares with others; undefined: it takes nothing now. */
  roomOf(spot: Waiting): { key: string; free: number } | undefined;
}

/** Takes one; false when there is no room for any. */
type Turn = () => boolean;

/** One after the other, each as often as the others; who has nothing left drops out. */
function inTurn(turns: Turn[]): Turn {
  const left = [...turns];
  let at = 0;
  return () => {
    while (left.length > 0) {
      at %= left.length;
      if ((left[at] as Turn)()) {
        at += 1;
        return true;
      }
      left.splice(at, 1);
    }
    return false;
  };
}

/** In every so many turns the last comes before the first, so that it is never left waiting. */
const LAST_EVERY = 10;

/** The first that has something, but for the share of the last. */
function inOrder(turns: readonly Turn[]): Turn {
  let count = 0;
  return () => {
    count += 1;
    return (count % LAST_EVERY === 0 ? turns.toReversed() : turns).some((turn) => turn());
  };
}

/** In groups by what they have in common, in the order in which they came. */
function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): [Key, Item[]][] {
  return [...Map.groupBy(items, keyOf)];
}

/**
 * How many of each spot are taken: accounts take turns, then the domains of an account, lanes in their order, then
 * destinations. No destination gets more than it has room for; how much waits in a spot is not known.
 */
export function shareOut<Waiting extends Spot>(
  spots: readonly Waiting[],
  { limit, roomOf }: Sharing<Waiting>,
): (Waiting & { count: number })[] {
  const rooms = new Map<string, number>();
  const taken = new Map<Waiting, number>();
  const leaf = (spot: Waiting): Turn => {
    const room = roomOf(spot);
    if (room && !rooms.has(room.key)) rooms.set(room.key, room.free);
    return () => {
      const free = room ? (rooms.get(room.key) as number) : 0;
      if (!room || free < 1) return false;
      rooms.set(room.key, free - 1);
      taken.set(spot, (taken.get(spot) ?? 0) + 1);
      return true;
    };
  };
  const lanes = (all: readonly Waiting[]): Turn =>
    inOrder(
      grouped(all, ({ lane }) => lane)
        .sort(([one], [other]) => one - other)
        .map(([, some]) => inTurn(some.map(leaf))),
    );
  const accounts = grouped(spots, ({ accountId }) => accountId).map(([, own]) =>
    inTurn(grouped(own, ({ domain }) => domain).map(([, some]) => lanes(some))),
  );
  const turn = inTurn(accounts);
  for (let count = 0; count < limit && turn(); count++);
  return [...taken].map(([spot, count]) => ({ ...spot, count }));
}
