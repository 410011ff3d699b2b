// Checks several emails at once: each link and image is requested once, and each email is reported when it is done.
import { countsOf, hasPassed, oneLine, plural } from '../../../engines/reports/index.ts';
import type { GateDoors } from '../../../features/proof/gate/index.ts';
import { rememberingFetch } from '../../../platform/fetch/index.ts';
import { tell } from '../tell.ts';
import { checkEmail, type CheckedEmail, type CheckRunContext } from './check-email.ts';

/** What waits for the network leaves room for others; what computes does not. */
const EMAILS_AT_ONCE = 4;

/** `[3/20] FAIL  mails/a.html: 2 errors, 1 warning (1.4 s)` */
function lineOf({ report, durationMs }: CheckedEmail, { done, total }: { done: number; total: number }): string {
  const { errors, warnings } = countsOf(report.checks);
  const place = `[${String(done).padStart(String(total).length)}/${total}]`;
  const found = `${plural(errors, 'error')}, ${plural(warnings, 'warning')}`;
  const verdict = hasPassed(report) ? 'PASS' : 'FAIL';
  return `${place} ${verdict}  ${oneLine(report.email)}: ${found} (${(durationMs / 1000).toFixed(1)} s)`;
}

/** One after the other, in the order of asking. */
function oneByOne(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}

/** In the order of the sources. The first that cannot be checked ends the others: throws `UsageError` or `AppError`. */
export async function checkAll(
  outside: GateDoors,
  sources: readonly string[],
  { signal, ...given }: Pick<CheckRunContext, 'options' | 'policy' | 'data' | 'signal'>,
): Promise<CheckedEmail[]> {
  const ended = new AbortController();
  const run = { ...given, signal: AbortSignal.any([signal, ended.signal]), known: new Map(), inTurn: oneByOne() };
  const doors = { ...outside, fetch: rememberingFetch(outside.fetch, { signal: run.signal }) };
  const isTold = sources.length > 1 && !given.options.isQuiet;
  const checked: CheckedEmail[] = [];
  const waiting = sources.entries();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const [index, source] of waiting) {
      run.signal.throwIfAborted();
      checked[index] = await checkEmail(doors, source, run);
      done += 1;
      if (isTold) tell(lineOf(checked[index], { done, total: sources.length }));
    }
  };
  try {
    await Promise.all(Array.from({ length: EMAILS_AT_ONCE }, work));
  } finally {
    ended.abort();
  }
  return checked;
}
