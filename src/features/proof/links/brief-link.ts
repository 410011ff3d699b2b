// A link in a list of tests: what is left out is absent, or said to be left out, lest it be taken for empty.
import { listedDetails, shownInList } from '../../../engines/findings/index.ts';
import type { LinkResult, WireFinding } from '../../../engines/links/index.ts';

type BriefFinding = Omit<WireFinding, 'details'> & Partial<Pick<WireFinding, 'details'>>;

export type BriefLink = Omit<LinkResult, 'passes' | 'informational' | 'failures'> & { failures: BriefFinding[] };

/** The links without what lists leave out: passes, remarks, and details beyond a bound. */
export function briefLinks(links: readonly LinkResult[]): BriefLink[] {
  const listed = listedDetails();
  const brief = ({ details, ...finding }: WireFinding): BriefFinding => ({ ...finding, ...listed(details) });
  return links.map(({ passes: _passes, informational: _informational, failures, ...link }) => ({
    ...link,
    failures: failures.map(brief),
  }));
}

/** On the wire. Summaries that were made before have empty lists for what they leave out. */
export function keptLink({ failures, ...kept }: BriefLink) {
  const { passes: _passes, informational: _informational, ...link } = kept as Omit<LinkResult, 'failures'>;
  return { ...link, failures: failures.map(shownInList) };
}
