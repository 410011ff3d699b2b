// Time limits that a busy process keeps fairly.

/** What has arrived meanwhile is read before anything is given up. */
const GRACE_MS = 200;

/**
 * Calls `expire` after so many milliseconds; what comes back cancels it. A process that was busy for longer first
 * reads what has arrived: a timer alone would call an answer late that only was not read yet.
 */
export function afterMs(milliseconds: number, expire: () => void): () => void {
  let timer = setTimeout(() => (timer = setTimeout(expire, GRACE_MS)), milliseconds);
  return () => clearTimeout(timer);
}
