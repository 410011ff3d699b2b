// Expressions: `match_recipient("…")`, `match_header("…", "…")`, `catch_all()`, joined by `and`, `or`, `not` and brackets.
import { RouteFault } from './fault.ts';
import { patternOf } from './patterns.ts';
import { TokenReader } from './tokens.ts';

export type RouteExpression =
  | { is: 'recipient'; pattern: string }
  | { is: 'header'; header: string; pattern: string }
  | { is: 'all' }
  | { is: 'not'; of: RouteExpression }
  | { is: 'and' | 'or'; of: RouteExpression[] };

const EXPRESSION_LENGTH_MAX = 4000;
const TERMS_MAX = 50;
const DEPTH_MAX = 20;

const FUNCTIONS = 'match_recipient("…"), match_header("…", "…") or catch_all()';

interface Reading {
  reader: TokenReader;
  terms: number;
  depth: number;
}

/** Throws `RouteFault`. */
export function readExpression(source: string): RouteExpression {
  if (source.length > EXPRESSION_LENGTH_MAX) throw new RouteFault(`it has at most ${EXPRESSION_LENGTH_MAX} characters`);
  const reading: Reading = { reader: new TokenReader(source), terms: 0, depth: 0 };
  const expression = readEither(reading);
  if (reading.reader.next) throw reading.reader.unexpected('"and", "or" or the end');
  return expression;
}

function readEither(reading: Reading): RouteExpression {
  const of = [readBoth(reading)];
  while (reading.reader.pass('or')) of.push(readBoth(reading));
  return of.length === 1 ? (of[0] as RouteExpression) : { is: 'or', of };
}

function readBoth(reading: Reading): RouteExpression {
  const of = [readTerm(reading)];
  while (reading.reader.pass('and')) of.push(readTerm(reading));
  return of.length === 1 ? (of[0] as RouteExpression) : { is: 'and', of };
}

function readTerm(reading: Reading): RouteExpression {
  const { reader } = reading;
  reading.depth += 1;
  if (reading.depth > DEPTH_MAX) throw new RouteFault(`it nests at most ${DEPTH_MAX} deep`);
  const term = reader.pass('not')
    ? ({ is: 'not', of: readTerm(reading) } as const)
    : reader.pass('(')
      ? readInner(reading)
      : readFunction(reading);
  reading.depth -= 1;
  return term;
}

function readInner(reading: Reading): RouteExpression {
  const inner = readEither(reading);
  reading.reader.need('mark', ')');
  return inner;
}

function readFunction(reading: Reading): RouteExpression {
  const { reader } = reading;
  reading.terms += 1;
  if (reading.terms > TERMS_MAX) throw new RouteFault(`it has at most ${TERMS_MAX} conditions`);
  const { value: name } = reader.need('name', FUNCTIONS);
  if (!['match_recipient', 'match_header', 'catch_all'].includes(name))
    throw new RouteFault(`"${name.slice(0, 40)}" is not known; valid is ${FUNCTIONS}`);
  reader.need('mark', '(');
  const given: string[] = [];
  while (reader.next?.kind === 'text') {
    given.push(reader.need('text', 'a text in quotes').value);
    if (!reader.pass(',')) break;
  }
  reader.need('mark', ')');
  return termOf(name, given);
}

function termOf(name: string, given: readonly string[]): RouteExpression {
  const [first = '', second = ''] = given;
  const wanted = name === 'match_recipient' ? 1 : name === 'match_header' ? 2 : 0;
  if (given.length !== wanted)
    throw new RouteFault(`${name} has ${given.length} texts in quotes, and takes ${wanted || 'none'}`);
  if (name === 'catch_all') return { is: 'all' };
  if (name === 'match_recipient') {
    patternOf(first, true);
    return { is: 'recipient', pattern: first };
  }
  if (!/^[!-9;-~]{1,76}$/.test(first)) throw new RouteFault(`"${first.slice(0, 40)}" names no header field`);
  patternOf(second, false);
  return { is: 'header', header: first.toLowerCase(), pattern: second };
}
