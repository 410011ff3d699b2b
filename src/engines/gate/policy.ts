// What an email must hold to pass: a policy as its author writes it (JSON), checked field by field by its schema.
import type { TSchema } from 'typebox';
import { Check, Default } from 'typebox/value';
import { RulePattern, type WrittenPolicy } from './policy-schema.ts';
import { gateRules, type GateRules } from './rules.ts';

type Named<Fields> = { [Name in keyof Fields as Name extends string ? CamelCase<Name> : never]: Fields[Name] };
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** As it is applied and stored: names in camel case, and lists where the order of names counts. */
export interface Policy {
  failOn: WrittenPolicy['fail_on'];
  checks: Record<string, Named<WrittenPolicy['checks'][string]>>;
  /** Later ones win. */
  rules: { pattern: string; severity: WrittenPolicy['rules'][string] }[];
  ignore: WrittenPolicy['ignore'];
  /** By {@link limitKey}; scores by audience, `''` being the default one. */
  limits: Record<string, number | Record<string, number>>;
  screenshots: Named<WrittenPolicy['screenshots']>;
}

interface PolicyProblem {
  /** `limits.html_bytes_max`. */
  field: string;
  why: string;
}

/** What of JSON Schema the policy is written in. */
interface Node {
  type?: string;
  enum?: readonly unknown[];
  anyOf?: Node[];
  properties?: Record<string, Node>;
  patternProperties?: Record<string, Node>;
  required?: readonly string[];
  items?: Node;
  pattern?: string;
  format?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
}

const SHOWN_MAX = 60;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The end of the sentence that begins with the field. */
function whatIsValid(schema: Node, value: unknown): string {
  const { enum: values, type, minimum = 0, maximum = Number.MAX_SAFE_INTEGER, maxLength = 0 } = schema;
  if (values) return `must be one of ${values.join(', ')}.`;
  if (type === 'integer' || type === 'number')
    return (
      `must be a ${type === 'integer' ? 'whole ' : ''}number from ` +
      `${minimum}${maximum === Number.MAX_SAFE_INTEGER ? ' up' : ` to ${maximum}`}.`
    );
  if (schema.format === 'date') return 'must be a day, such as 2026-12-31.';
  if (typeof value !== 'string' || value.trim() === '' || value.length > maxLength)
    return `must be a text of 1 to ${maxLength} characters.`;
  const { description = '' } = schema;
  return `is "${value.slice(0, SHOWN_MAX)}"; write ${description.charAt(0).toLowerCase()}${description.slice(1)}`;
}

function problemInObject(schema: Node, value: unknown, field: string): PolicyProblem | undefined {
  if (!isObject(value)) return { field, why: 'must be an object.' };
  const { properties = {}, patternProperties, required = [], maxProperties = Infinity } = schema;
  if (Object.keys(value).length > maxProperties) return { field, why: `has more than ${maxProperties} entries.` };
  const [entries] = Object.values(patternProperties ?? {});
  if (entries) return problemInEntries(entries, value, field);
  const at = (name: string): string => (field ? `${field}.${name}` : name);
  const known = Object.keys(properties);
  const strange = Object.keys(value).find((name) => !known.includes(name));
  if (strange !== undefined) return { field: at(strange), why: `is not known here; known are ${known.join(', ')}.` };
  for (const [name, inner] of Object.entries(properties)) {
    const isAbsent = value[name] === undefined && (!required.includes(name) || 'default' in inner);
    const found = isAbsent ? undefined : problemIn(inner, value[name], at(name));
    if (found) return found;
  }
  return undefined;
}

/** What has any number of names is named by rules. */
function problemInEntries(schema: Node, value: Record<string, unknown>, field: string): PolicyProblem | undefined {
  for (const [name, one] of Object.entries(value)) {
    const at = `${field}["${name.slice(0, SHOWN_MAX)}"]`;
    const found = problemIn(RulePattern as Node, name, at) ?? problemIn(schema, one, at);
    if (found) return found;
  }
  return undefined;
}

