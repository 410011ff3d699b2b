// The policy as a form has it, and as the service takes it.
import type { WrittenPolicy } from './gate-api.ts';

export interface PolicyFields {
  failOn: 'error' | 'warning' | 'info' | 'never';
  htmlKb: number | '';
  imageKb: number | '';
  brokenLinks: number | '';
  warnings: number | '';
  score: number | '';
  /** Percent of the pixels. */
  difference: number | '';
  missingBaseline: 'warn' | 'fail' | 'ignore';
}

/** What the service takes where the form says nothing. */
const DEFAULTS = { threshold: 0.1, difference_max: 0.001 };

export const NO_LIMITS: PolicyFields = {
  failOn: 'error',
  htmlKb: '',
  imageKb: '',
  brokenLinks: '',
  warnings: '',
  score: '',
  difference: '',
  missingBaseline: 'warn',
};

function given(fields: Record<string, number | string | undefined>): Record<string, number | string> | undefined {
  const found = Object.entries(fields).filter(
    (entry): entry is [string, number | string] => entry[1] !== undefined && !Number.isNaN(entry[1]),
  );
  return found.length ? Object.fromEntries(found) : undefined;
}

function times(value: number | '', factor: number): number | undefined {
  return value === '' ? undefined : Number((value * factor).toPrecision(12));
}

/** A policy of the service in the form; undefined where it says what the form has no field for. */
export function fieldsOf({
  fail_on: failOn,
  checks,
  rules,
  ignore,
  limits,
  screenshots,
}: WrittenPolicy): PolicyFields | undefined {
  const { message_bytes_max: messageBytes, score_min: score = '' } = limits;
  const hasMore =
    [checks, rules, ignore].some((part) => Object.keys(part).length > 0) ||
    messageBytes !== undefined ||
    typeof score === 'object' ||
    screenshots.threshold !== DEFAULTS.threshold;
  if (hasMore) return undefined;
  return {
    failOn,
    htmlKb: limits.html_bytes_max === undefined ? '' : limits.html_bytes_max / 1000,
    imageKb: limits.image_bytes_max === undefined ? '' : limits.image_bytes_max / 1000,
    brokenLinks: limits.broken_links_max ?? '',
    warnings: limits.warnings_max ?? '',
    score,
    difference:
      screenshots.difference_max === DEFAULTS.difference_max ? '' : (times(screenshots.difference_max, 100) ?? ''),
    missingBaseline: screenshots.missing_baseline,
  };
}

/** Only what the form says: everything else is the service's default. */
export function policyOf({
  failOn,
  htmlKb,
  imageKb,
  brokenLinks,
  warnings,
  score,
  difference,
  missingBaseline,
}: PolicyFields): Record<string, unknown> {
  const limits = given({
    html_bytes_max: times(htmlKb, 1000),
    image_bytes_max: times(imageKb, 1000),
    broken_links_max: times(brokenLinks, 1),
    warnings_max: times(warnings, 1),
    score_min: times(score, 1),
  });
  const screenshots = given({
    difference_max: times(difference, 0.01),
    missing_baseline: missingBaseline === 'warn' ? undefined : missingBaseline,
  });
  return {
    ...(failOn !== 'error' && { fail_on: failOn }),
    ...(limits && { limits }),
    ...(screenshots && { screenshots }),
  };
}
