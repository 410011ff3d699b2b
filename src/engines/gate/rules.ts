// What a gate goes by: its checks, the groups of their rules, and the limits that a policy may set. Each check declares
// its own part; the policy's schema, its reader and the verdict follow from all of them together.
import type { Type } from 'typebox';
import { policySchema } from './policy-schema.ts';

/** What a limit is held against. */
type LimitSource =
  /** A measure that a check takes: at most so much. */
  | { measure: string }
  /** Measures of 0 to 100 by name, `''` being the default one: at least so much. */
  | { measures: string; names: readonly string[] }
  /** How many findings of a rule may be errors. */
  | { rule: string }
  /** Findings of a severity. */
  | { severity: 'warning' };

/** A limit of a policy. */
export interface GateLimit {
  /** As policies write it: `image_bytes_max`. */
  name: string;
  /** Its place among all limits. */
  order: number;
  about: string;
  of: LimitSource;
  /** What forms call it; without one only JSON sets it. */
  label?: string;
  /** Why it was not measured, where no check that failed is the reason. */
  unmeasured?: string;
}

/** What a check brings to the gate. */
export interface GateCheck {
  /** What requests and the command line call it. */
  check: string;
  /** Its place among all checks. */
  order: number;
  /** First parts of the names of its rules, with their titles; its own is among them. */
  groups: Readonly<Record<string, string>>;
  limits?: readonly GateLimit[];
}

/** What no single check brings. */
const OWN_LIMITS: readonly GateLimit[] = [
  {
    name: 'html_bytes_max',
    order: 10,
    about: 'Bytes of the HTML.',
    of: { measure: 'htmlBytes' },
    label: 'Max HTML size (KB)',
  },
  {
    name: 'message_bytes_max',
    order: 20,
    about: 'Bytes of a whole message; HTML alone has no such size and does not pass it.',
    of: { measure: 'messageBytes' },
    unmeasured:
      'HTML is no whole message, and it was not measured: ' +
      'give the message as it is sent, headers and all, or limit html_bytes_max.',
  },
  {
    name: 'warnings_max',
    order: 50,
    about: 'How many warnings there may be.',
    of: { severity: 'warning' },
    label: 'Max warnings',
  },
];

/** The comparison of screenshots with approved ones: the only check that is not an inspection. */
const SCREENSHOTS: GateCheck = { check: 'screenshots', order: 100, groups: { screenshots: 'Screenshots' } };

export interface GateRules {
  /** In the order of reports. */
  checks: readonly string[];
  /** By the first part of a rule's name. */
  titles: ReadonlyMap<string, string>;
  /** In the order of answers. */
  limits: readonly GateLimit[];
  /** Of a policy as its author writes it. */
  policy: Type.TObject;
}

const inOrder = <Item extends { order: number }>(items: readonly Item[]): Item[] =>
  items.toSorted((a, b) => a.order - b.order);

/** Throws when two checks, groups or limits have one name, or a limit has one that no policy could hold. */
export function gateRules(declared: readonly GateCheck[]): GateRules {
  const given = inOrder([...declared, SCREENSHOTS]);
  const limits = inOrder([...OWN_LIMITS, ...given.flatMap((check) => check.limits ?? [])]);
  const checks = given.map(({ check }) => check);
  const groups = given.flatMap((check) => Object.entries(check.groups));
  refuseTwice('checks', checks);
  refuseTwice(
    'groups of rules',
    groups.map(([group]) => group),
  );
  refuseTwice(
    'limits',
    limits.map(({ name }) => name),
  );
  const elsewhere = given.flatMap(({ check, limits: own = [] }) =>
    own.filter(({ of }) => 'rule' in of && !of.rule.startsWith(`${check}/`)),
  );
  if (elsewhere[0]) throw new Error(`The limit ${elsewhere[0].name} counts a rule that is not its check's own.`);
  const strange = limits.find(({ name }) => !/^[a-z]+(_[a-z]+)*_(max|min)$/.test(name));
  if (strange) throw new Error(`The limit ${strange.name} is no name such as image_bytes_max.`);
  const titles = new Map(groups);
  return { checks, titles, limits, policy: policySchema({ groups: [...titles.keys()], limits }) };
}

function refuseTwice(what: string, names: readonly string[]): void {
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) throw new Error(`Two ${what} of the gate are named ${twice}.`);
}
