// Expressions of routes as rows of a form, and back. What the form has no rows for stays an expression.
import { quote, readQuoted } from './quoted.ts';

export type Subject = 'recipient' | 'header' | 'all';
export type How = 'is' | 'begins' | 'ends' | 'contains' | 'matches';

/** A row of the form. */
export interface Condition {
  of: Subject;
  /** Of a header field. */
  header: string;
  how: How;
  text: string;
}

export interface Conditions {
  join: 'and' | 'or';
  rows: Condition[];
}

/** The header fields of a condition ignore capitals by this; recipients do anyway. */
const CASELESS = '(?i)';
const META = /[\\^$.*+?()[\]{}|]/g;

const escaped = (text: string): string => text.replaceAll(META, String.raw`\$&`);

/** The text that a pattern without any sign of its own stands for. */
function unescaped(pattern: string): string | undefined {
  let text = '';
  for (let place = 0; place < pattern.length; place += 1) {
    const character = pattern[place]!;
    const next = pattern[place + 1] ?? '';
    if (character === '\\' && /[^\w\s]/.test(next)) {
      text += next;
      place += 1;
    } else if (/[\\^$.*+?()[\]{}|]/.test(character)) return undefined;
    else text += character;
  }
  return text;
}

/** Patterns match from the beginning on, and where they end the rest may be anything. */
function patternOf({ of, how, text }: Condition): string {
  if (how === 'matches') return text;
  const [before, after] = { is: ['', '$'], begins: ['', ''], ends: ['.*', '$'], contains: ['.*', ''] }[how] as string[];
  return `${of === 'header' ? CASELESS : ''}${before}${escaped(text)}${after}`;
}

function readPattern(of: Subject, given: string): Pick<Condition, 'how' | 'text'> {
  const asGiven = { how: 'matches', text: given } as const;
  if (of === 'header' && !given.startsWith(CASELESS)) return asGiven;
  const pattern = of === 'header' ? given.slice(CASELESS.length) : given;
  const isAnywhere = pattern.startsWith('.*');
  const isToEnd = /(?<!\\)(?:\\\\)*\$$/.test(pattern);
  const text = unescaped(pattern.slice(isAnywhere ? 2 : 0, isToEnd ? -1 : undefined));
  if (text === undefined || text === '') return asGiven;
  return { how: isAnywhere ? (isToEnd ? 'ends' : 'contains') : isToEnd ? 'is' : 'begins', text };
}

function termOf(condition: Condition): string {
  if (condition.of === 'all') return 'catch_all()';
  const pattern = quote(patternOf(condition));
  return condition.of === 'recipient'
    ? `match_recipient(${pattern})`
    : `match_header(${quote(condition.header.trim())}, ${pattern})`;
}

/** The expression that rows stand for. */
export const expressionOf = ({ join, rows }: Conditions): string => rows.map(termOf).join(` ${join} `);

class Reader {
  #rest: string;

  constructor(source: string) {
    this.#rest = source.trim();
  }

  get isAtEnd(): boolean {
    return this.#rest === '';
  }

  pass(sign: RegExp): string | undefined {
    const found = sign.exec(this.#rest)?.[0];
    if (found === undefined) return undefined;
    this.#rest = this.#rest.slice(found.length).trimStart();
    return found.trim().toLowerCase();
  }

  quoted(): string | undefined {
    const found = readQuoted(this.#rest);
    if (!found) return undefined;
    this.#rest = this.#rest.slice(found.length).trimStart();
    return found.text;
  }
}

function readTerm(reader: Reader): Condition | undefined {
  const name = reader.pass(/^(?:match_recipient|match_header|catch_all)\s*\(/);
  if (name === undefined) return undefined;
  const texts: string[] = [];
  for (let text = reader.quoted(); text !== undefined; text = reader.pass(/^,/) ? reader.quoted() : undefined)
    texts.push(text);
  if (reader.pass(/^\)/) === undefined) return undefined;
  const [first = '', second = ''] = texts;
  if (name.startsWith('catch_all')) return { of: 'all', header: '', how: 'is', text: '' };
  return name.startsWith('match_recipient')
    ? { of: 'recipient', header: '', ...readPattern('recipient', first) }
    : { of: 'header', header: first, ...readPattern('header', second) };
}

/** The rows of an expression; undefined where it says more than rows can, such as brackets, `not`, or both joints. */
export function readConditions(expression: string): Conditions | undefined {
  const reader = new Reader(expression);
  const rows: Condition[] = [];
  const joins = new Set<string>();
  for (;;) {
    const term = readTerm(reader);
    if (!term) return undefined;
    rows.push(term);
    if (reader.isAtEnd) return joins.size > 1 ? undefined : { join: joins.has('or') ? 'or' : 'and', rows };
    const join = reader.pass(/^(?:and|or)\b/i);
    if (join === undefined) return undefined;
    joins.add(join);
  }
}

export const NEW_CONDITION: Condition = { of: 'recipient', header: '', how: 'is', text: '' };

/** Whether something is missing in a row. */
export const isUnfinished = ({ of, header, text }: Condition): boolean =>
  of !== 'all' && (text.trim() === '' || (of === 'header' && header.trim() === ''));

const HOWS: Readonly<Record<How, string>> = {
  is: 'is',
  begins: 'begins with',
  ends: 'ends with',
  contains: 'contains',
  matches: 'matches',
};

/** An expression in words, where they say all of it. */
export function conditionWords(expression: string): string | undefined {
  const read = readConditions(expression);
  if (!read || read.rows.some(({ how }) => how === 'matches')) return undefined;
  const words = read.rows.map(({ of, header, how, text }) =>
    of === 'all' ? 'every message' : `${of === 'recipient' ? 'the recipient' : header} ${HOWS[how]} “${text}”`,
  );
  const sentence = words.join(` ${read.join} `);
  return `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}`;
}

export const HOW_CHOICES = Object.entries(HOWS).map(([value, label]) => ({
  value,
  label: value === 'matches' ? 'matches pattern' : label,
}));
