// Whether a message is one that an expression is about, and what its patterns found.
import { patternOf } from './patterns.ts';
import type { RouteExpression } from './expression.ts';

interface RoutedMessage {
  recipient: string;
  /** Undefined: not known yet, as when only the recipient was named so far. */
  headers: readonly { name: string; value: string }[] | undefined;
}

/** What groups found: by number as `1`, by name as they are called. */
export type Captures = ReadonlyMap<string, string>;

/** Longer ones are looked at up to here. */
const RECIPIENT_LENGTH_MAX = 320;
const VALUE_LENGTH_MAX = 1000;
/** Fields of one name that are looked at. */
const FIELDS_MAX = 20;

/** Undefined: it depends on what is not known yet. */
type Verdict = boolean | undefined;

interface Looking {
  message: RoutedMessage;
  found: Map<string, string>;
}

/** From the beginning of the text on; where the pattern ends before the text does, the rest may be anything. */
function look({ found }: Looking, text: string, { source, isCaseless }: { source: string; isCaseless: boolean }) {
  const pattern = patternOf(source, isCaseless);
  const matcher = pattern.matcher(text);
  if (!matcher.lookingAt()) return false;
  for (let group = 1; group <= matcher.groupCount(); group += 1) {
    const value = matcher.group(group);
    if (typeof value === 'string') found.set(String(group), value);
  }
  for (const [name, group] of Object.entries(pattern.namedGroups())) {
    const value = matcher.group(group);
    if (typeof value === 'string') found.set(name, value);
  }
  return true;
}

function lookAtHeaders(looking: Looking, { header, pattern: source }: { header: string; pattern: string }): Verdict {
  const { headers } = looking.message;
  if (!headers) return undefined;
  const own = headers.filter(({ name }) => name.toLowerCase() === header).slice(0, FIELDS_MAX);
  return own.some(({ value }) => look(looking, value.slice(0, VALUE_LENGTH_MAX), { source, isCaseless: false }));
}

function judge(expression: RouteExpression, looking: Looking): Verdict {
  switch (expression.is) {
    case 'all':
      return true;
    case 'recipient': {
      const text = looking.message.recipient.slice(0, RECIPIENT_LENGTH_MAX);
      return look(looking, text, { source: expression.pattern, isCaseless: true });
    }
    case 'header':
      return lookAtHeaders(looking, expression);
    case 'not': {
      const inner = judge(expression.of, { ...looking, found: new Map() });
      return inner === undefined ? undefined : !inner;
    }
    default: {
      const ending = expression.is === 'or';
      let verdict: Verdict = !ending;
      for (const one of expression.of) {
        const own = judge(one, looking);
        if (own === ending) return ending;
        if (own === undefined) verdict = undefined;
      }
      return verdict;
    }
  }
}

/** What the patterns found; undefined where the expression is not about the message. */
export function matchRoute(expression: RouteExpression, message: RoutedMessage): Captures | undefined {
  const found = new Map<string, string>();
  return judge(expression, { message, found }) === true ? found : undefined;
}

/** False where no header could make the expression be about a message to this recipient. */
export function couldMatch(expression: RouteExpression, recipient: string): boolean {
  return judge(expression, { message: { recipient, headers: undefined }, found: new Map() }) !== false;
}

/** Steps that matching may take for each character of a text. */
export function costOf(expression: RouteExpression): number {
  switch (expression.is) {
    case 'all':
      return 0;
    case 'recipient':
      return patternOf(expression.pattern, true).programSize();
    case 'header':
      return patternOf(expression.pattern, false).programSize();
    case 'not':
      return costOf(expression.of);
    default:
      return expression.of.reduce((sum, one) => sum + costOf(one), 0);
  }
}
