// Who may be asked now: pure functions.

/** A URL with deliveries that are due, or one that is being asked. */
interface Lane {
  urlId: string;
  accountId: string;
  host: string;
  /** Failed attempts in a row. */
  failures: number;
}

const HOST_MAX = 8;
/** Of one account at one host, so that another account's URL there is asked as well. */
const ACCOUNT_AT_HOST_MAX = 6;
const ACCOUNT_MAX = 32;
const TOTAL_MAX = 64;
/** A URL that failed so often in a row is asked once at a time, apart from the others. */
const FAILING_AFTER = 3;
const FAILING_ACCOUNT_MAX = 4;
const FAILING_TOTAL_MAX = 32;

const isFailing = ({ failures }: Lane): boolean => failures >= FAILING_AFTER;

function hasRoom(lane: Lane, running: readonly Lane[]): boolean {
  const count = (fits: (other: Lane) => boolean): number => running.filter(fits).length;
  const isOwn = (other: Lane): boolean => other.accountId === lane.accountId;
  if (isFailing(lane))
    return (
      count((other) => other.urlId === lane.urlId) === 0 &&
      count((other) => isFailing(other) && isOwn(other)) < FAILING_ACCOUNT_MAX &&
      count(isFailing) < FAILING_TOTAL_MAX
    );
  const isHealthy = (other: Lane): boolean => !isFailing(other);
  const atHost = (other: Lane): boolean => isHealthy(other) && other.host === lane.host;
  return (
    count(atHost) < HOST_MAX &&
    count((other) => atHost(other) && isOwn(other)) < ACCOUNT_AT_HOST_MAX &&
    count((other) => isHealthy(other) && isOwn(other)) < ACCOUNT_MAX &&
    count(isHealthy) < TOTAL_MAX
  );
}

/** How many deliveries of each URL may begin now. URLs get one in turn; `ready` is in the order of their turns. */
export function sharesOf<Ready extends Lane>(ready: readonly Ready[], running: readonly Lane[]): Map<Ready, number> {
  const all = [...running];
  const shares = new Map<Ready, number>();
  let open = [...ready];
  while (open.length > 0) {
    open = open.filter((lane) => {
      if (!hasRoom(lane, all)) return false;
      all.push(lane);
      shares.set(lane, (shares.get(lane) ?? 0) + 1);
      return true;
    });
  }
  return shares;
}
