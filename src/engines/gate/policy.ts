// What an email must hold to pass: a policy as its author writes it (JSON), checked field by field.

export const GATE_CHECKS = ['code', 'links', 'images', 'accessibility', 'screenshots'] as const;
export type GateCheck = (typeof GATE_CHECKS)[number];

/** First parts of rule names; the code check brings `hygiene` too. */
const RULE_GROUPS = ['code', 'hygiene', 'links', 'images', 'accessibility', 'screenshots'] as const;
export type RuleGroup = (typeof RULE_GROUPS)[number];

export const FAIL_ON = ['error', 'warning', 'info', 'never'] as const;
type FailOn = (typeof FAIL_ON)[number];

export const RULE_SEVERITIES = ['off', 'info', 'warning', 'error'] as const;
export const MISSING = ['fail', 'warn', 'ignore'] as const;

interface IgnoreEntry {
  /** A rule, or several by `*`. */
  rule: string;
  /** Only findings that have this in their message, snippet, selector or address. */
  contains?: string;
  reason: string;
  /** The last day that it holds, `YYYY-MM-DD`. */
  until?: string;
}

interface Limits {
  htmlBytesMax?: number;
  messageBytesMax?: number;
  imageBytesMax?: number;
  brokenLinksMax?: number;
  warningsMax?: number;
  /** By audience, 0 to 100. */
  scoreMin?: Record<string, number>;
}

export interface Policy {
  failOn: FailOn;
  checks: Partial<Record<RuleGroup, { failOn?: FailOn; onError?: 'fail' | 'warn' }>>;
  /** Later ones win. */
  rules: { pattern: string; severity: (typeof RULE_SEVERITIES)[number] }[];
  ignore: IgnoreEntry[];
  limits: Limits;
  screenshots: { differenceMax: number; threshold: number; missingBaseline: (typeof MISSING)[number] };
}

/** Errors fail, a check that cannot run fails, a picture may differ in a thousandth of its pixels. */
export const DEFAULT_POLICY: Policy = {
  failOn: 'error',
  checks: {},
  rules: [],
  ignore: [],
  limits: {},
  screenshots: { differenceMax: 0.001, threshold: 0.1, missingBaseline: 'warn' },
};

interface PolicyProblem {
  /** `limits.html_bytes_max`. */
  field: string;
  why: string;
}

type Fields = Record<string, unknown>;
type Read<Value> = (value: unknown, field: string) => Value;

const ENTRIES_MAX = 500;
const TEXT_MAX = 500;

class Fault extends Error {
  readonly problem: PolicyProblem;
  constructor(field: string, why: string) {
    super(why);
    this.problem = { field, why };
  }
}

function fieldsOf(value: unknown, field: string, known?: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Fault(field, 'must be an object.');
  const strange = known && Object.keys(value).find((name) => !known.includes(name));
  if (strange !== undefined)
    throw new Fault(field ? `${field}.${strange}` : strange, `is not known here; known are ${known?.join(', ')}.`);
  return value as Fields;
}

const oneOf =
  <Value extends string>(values: readonly Value[]): Read<Value> =>
  (value, field) => {
    if (!values.includes(value as Value)) throw new Fault(field, `must be one of ${values.join(', ')}.`);
    return value as Value;
  };

const number =
  (min: number, max: number, isWhole = false): Read<number> =>
  (value, field) => {
    if (typeof value !== 'number' || !(value >= min && value <= max) || (isWhole && !Number.isInteger(value)))
      throw new Fault(
        field,
        `must be a ${isWhole ? 'whole ' : ''}number from ` +
          `${min}${max === Number.MAX_SAFE_INTEGER ? ' up' : ` to ${max}`}.`,
      );
    return value;
  };
const count = number(0, Number.MAX_SAFE_INTEGER, true);

const text: Read<string> = (value, field) => {
  if (typeof value !== 'string' || value.trim() === '' || value.length > TEXT_MAX)
    throw new Fault(field, `must be a text of 1 to ${TEXT_MAX} characters.`);
  return value;
};

const day: Read<string> = (value, field) => {
  if (
    typeof value !== 'string' ||
    !/^\d{4}-\d\d-\d\d$/.test(value) ||
    Number.isNaN(Date.parse(value)) ||
    new Date(value).toISOString().slice(0, 10) !== value
  )
    throw new Fault(field, 'must be a day, such as 2026-12-31.');
  return value;
};

const rulePattern: Read<string> = (value, field) => {
  const pattern = text(value, field);
  if (!/^[a-z*][\w*.-]*(\/[\w*.-]+)?$/i.test(pattern) || !(pattern.includes('/') || pattern.endsWith('*')))
    throw new Fault(
      field,
      `is "${pattern.slice(0, 60)}"; write a rule such as links/reachable, or several such as links/*.`,
    );
  return pattern;
};

function optional<Value>(
  fields: Fields,
  name: string,
  { within, read }: { within: string; read: Read<Value> },
): Value | undefined {
  return fields[name] === undefined ? undefined : read(fields[name], within ? `${within}.${name}` : name);
}

