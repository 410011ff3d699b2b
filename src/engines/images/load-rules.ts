// Whether the image can be had at all, and how fast.
import { mergeTagIn } from '../merge-tags/index.ts';
import type { Completion } from '../html/index.ts';
import { baseSupport } from './format-support.ts';
import { nameOf, timeText, type ImageSubject, type Rule, type SkipReason, type Verdict } from './image-finding.ts';

const LOAD_MS_SLOW = 1_000;
const LOAD_MS_TOO_SLOW = 3_000;
const REDIRECTS_MAX = 2;

/** The address is completed when the message is sent, so that nothing can be loaded before. */
export function hasMergeTag(url: string): boolean {
  return !/^data:/i.test(url) && mergeTagIn(url) !== undefined;
}

const SKIPPED: Record<SkipReason, { why: string; fix: string }> = {
  merge_tag: {
    why: 'its address has a merge tag, which is filled in when the message is sent',
    fix: 'Check the email with data, as a recipient gets it.',
  },
  part_not_given: {
    why: 'it is a part of the message, of which only the HTML was given',
    fix: 'Check the whole message (mime).',
  },
  too_many: { why: 'the message has more images than are checked', fix: 'Check the rest by their addresses.' },
  total_too_large: {
    why: 'the images before it are as large as all together may be',
    fix: 'Make them smaller, or check the rest by their addresses.',
  },
  no_time: { why: 'the images before it took all the time there is', fix: 'Check the rest by their addresses.' },
};

/** Reports images that could not be checked, so that a missing finding is not read as a pass. */
export const judgeSkipped: Rule = (subject) => {
  if (!subject.skipped) return undefined;
  const { why, fix } = SKIPPED[subject.skipped];
  return {
    rule: 'not-checked',
    severity: 'info',
    impact: 'minor',
    message: `${nameOf(subject)} was not checked: ${why}.`,
    fix,
    details: { reason: subject.skipped },
  };
};

/** A longer relative address is not taken for the name of a file next to the message. */
const ADDRESS_LENGTH_MAX = 1_000;

/** The address as written. */
export const judgeAddress: Rule = (subject) => {
  const { url, found } = subject;
  if (!found) return /^http:\/\//i.test(url) ? plainHttp(subject) : undefined;
  if (url === '')
    return {
      rule: 'source',
      severity: 'error',
      impact: 'critical',
      message: 'The image has no source.',
      fix: 'Add src, or remove the element.',
    };
  if (/^(?:cid|data):/i.test(url) || hasMergeTag(url)) return undefined;
  if (/^http:\/\//i.test(url)) return plainHttp(subject);
  if (/^https:\/\//i.test(url)) return { rule: 'https', severity: 'pass', message: 'It is loaded over https.' };
  if (url.startsWith('//')) {
    return {
      rule: 'absolute-url',
      severity: 'warning',
      impact: 'moderate',
      message: `${nameOf(subject)} has an address without scheme, which clients outside a browser cannot complete.`,
      fix: `Write https:${url.slice(0, 100)}.`,
    };
  }
  if (found.completedBy !== undefined) return relative(url, found.completedBy);
  return {
    rule: 'absolute-url',
    severity: 'error',
    impact: 'critical',
    message: `“${url.slice(0, 100)}” is not a URL that email clients can load.`,
    fix: 'Use an absolute URL, starting with https://.',
    details: { address: url.slice(0, ADDRESS_LENGTH_MAX) },
  };
};

/** Loaded here, but not by every client. */
function relative(url: string, completedBy: Completion): Verdict {
  const own = {
    rule: 'absolute-url',
    severity: 'warning',
    impact: 'serious',
    fix: 'Use an absolute URL, starting with https://.',
  } as const;
  const details = { address: url.slice(0, ADDRESS_LENGTH_MAX), completed_by: completedBy };
  const what = `“${url.slice(0, 100)}” is a relative address`;
  if (completedBy === 'page')
    return {
      ...own,
      message: `${what}, completed here by that of the page: sent as a message, it leads nowhere.`,
      details,
    };
  const { unsupported, knownCount, source } = baseSupport();
  return {
    ...own,
    message:
      `${what}, which the message’s base element completes; ${unsupported.length} of ${knownCount} ` +
      'clients ignore that element.',
    source,
    clients: unsupported,
    details,
  };
}

function plainHttp(subject: ImageSubject): Verdict {
  return {
    rule: 'https',
    severity: 'warning',
    impact: 'moderate',
    message: `${nameOf(subject)} is loaded without encryption; clients in a browser may refuse it in their https pages.`,
    fix: 'Use https.',
  };
}

/** Answer, redirects and time of loading. */
export const judgeLoad: Rule = (subject) => {
  const { load } = subject;
  if (!load) return undefined;
  const { status, failure, redirects, finalUrl, loadTimeMs } = load;
  const name = nameOf(subject);
  if (load.isCarried) return { rule: 'broken', severity: 'pass', message: 'It comes with the message.' };
  const details = { status_code: status, load_time_ms: loadTimeMs ?? null, redirects, final_url: finalUrl ?? null };
  if (failure !== undefined || status === null || status < 200 || status > 299) {
    return {
      rule: 'broken',
      severity: 'error',
      impact: 'critical',
      details,
      fix: 'Correct the address, or put the image there.',
      message:
        status === null
          ? `${name} cannot be loaded: ${failure ?? 'there was no answer'}`
          : `${name} cannot be loaded: the server answers ${status}.`,
    };
  }
  return [
    { rule: 'broken', severity: 'pass', message: `It loads with status ${status}.`, details },
    ...(redirects > 0 ? [redirectVerdict(name, { redirects, finalUrl: finalUrl ?? '' })] : []),
    ...(loadTimeMs === undefined ? [] : [timeVerdict(name, loadTimeMs)]),
  ];
};

function redirectVerdict(name: string, { redirects, finalUrl }: { redirects: number; finalUrl: string }): Verdict {
  const isLong = redirects > REDIRECTS_MAX;
  return {
    rule: 'redirect',
    severity: isLong ? 'warning' : 'info',
    impact: isLong ? 'moderate' : 'minor',
    details: { redirects, final_url: finalUrl },
    message:
      `${name} is reached after ${redirects} redirect${redirects === 1 ? '' : 's'}, each of which costs ` +
      'every reader a round trip.',
    fix: `Use ${finalUrl.slice(0, 200)}.`,
  };
}

function timeVerdict(name: string, loadTimeMs: number): Verdict {
  const details = { load_time_ms: loadTimeMs };
  if (loadTimeMs < LOAD_MS_SLOW)
    return { rule: 'load-time', severity: 'pass', message: `It loads in ${timeText(loadTimeMs)}.`, details };
  const isTooSlow = loadTimeMs >= LOAD_MS_TOO_SLOW;
  return {
    rule: 'load-time',
    severity: isTooSlow ? 'warning' : 'info',
    impact: isTooSlow ? 'moderate' : 'minor',
    details,
    message: `${name} takes ${timeText(loadTimeMs)} to load.`,
    fix: 'Make it smaller, or serve it from a faster host.',
  };
}
