// Link tests: every link of a message, or of a list, followed to its end and judged.
import { isFollowable, looksLikeUnsubscribe, type LinkResult, type LinkSubject } from '../../../engines/links/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { checkAll, type LinkReport } from '../../../platform/links/index.ts';
import { nameOfAddresses, nameOfSource } from '../_message/index.ts';
import { defineInspection, knownOnly, type Checked, type InspectionMachine } from '../_inspections/index.ts';
import type { BriefLink } from './brief-link.ts';
import { findPlacedLinks, FOLLOW_TIMEOUT_MS, judgeFollowed } from './computations.ts';
import { LINKS_MAX, PATH, TAG } from './contract.ts';
import { LISTED_MAX, type LinkInput } from './placed-links.ts';

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
  results: BriefLink[];
}

/** What is left after following is for reading, judging and storing. */
const TIMEOUT_MS = 400_000;

export const linkTests: InspectionMachine<LinkInput, LinkTestResult, 'fetch' | 'compute'> = defineInspection<
  LinkInput,
  LinkTestResult,
  'fetch' | 'compute'
>({
  kind: 'links',
  noun: 'link test',
  lane: 'net',
  timeoutMs: TIMEOUT_MS,
  listing: {
    path: PATH,
    label: 'Links',
    about: 'Follows every link to its end: status, redirects, certificate.',
    tag: { name: TAG, about: 'Checks the links of an email.' },
    page: 'links',
    contentChecking: { field: 'link_validation', order: 10 },
    gate: {
      check: 'links',
      order: 20,
      groups: { links: 'Links' },
      limits: [
        {
          name: 'broken_links_max',
          order: 40,
          about: 'How many links may be broken.',
          of: { rule: 'links/reachable' },
          label: 'Broken links, at most',
        },
      ],
      // Relative addresses of links mean nothing by where the email lies.
      async run(outside, { source }, run): Promise<Checked> {
        const { result, findings } = await linkTests.inspect(outside, source, run);
        const isAnswered = result.results.some((link) => link.status_code !== undefined);
        return { findings: await knownOnly(outside, findings, isAnswered) };
      },
    },
  },
  nameOf: (input) =>
    input.kind === 'links' ? nameOfAddresses(input.links.map(({ url }) => url)) : nameOfSource(input),
  async inspect(outside, input, { signal }) {
    const placed = await outside.compute.run(findPlacedLinks, input, { signal });
    const userAgent = input.kind === 'links' ? input.userAgent : null;
    const answers = await follow(outside, placed.links, { userAgent, signal });
    return outside.compute.run(judgeFollowed, { placed, answers }, { signal });
  },
});

/** Asks every address once. What may unsubscribe somebody is touched only, wherever it stands. */
async function follow(
  { fetch }: Pick<Outside, 'fetch'>,
  links: readonly LinkSubject[],
  { userAgent, signal }: { userAgent: string | null; signal: AbortSignal },
): Promise<Map<string, LinkReport>> {
  const acting = new Set(
    links
      .filter(({ isUnsubscribe }) => isUnsubscribe)
      .flatMap(({ url }) => [url, URL.canParse(url) ? new URL(url).href : url]),
  );
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
