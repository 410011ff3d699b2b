// Many requests that end with one signal.

/** What waits for a signal that many requests share: a listener for each would cost more with every one. */
const waiting = new WeakMap<AbortSignal, { calls: Set<() => void>; listener: () => void }>();

/** Calls back when the signal aborts, at once when it has; returns what takes that back. */
export function whenAborted(signal: AbortSignal, call: () => void): () => void {
  if (signal.aborted) {
    call();
    return () => {};
  }
  const { calls, listener } = waiting.get(signal) ?? listen(signal);
  calls.add(call);
  return () => {
    calls.delete(call);
    if (calls.size > 0) return;
    // A signal that is listened to is kept in memory.
    signal.removeEventListener('abort', listener);
    waiting.delete(signal);
  };
}

function listen(signal: AbortSignal): { calls: Set<() => void>; listener: () => void } {
  const calls = new Set<() => void>();
  const shared = { calls, listener: () => calls.forEach((call) => call()) };
  signal.addEventListener('abort', shared.listener, { once: true });
  waiting.set(signal, shared);
  return shared;
}
