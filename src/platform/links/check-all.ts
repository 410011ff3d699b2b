// Checks many links at once without being a burden to any of their hosts.
import { setImmediate as turn } from 'node:timers/promises';
import { politeQueue, type PoliteQueue } from '../fetch/index.ts';
import { checkTarget, targetOf, unaskedReport, type CheckLinkOptions } from './check-link.ts';
import type { LinkReport } from './types.ts';

export interface CheckAllOptions extends CheckLinkOptions {
  /** Links followed at the same time. Default: 48. */
  concurrency?: number;
  /** How many of them at one host. Default: 6, as in browsers. */
  perHostMax?: number;
  /** Distinct targets; those after it are not followed. Default: 1,000. */
  countMax?: number;
  /** The time for all links together. Default: two minutes. */
  deadlineMs?: number;
  /** The longest wait that a host may ask for; longer ones are not waited for. Default: 10 seconds. */
  retryAfterMsMax?: number;
}

interface Batch {
  options: CheckAllOptions & { signal: AbortSignal };
  queue: PoliteQueue;
  /** Hosts that asked for a pause and got it. */
  paused: Set<string>;
  /** Targets that had their turn when it was over. */
  late: { count: number };
}

/** How many links are prepared before other work gets its turn. */
const AT_ONCE = 250;
/** The same of those that are left when the time is over, for each place in the queue. */
const LATE_AT_ONCE = 25;

/** The pause for a host that asks for one without saying how long. */
const PAUSE_MS = 1_000;

/**
 * The report of every distinct link. Each target is asked once, whatever the number of links to it. A host that answers
 * 429 or 503 with a Retry-After is left alone for that long, once, and asked again. Never throws; what the deadline or
 * the caller's signal cut off is reported as such.
 */
export async function checkAll(urls: Iterable<string>, options: CheckAllOptions): Promise<Map<string, LinkReport>> {
  const { concurrency = 48, perHostMax = 6, countMax = 1_000, deadlineMs = 120_000 } = options;
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline;
  const batch: Batch = {
    options: { ...options, signal },
    queue: politeQueue({ concurrency, perHostMax }),
    paused: new Set(),
    late: { count: 0 },
  };
  const found = new Map<string, LinkReport>();
  const targets = await groupByTarget(urls, found);
  const hurry = () => batch.queue.hurry();
  signal.addEventListener('abort', hurry, { once: true });
  try {
    const check = async (target: string, links: string[], index: number): Promise<void> => {
      const reports =
        index < countMax
          ? await checkPolitely(target, links, batch)
          : links.map((url) => unaskedReport(url, { status: 'not_followed', reason: 'too_many' }));
      for (const report of reports) found.set(report.url, report);
    };
    const checks: Promise<void>[] = [];
    for (const [target, links] of targets) {
      checks.push(check(target, links, checks.length));
      if (checks.length % AT_ONCE === 0) await turn();
    }
    await Promise.all(checks);
  } finally {
    signal.removeEventListener('abort', hurry);
  }
  return found;
}

/** The links to each target; what cannot be asked goes to `found` at once, whose order is that of the links. */
async function groupByTarget(urls: Iterable<string>, found: Map<string, LinkReport>): Promise<Map<string, string[]>> {
  const targets = new Map<string, string[]>();
  for (const url of new Set(urls)) {
    if (found.size % AT_ONCE === AT_ONCE - 1) await turn();
    const target = targetOf(url);
    found.set(
      url,
      unaskedReport(url, typeof target === 'string' ? { status: 'not_followed', reason: 'deadline' } : target),
    );
    if (typeof target !== 'string') continue;
    const links = targets.get(target) ?? [];
    links.push(url);
    targets.set(target, links);
  }
  return targets;
}

async function checkPolitely(target: string, links: string[], batch: Batch): Promise<LinkReport[]> {
  const { host } = new URL(target);
  const check = (round: number) =>
    batch.queue.run(host, () => checkInTime(target, links, { ...batch, options: { ...batch.options, round } }));
  const reports = await check(1);
  const waitMs = pauseWanted(reports[0]!, batch);
  if (waitMs === undefined || batch.options.signal.aborted) return reports;
  if (!batch.paused.has(host)) {
    batch.paused.add(host);
    batch.queue.pause(host, waitMs);
  }
  return check(2);
}

async function checkInTime(target: string, links: string[], { options, late }: Batch): Promise<LinkReport[]> {
  const { signal } = options;
  if (!signal.aborted) {
    const reports = await checkTarget(target, links, options);
    // The abort ended this check as well, unless it was done before.
    if (reports[0]!.reason !== 'aborted') return reports;
  } else if (++late.count % LATE_AT_ONCE === 0) await turn();
  const isLate = (signal.reason as Error | undefined)?.name === 'TimeoutError';
  return links.map((url) =>
    unaskedReport(
      url,
      isLate ? { status: 'timeout', reason: 'deadline' } : { status: 'not_followed', reason: 'aborted' },
    ),
  );
}

/** How long the host of a link wants to be left alone; undefined when it does not say, or too long. */
function pauseWanted(report: LinkReport, { options }: Batch): number | undefined {
  const { statusCode, retryAfterSeconds } = report;
  if (statusCode !== 429 && !(statusCode === 503 && retryAfterSeconds !== null)) return undefined;
  const waitMs = retryAfterSeconds === null ? PAUSE_MS : retryAfterSeconds * 1000;
  return waitMs <= (options.retryAfterMsMax ?? 10_000) ? waitMs : undefined;
}
