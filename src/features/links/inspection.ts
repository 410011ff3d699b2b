// Link tests: every link of a message, or of a list, followed to its end and judged.
import { hasExpiredCertificate, isFollowable, judgeLinks, looksLikeUnsubscribe, type LinkResult, type LinkSubject } from '../../engines/links/index.ts';
import type { Finding } from '../../engines/findings/index.ts';
import type { Outside } from '../../platform/feature/index.ts';
import { checkAll, type LinkReport } from '../../platform/links/index.ts';
import { defineInspection, type Inspected } from '../inspections/index.ts';
import { LINKS_MAX } from './contract.ts';
import { LISTED_MAX, placeLinks, type LinkInput, type PlacedLinks } from './placed-links.ts';

export interface LinkTestResult {
  results: LinkResult[];
  /** Of each result: the statuses of all answers on the way. */
  statuses: number[][];
  /** What was not checked; undefined when everything was. */
  notice?: string;
}

/** What a list shows of a test. */
export interface LinkTestSummary {
  links: number;
  errors: number;
  warnings: number;
  notice?: string;
  results: LinkResult[];
}

const TIMEOUT_MS = 180_000;
/** What is left of the time is for judging and storing. */
const FOLLOW_TIMEOUT_MS = 150_000;
const RESULTS_IN_LIST_MAX = 50;
const FACET_LENGTH_MAX = 300;

export const linkTests = defineInspection<LinkInput, LinkTestResult>({
  kind: 'links',
  noun: 'link test',
  lane: 'net',
  timeoutMs: TIMEOUT_MS,
  async inspect(outside, input, { signal }) {
    const placed = await placeLinks(input);
    const userAgent = input.kind === 'links' ? input.userAgent : null;
    const answers = await follow(outside, placed.links, { userAgent, signal });
    const subjects = placed.links.map((link): LinkSubject => {
      const answer = answers.get(link.url);
      return answer ? { ...link, answer } : link;
    });
    const { results, findings } = judgeLinks(subjects);
    const notice = noticeOf(subjects, placed);
    return inspected({ results, statuses: subjects.map(({ answer }) => answer?.chain.map(({ status }) => status) ?? []), ...(notice !== undefined && { notice }) }, {
      findings: notice === undefined ? findings : [...findings, { rule: 'links/not-checked', severity: 'warning', message: notice, fix: 'Check the rest in another test.' }],
      isExpiredSSL: subjects.some(({ answer }) => answer !== undefined && hasExpiredCertificate(answer)),
    });
  },
});

/** What the bounds of a test left out. */
function noticeOf(subjects: readonly LinkSubject[], { isCut }: PlacedLinks): string | undefined {
  const missed = subjects.filter(({ answer }) => answer?.reason === 'too_many' || answer?.reason === 'deadline').length;
  const sentences = [
    ...(isCut ? [`The message has more than ${LINKS_MAX.toLocaleString('en')} links; those after them were not looked at.`] : []),
    ...(missed > 0 ? [`${missed.toLocaleString('en')} of ${subjects.length.toLocaleString('en')} links were not followed: the ${FOLLOW_TIMEOUT_MS / 1000} seconds of this test were used up.`] : []),
  ];
  return sentences.length ? sentences.join(' ') : undefined;
}

/** Asks every address once. What may unsubscribe somebody is touched only, wherever it stands. */
async function follow({ fetch }: Outside, links: readonly LinkSubject[], { userAgent, signal }: { userAgent: string | null; signal: AbortSignal }): Promise<Map<string, LinkReport>> {
  const acting = new Set(links.filter(({ isUnsubscribe }) => isUnsubscribe).flatMap(({ url }) => [url, URL.canParse(url) ? new URL(url).href : url]));
  return checkAll(links.map(({ url }) => url).filter(isFollowable), {
    fetch,
    signal,
    // Those of the List-Unsubscribe field stand in no place of the HTML.
    countMax: LINKS_MAX + LISTED_MAX,
    deadlineMs: FOLLOW_TIMEOUT_MS,
    onlyTouch: (url) => acting.has(url) || looksLikeUnsubscribe({ url }),
    ...(userAgent !== null && { userAgent }),
  });
}

function inspected(result: LinkTestResult, { findings, isExpiredSSL }: { findings: Finding[]; isExpiredSSL: boolean }): Inspected<LinkTestResult> {
  const { results, notice } = result;
  const count = (status: LinkResult['status']) => results.filter((link) => link.status === status).length;
  const summary: LinkTestSummary = { links: results.length, errors: count('Error'), warnings: count('warning'), ...(notice !== undefined && { notice }), results: forList(results) };
  const distinct = <Value>(values: Value[]) => [...new Set(values)];
  const facets = {
    isExpiredSSL,
    urls: distinct(results.map(({ url }) => url.slice(0, FACET_LENGTH_MAX))),
    statusCodes: distinct(results.flatMap(({ status_code: code }) => code ?? [])),
    statuses: distinct(results.map(({ status }) => status.toLowerCase())),
  };
  return { result, findings, summary: { ...summary }, facets };
}

/** A page of a list may hold a thousand tests. */
function forList(results: readonly LinkResult[]): LinkResult[] {
  const order: LinkResult['status'][] = ['Error', 'warning', 'pass'];
  const sorted = order.flatMap((status) => results.filter((link) => link.status === status)).slice(0, RESULTS_IN_LIST_MAX);
  return sorted.map(({ passes: _passes, informational: _informational, failures, ...link }) => ({ ...link, passes: [], failures: failures.map((finding) => ({ ...finding, details: [] })), informational: [] }));
}
