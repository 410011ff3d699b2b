// What a link test computes: which links a message has, before they are followed, and what their answers come to.
import {
  compareLinks,
  hasExpiredCertificate,
  isFollowable,
  judgeLinks,
  readExpected,
  type ActualLink,
  type Difference,
  type LinkResult,
  type LinkSubject,
} from '../../../engines/links/index.ts';
import type { Finding } from '../../../engines/findings/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';
import { invalid } from '../../../platform/errors/index.ts';
import type { LinkReport } from '../../../platform/links/index.ts';
import type { Inspected } from '../_inspections/index.ts';
import { briefLinks, type BriefLink } from './brief-link.ts';
import { LINKS_MAX } from './contract.ts';
import type { LinkTestResult, LinkTestSummary } from './inspection.ts';
import { placeLinks, type LinkInput, type PlacedLinks } from './placed-links.ts';

const here = import.meta.url;

/** How long links are followed. */
export const FOLLOW_TIMEOUT_MS = 150_000;
const RESULTS_IN_LIST_MAX = 50;
const FACET_LENGTH_MAX = 300;

/** The links of a test, and how each address is asked. */
interface LinksToFollow {
  placed: PlacedLinks;
  urls: string[];
  /** What may unsubscribe somebody, as written and as browsers write it. */
  acting: Set<string>;
}

export const findPlacedLinks = defineComputation(
  here,
  'findPlacedLinks',
  async (input: LinkInput): Promise<LinksToFollow> => {
    const placed = await placeLinks(input);
    const acting = placed.links.filter(({ isUnsubscribe }) => isUnsubscribe).map(({ url }) => url);
    return {
      placed,
      urls: placed.links.map(({ url }) => url).filter(isFollowable),
      acting: new Set(acting.flatMap((url) => [url, URL.canParse(url) ? new URL(url).href : url])),
    };
  },
);

/** Links at their places, and what became of each address. */
interface FollowedLinks {
  placed: PlacedLinks;
  answers: ReadonlyMap<string, LinkReport>;
}

export const judgeFollowed = defineComputation(
  here,
  'judgeFollowed',
  ({ placed, answers }: FollowedLinks): Inspected<LinkTestResult> => {
    const subjects = placed.links.map((link): LinkSubject => {
      const answer = answers.get(link.url);
      return answer ? { ...link, answer } : link;
    });
    const { results, findings } = judgeLinks(subjects);
    const notice = noticeOf(subjects, placed);
    return inspected(
      {
        results,
        statuses: subjects.map(({ answer }) => answer?.chain.map(({ status }) => status) ?? []),
        ...(notice !== undefined && { notice }),
      },
      {
        findings:
          notice === undefined
            ? findings
            : [
                ...findings,
                {
                  rule: 'links/not-checked',
                  severity: 'warning',
                  message: notice,
                  fix: 'Check the rest in another test.',
                },
              ],
        isExpiredSSL: subjects.some(({ answer }) => answer !== undefined && hasExpiredCertificate(answer)),
      },
    );
  },
);

/** A test against the rows of a sheet, as JSON. Throws `invalid_request` for a sheet without links. */
export const compareSheet = defineComputation(
  here,
  'compareSheet',
  ({ rows, actual }: { rows: string; actual: readonly ActualLink[] }): Difference[] => {
    const expected = readExpected(JSON.parse(rows) as string[][]);
    if (!expected)
      throw invalid('csv', 'has no column of links: name one “URL” in the first row, or fill one with addresses.');
    if (expected.length === 0) throw invalid('csv', 'names its columns, but has no rows with links.');
    return compareLinks(expected, actual);
  },
);

/** What the bounds of a test left out. */
function noticeOf(subjects: readonly LinkSubject[], { isCut }: PlacedLinks): string | undefined {
  const missed = subjects.filter(({ answer }) => answer?.reason === 'too_many' || answer?.reason === 'deadline').length;
  const sentences = [
    ...(isCut
      ? [`The message has more than ${LINKS_MAX.toLocaleString('en')} links; those after them were not looked at.`]
      : []),
    ...(missed > 0
      ? [
          `${missed.toLocaleString('en')} of ${subjects.length.toLocaleString('en')} links were not followed: ` +
            `the ${FOLLOW_TIMEOUT_MS / 1000} seconds of this test were used up.`,
        ]
      : []),
  ];
  return sentences.length ? sentences.join(' ') : undefined;
}

function inspected(
  result: LinkTestResult,
  { findings, isExpiredSSL }: { findings: Finding[]; isExpiredSSL: boolean },
): Inspected<LinkTestResult> {
  const { results, notice } = result;
  const count = (status: LinkResult['status']) => results.filter((link) => link.status === status).length;
  const summary: LinkTestSummary = {
    links: results.length,
    errors: count('Error'),
    warnings: count('warning'),
    ...(notice !== undefined && { notice }),
    results: forList(results),
  };
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
function forList(results: readonly LinkResult[]): BriefLink[] {
  const order: LinkResult['status'][] = ['Error', 'warning', 'pass'];
  return briefLinks(
    order.flatMap((status) => results.filter((link) => link.status === status)).slice(0, RESULTS_IN_LIST_MAX),
  );
}
