// Without a network every host seems dead. Results that need the network are reported as unknown.
import type { Finding } from '../findings/index.ts';

function isUnanswered({ rule, severity, details }: Finding): boolean {
  if (severity !== 'error') return false;
  if (rule === 'images/broken') return details?.['status_code'] === null;
  const [answer] = Array.isArray(details?.['items']) ? (details['items'] as { status_code?: unknown }[]) : [];
  return rule === 'links/reachable' && answer?.status_code === null;
}

/** Some link or image got no answer at all. */
export function hasUnanswered(findings: readonly Finding[]): boolean {
  return findings.some(isUnanswered);
}

/** What got no answer becomes `links/unknown` and `images/unknown`: a warning, not a verdict. Everything else stays. */
export function withoutNetwork(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => {
    if (!isUnanswered(finding)) return finding;
    const [group] = finding.rule.split('/');
    const url = finding.details?.['url'] ?? finding.details?.['final_url'];
    const what = typeof url === 'string' ? url.slice(0, 200) : group === 'links' ? 'The link' : 'The image';
    return {
      ...finding,
      rule: `${group}/unknown`,
      severity: 'warning',
      message: `${what} could not be tried: this machine has no network, so whether it works is unknown.`,
      fix: 'Run the check where there is a network.',
    };
  });
}
