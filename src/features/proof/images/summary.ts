import { createHash } from 'node:crypto';
import { listedDetails, type Finding } from '../../../engines/findings/index.ts';
import { findingsByImage, type BriefImage, type ImageTestResult, type ImageTestSummary } from './result.ts';

const IMAGES_MAX = 50;
const URL_LENGTH_MAX = 300;

export function isFailure({ severity }: Finding): boolean {
  return severity === 'error' || severity === 'warning';
}

/** Stable for an image and its place among the findings. */
export function findingId(imageId: string, index: number): string {
  return createHash('sha256').update(`${imageId} ${index}`).digest('hex').slice(0, 24);
}

/** `images/alt` is called `alt` where only images are spoken of. */
export function ruleName({ rule }: Finding): string {
  return rule.replace(/^images\//, '');
}

export function impactOf({ details }: Finding): string | undefined {
  const impact = details?.['impact'];
  return typeof impact === 'string' ? impact : undefined;
}

/** Particulars of a finding, as the wire shows them. */
export function detailsOf({ severity, details, clients, source }: Finding): Record<string, unknown> {
  const { impact: _impact, ...particulars } = details ?? {};
  return { severity, ...particulars, ...(clients && { clients }), ...(source && { source }) };
}

function briefFailures(
  imageId: string,
  findings: readonly Finding[],
  listed: ReturnType<typeof listedDetails>,
): BriefImage['failures'] {
  return findings.flatMap((finding, index) => {
    if (!isFailure(finding)) return [];
    const impact = impactOf(finding);
    const one = {
      id: findingId(imageId, index),
      rule: ruleName(finding),
      description: finding.message,
      ...(impact !== undefined && { impact }),
    };
    return [{ ...one, ...(finding.fix && { recommendation: finding.fix }), ...listed([detailsOf(finding)]) }];
  });
}

/** What a list shows of a test: the failures of the first images, of each in one sentence. */
export function summaryOf(result: ImageTestResult, findings: readonly Finding[]): ImageTestSummary {
  const { own } = findingsByImage(result, findings);
  const listed = listedDetails();
  return {
    image_count: result.images.length,
    invalid_count: result.images.filter(({ status }) => status === 'Invalid').length,
    failures: findings.filter(isFailure).length,
    total_bytes: result.totalBytes,
    total_load_time_ms: result.totalLoadTimeMs,
    images: result.images.slice(0, IMAGES_MAX).map(({ id, url, status }, index) => ({
      id,
      url: url.slice(0, URL_LENGTH_MAX),
      status,
      failures: briefFailures(id, own[index]!, listed),
    })),
  };
}
