// Ctrl-C of a command that is at work, and other signals that end it.
import { constants } from 'node:os';

/** Not SIGHUP, which `nohup` wants ignored: listening to it would undo that. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** A terminal signals the whole group, and npm and `bin/galley.mjs` each pass theirs on: that is one Ctrl-C. */
const SAME_SIGNAL_MS = 500;

/** The exit code of what a signal ended: 128 and its number, as shells have it. */
export function exitCodeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/**
 * Runs the work until a signal comes, then `close`, and ends the process with the signal's exit code at once: what is
 * under way is not waited for. A second signal does not even wait for `close`.
 */
export async function untilSignal<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  close: () => Promise<void>,
): Promise<Result> {
  const stopped = new AbortController();
  let stoppedAt = 0;
  const { promise: interrupted, resolve } = Promise.withResolvers<NodeJS.Signals>();
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopped.signal.aborted) {
      if (performance.now() - stoppedAt > SAME_SIGNAL_MS) process.exit(exitCodeOfSignal(signal));
      return;
    }
    stoppedAt = performance.now();
    stopped.abort(new Error(`${signal} ended it.`));
    resolve(signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const running = work(stopped.signal);
  const first = await Promise.race([
    running.then(
      () => undefined,
      () => undefined,
    ),
    interrupted,
  ]);
  if (first !== undefined) {
    await close();
    process.exit(exitCodeOfSignal(first));
  }
  for (const signal of SIGNALS) process.off(signal, onSignal);
  return running.finally(close);
}
