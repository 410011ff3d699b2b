// Everything that stops a service: signals, a terminal that closes, and the end of the npm that started it.
const PARENT_CHECK_MS = 500;

/**
 * Calls `stop` for the first of SIGTERM, SIGINT, SIGHUP, and the end of npm: npm passes on the first two only, and
 * nothing when it is killed. A second signal ends the process at once, with exit code 1.
 */
export function onStop(stop: (reason: string) => void): void {
  let isStopping = false;
  const parent = process.ppid;
  const once = (reason: string): void => {
    if (isStopping) return;
    isStopping = true;
    clearInterval(timer);
    stop(reason);
  };
  const onSignal = (signal: NodeJS.Signals): void => (isStopping ? process.exit(1) : once(signal));
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  // A terminal that closes says so once to the whole group, and npm's end may follow: neither counts as the second
  // signal.
  process.on('SIGHUP', () => once('SIGHUP'));
  const timer = setInterval(() => {
    if (process.env['npm_lifecycle_event'] !== undefined && process.ppid !== parent) once('npm has ended');
  }, PARENT_CHECK_MS).unref();
}