function readChecks(value: unknown): Policy['checks'] {
  const groups = fieldsOf(value, 'checks', RULE_GROUPS);
  return Object.fromEntries(
    Object.entries(groups).map(([group, settings]) => {
      const within = `checks.${group}`;
      const fields = fieldsOf(settings, within, ['fail_on', 'on_error']);
      const failOn = optional(fields, 'fail_on', { within, read: oneOf(FAIL_ON) });
      const onError = optional(fields, 'on_error', { within, read: oneOf(['fail', 'warn'] as const) });
      return [group, { ...(failOn && { failOn }), ...(onError && { onError }) }];
    }),
  );
}

function readRules(value: unknown): Policy['rules'] {
  const entries = Object.entries(fieldsOf(value, 'rules'));
  if (entries.length > ENTRIES_MAX) throw new Fault('rules', `has more than ${ENTRIES_MAX} entries.`);
  return entries.map(([name, severity]) => ({
    pattern: rulePattern(name, `rules["${name.slice(0, 60)}"]`),
    severity: oneOf(RULE_SEVERITIES)(severity, `rules["${name.slice(0, 60)}"]`),
  }));
}

function readIgnore(value: unknown): IgnoreEntry[] {
  if (!Array.isArray(value) || value.length > ENTRIES_MAX)
    throw new Fault('ignore', `must be a list of at most ${ENTRIES_MAX} entries.`);
  return value.map((entry, index) => {
    const within = `ignore[${index}]`;
    const fields = fieldsOf(entry, within, ['rule', 'contains', 'reason', 'until']);
    const contains = optional(fields, 'contains', { within, read: text });
    const until = optional(fields, 'until', { within, read: day });
    return {
      rule: rulePattern(fields['rule'], `${within}.rule`),
      reason: text(fields['reason'], `${within}.reason`),
      ...(contains && { contains }),
      ...(until && { until }),
    };
  });
}

function readScores(value: unknown, audiences: readonly string[]): Record<string, number> {
  const read = number(0, 100);
  if (typeof value === 'number') return { '': read(value, 'limits.score_min') };
  const entries = Object.entries(fieldsOf(value, 'limits.score_min', audiences));
  return Object.fromEntries(entries.map(([id, score]) => [id, read(score, `limits.score_min.${id}`)]));
}

function readLimits(value: unknown, audiences: readonly string[]): Limits {
  const names = {
    html_bytes_max: 'htmlBytesMax',
    message_bytes_max: 'messageBytesMax',
    image_bytes_max: 'imageBytesMax',
    broken_links_max: 'brokenLinksMax',
    warnings_max: 'warningsMax',
  } as const;
  const fields = fieldsOf(value, 'limits', [...Object.keys(names), 'score_min']);
  const counts = Object.entries(names).flatMap(([name, own]) =>
    fields[name] === undefined ? [] : [[own, count(fields[name], `limits.${name}`)] as const],
  );
  return {
    ...Object.fromEntries(counts),
    ...(fields['score_min'] !== undefined && { scoreMin: readScores(fields['score_min'], audiences) }),
  };
}

function readScreenshots(value: unknown): Policy['screenshots'] {
  const within = 'screenshots';
  const fields = fieldsOf(value, within, ['difference_max', 'threshold', 'missing_baseline']);
  const standard = DEFAULT_POLICY.screenshots;
  return {
    differenceMax: optional(fields, 'difference_max', { within, read: number(0, 1) }) ?? standard.differenceMax,
    threshold: optional(fields, 'threshold', { within, read: number(0, 1) }) ?? standard.threshold,
    missingBaseline: optional(fields, 'missing_baseline', { within, read: oneOf(MISSING) }) ?? standard.missingBaseline,
  };
}

/**
 * Reads a policy; what it does not say is as in {@link DEFAULT_POLICY}.
 * @param audiences ids that `limits.score_min` may name
 * @returns the policy, or the first field that is wrong and what would be right
 */
export function readPolicy(
  value: unknown,
  audiences: readonly string[],
): { policy: Policy } | { problem: PolicyProblem } {
  try {
    const fields = fieldsOf(value, '', ['$schema', 'fail_on', 'checks', 'rules', 'ignore', 'limits', 'screenshots']);
    return {
      policy: {
        failOn: optional(fields, 'fail_on', { within: '', read: oneOf(FAIL_ON) }) ?? DEFAULT_POLICY.failOn,
        checks: optional(fields, 'checks', { within: '', read: readChecks }) ?? {},
        rules: optional(fields, 'rules', { within: '', read: readRules }) ?? [],
        ignore: optional(fields, 'ignore', { within: '', read: readIgnore }) ?? [],
        limits: optional(fields, 'limits', { within: '', read: (given) => readLimits(given, audiences) }) ?? {},
        screenshots:
          optional(fields, 'screenshots', { within: '', read: readScreenshots }) ?? DEFAULT_POLICY.screenshots,
      },
    };
  } catch (error) {
    if (error instanceof Fault) return { problem: { ...error.problem, field: error.problem.field || 'The policy' } };
    throw error;
  }
}
