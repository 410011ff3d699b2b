// The policy as a form has it, and as the service takes it.
import { GATE_LIMITS } from '../../../ground/lists.generated.ts';
import type { WrittenPolicy } from './gate-api.ts';

type Limit = (typeof GATE_LIMITS)[number];

export type PolicyFields = Record<Limit['field'], number | ''> & {
  failOn: 'error' | 'warning' | 'info' | 'never';
  /** Percent of the pixels. */
  difference: number | '';
  missingBaseline: 'warn' | 'fail' | 'ignore';
};

/** What the service takes where the form says nothing. */
const DEFAULTS = { threshold: 0.1, difference_max: 0.001 };

/** The limits of the form, by the names of its fields. */
function limitFields(valueOf: (limit: Limit) => number | ''): Record<Limit['field'], number | ''> {
  return Object.fromEntries(GATE_LIMITS.map((limit) => [limit.field, valueOf(limit)])) as Record<
    Limit['field'],
    number | ''
  >;
}

export const NO_LIMITS: PolicyFields = {
  ...limitFields(() => ''),
  failOn: 'error',
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
  const set = Object.entries(limits as Record<string, unknown>);
  const isOfForm = ([name, value]: [string, unknown]): boolean =>
    typeof value === 'number' && GATE_LIMITS.some((limit) => limit.name === name);
  const hasMore =
    [checks, rules, ignore].some((part) => Object.keys(part).length > 0) ||
    !set.every(isOfForm) ||
    screenshots.threshold !== DEFAULTS.threshold;
  if (hasMore) return undefined;
  const valueOf = ({ name, unit }: Limit): number | '' => {
    const value = limits[name];
    return typeof value === 'number' ? value / unit : '';
  };
  return {
    ...limitFields(valueOf),
    failOn,
    difference:
      screenshots.difference_max === DEFAULTS.difference_max ? '' : (times(screenshots.difference_max, 100) ?? ''),
    missingBaseline: screenshots.missing_baseline,
  };
}

/** Only what the form says: everything else is the service's default. */
export function policyOf(fields: PolicyFields): Record<string, unknown> {
  const { failOn, difference, missingBaseline } = fields;
  const limits = given(
    Object.fromEntries(GATE_LIMITS.map(({ name, field, unit }) => [name, times(fields[field], unit)])),
  );
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
