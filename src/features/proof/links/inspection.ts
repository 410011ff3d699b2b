// Link tests: every link of a message, or of a list, followed to its end and judged.
import { looksLikeUnsubscribe, type LinkResult } from '../../../engines/links/index.ts';
import { checkAll } from '../../../platform/links/index.ts';
import { nameOfAddresses, nameOfSource } from '../_message/index.ts';
import { defineInspection, knownOnly, type Checked, type InspectionMachine } from '../_inspections/index.ts';
import type { BriefLink } from './brief-link.ts';
import { findPlacedLinks, FOLLOW_TIMEOUT_MS, judgeFollowed } from './computations.ts';
import { LINKS_MAX, PATH, TAG } from './contract.ts';
import { LISTED_MAX, type LinkInput } from './placed-links.ts';

export interface LinkTestResult {
  results: LinkResult[];
  /** The statuses of all answers on the way to each result. */
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
    about: 'Follows every link and checks status, redirects and TLS certificate.',
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
          label: 'Max broken links',
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
    const { placed, urls, acting } = await outside.compute.run(findPlacedLinks, input, { signal });
    // What may unsubscribe somebody is touched only, wherever it stands.
    const answers = await checkAll(urls, {
      fetch: outside.fetch,
      signal,
      // Addresses of the List-Unsubscribe field have no place in the HTML.
      countMax: LINKS_MAX + LISTED_MAX,
      deadlineMs: FOLLOW_TIMEOUT_MS,
      onlyTouch: (url) => acting.has(url) || looksLikeUnsubscribe({ url }),
      ...(input.kind === 'links' && input.userAgent !== null && { userAgent: input.userAgent }),
    });
    return outside.compute.run(judgeFollowed, { placed, answers }, { signal });
  },
});