/** The first field that is wrong, in the order of the schema. */
function problemIn(schema: Node, value: unknown, field: string): PolicyProblem | undefined {
  const { anyOf, items, maxItems = Infinity } = schema;
  if (anyOf) {
    const isObjectWanted = typeof value !== 'number';
    return problemIn(anyOf.find(({ type }) => (type === 'object') === isObjectWanted) ?? {}, value, field);
  }
  if (schema.type === 'object') return problemInObject(schema, value, field);
  if (items) {
    if (!Array.isArray(value) || value.length > maxItems)
      return { field, why: `must be a list of at most ${maxItems} entries.` };
    for (const [index, one] of value.entries()) {
      const found = problemIn(items, one, `${field}[${index}]`);
      if (found) return found;
    }
    return undefined;
  }
  return Check(schema as TSchema, value) ? undefined : { field, why: whatIsValid(schema, value) };
}

const camelCase = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const inCamelCase = <Fields extends object>(fields: Fields): Named<Fields> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [camelCase(name), value])) as Named<Fields>;

/** What a limit is called in {@link Policy}: `image_bytes_max` is `imageBytesMax`. */
export const limitKey = camelCase;

/** The limits in the order of the rules, whatever order the author wrote them in. */
function limitsOf(written: WrittenPolicy['limits'], { limits }: GateRules): Policy['limits'] {
  return Object.fromEntries(
    limits.flatMap(({ name, of }) => {
      const value = written[name];
      if (value === undefined) return [];
      return [[limitKey(name), 'names' in of && typeof value === 'number' ? { '': value } : value]];
    }),
  );
}

/**
 * Reads a policy; what it does not say is as the defaults of its schema.
 * @returns the policy, or the first field that is wrong and what would be right
 */
export function readPolicy(value: unknown, rules: GateRules): { policy: Policy } | { problem: PolicyProblem } {
  const problem = problemIn(rules.policy as Node, value, '');
  if (problem) return { problem: { ...problem, field: problem.field || 'The policy' } };
  const written = Default(rules.policy, structuredClone(value)) as WrittenPolicy;
  return {
    policy: {
      failOn: written.fail_on,
      checks: Object.fromEntries(Object.entries(written.checks).map(([group, said]) => [group, inCamelCase(said)])),
      rules: Object.entries(written.rules).map(([pattern, severity]) => ({ pattern, severity })),
      ignore: written.ignore,
      limits: limitsOf(written.limits, rules),
      screenshots: inCamelCase(written.screenshots),
    },
  };
}

function defaultPolicy(): Policy {
  const read = readPolicy({}, gateRules([]));
  if ('problem' in read) throw new Error(`A policy that says nothing is refused: ${read.problem.why}`);
  return read.policy;
}

/** Errors fail, a check that cannot run fails, a picture may differ in a thousandth of its pixels. */
export const DEFAULT_POLICY: Policy = defaultPolicy();

/**
 * The inverse of reading: reading what this returns comes to the same policy. Limits that no check declares any more
 * are left out.
 */
export function policyAsWritten(
  { failOn, checks, rules, ignore, limits, screenshots }: Policy,
  { limits: known }: Pick<GateRules, 'limits'>,
): WrittenPolicy {
  const scoreOf = (value: number | Record<string, number>): number | Record<string, number> =>
    typeof value === 'object' ? (value[''] ?? value) : value;
  return {
    fail_on: failOn,
    checks: Object.fromEntries(
      Object.entries(checks).map(([group, { failOn: own, onError }]) => [
        group,
        { ...(own && { fail_on: own }), ...(onError && { on_error: onError }) },
      ]),
    ),
    rules: Object.fromEntries(rules.map(({ pattern, severity }) => [pattern, severity])),
    ignore,
    limits: Object.fromEntries(
      known.flatMap(({ name }) => {
        const value = limits[limitKey(name)];
        return value === undefined ? [] : [[name, scoreOf(value)]];
      }),
    ),
    screenshots: {
      difference_max: screenshots.differenceMax,
      threshold: screenshots.threshold,
      missing_baseline: screenshots.missingBaseline,
    },
  };
}
