import type { Policy } from './policy.ts';

/** A policy as its author would write it, with every default said: what {@link readPolicy} reads. */
interface WrittenPolicy {
  fail_on: Policy['failOn'];
  checks: Record<string, { fail_on?: Policy['failOn']; on_error?: 'fail' | 'warn' }>;
  rules: Record<string, Policy['rules'][number]['severity']>;
  ignore: Policy['ignore'];
  limits: {
    html_bytes_max?: number;
    message_bytes_max?: number;
    image_bytes_max?: number;
    broken_links_max?: number;
    warnings_max?: number;
    score_min?: number | Record<string, number>;
  };
  screenshots: {
    difference_max: number;
    threshold: number;
    missing_baseline: Policy['screenshots']['missingBaseline'];
  };
}

function writtenLimits({
  htmlBytesMax,
  messageBytesMax,
  imageBytesMax,
  brokenLinksMax,
  warningsMax,
  scoreMin,
}: Policy['limits']): WrittenPolicy['limits'] {
  return {
    ...(htmlBytesMax !== undefined && { html_bytes_max: htmlBytesMax }),
    ...(messageBytesMax !== undefined && { message_bytes_max: messageBytesMax }),
    ...(imageBytesMax !== undefined && { image_bytes_max: imageBytesMax }),
    ...(brokenLinksMax !== undefined && { broken_links_max: brokenLinksMax }),
    ...(warningsMax !== undefined && { warnings_max: warningsMax }),
    ...(scoreMin !== undefined && { score_min: scoreMin[''] ?? scoreMin }),
  };
}

/** The inverse of reading a policy: reading what this returns comes to the same policy. */
export function policyAsWritten({ failOn, checks, rules, ignore, limits, screenshots }: Policy): WrittenPolicy {
  return {
    fail_on: failOn,
    checks: Object.fromEntries(
      Object.entries(checks).map(([group, settings]) => [
        group,
        {
          ...(settings.failOn && { fail_on: settings.failOn }),
          ...(settings.onError && { on_error: settings.onError }),
        },
      ]),
    ),
    rules: Object.fromEntries(rules.map(({ pattern, severity }) => [pattern, severity])),
    ignore,
    limits: writtenLimits(limits),
    screenshots: {
      difference_max: screenshots.differenceMax,
      threshold: screenshots.threshold,
      missing_baseline: screenshots.missingBaseline,
    },
  };
}
