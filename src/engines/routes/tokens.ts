// Words of expressions and actions: names, quoted texts, brackets and commas.
import { RouteFault } from './fault.ts';

type Token = { kind: 'name' | 'text' | 'mark'; value: string; at: number };

const NAME = /[A-Za-z_]+/y;
const SPACE = /\s+/y;

/** A text in single or double quotes from `at` on. A backslash stays, but for one before the quote itself. */
function readText(source: string, at: number): { value: string; end: number } {
  const quote = source[at] as string;
  let value = '';
  for (let place = at + 1; place < source.length; place += 1) {
    const character = source[place] as string;
    if (character === quote) return { value, end: place + 1 };
    const next = source[place + 1];
    if (character !== '\\' || next === undefined) value += character;
    else {
      value += next === quote ? next : `\\${next}`;
      place += 1;
    }
  }
  throw new RouteFault(`the quote at character ${at + 1} is not closed`);
}

/** Throws `RouteFault`. */
function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  };
  while (at < source.length) {
    const space = take(SPACE);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const character = source[at] as string;
    if (character === '"' || character === "'") {
      const { value, end } = readText(source, at);
      tokens.push({ kind: 'text', value, at });
      at = end;
      continue;
    }
    const name = take(NAME);
    if (name === undefined && !'(),'.includes(character))
      throw new RouteFault(`"${character}" at character ${at + 1} was not expected`);
    tokens.push({ kind: name === undefined ? 'mark' : 'name', value: name ?? character, at });
    at += (name ?? character).length;
  }
  return tokens;
}

/** Reads tokens one after the other. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #place = 0;

  constructor(source: string) {
    this.#tokens = tokensOf(source);
  }

  get next(): Token | undefined {
    return this.#tokens[this.#place];
  }

  /** Passes a mark, or a word such as `and`; answers whether it was there. */
  pass(value: string): boolean {
    const { next } = this;
    if (!next || next.kind === 'text' || next.value.toLowerCase() !== value) return false;
    this.#place += 1;
    return true;
  }

  /** Throws `RouteFault`. */
  need(kind: Token['kind'], what: string): Token {
    const { next } = this;
    if (next?.kind !== kind || (kind === 'mark' && next.value !== what)) throw this.unexpected(what);
    this.#place += 1;
    return next;
  }

  unexpected(wanted: string): RouteFault {
    const found = this.next;
    const place = found ? `at character ${found.at + 1}` : 'at the end';
    return new RouteFault(`${place}, ${wanted} is expected${found ? ` in place of ${shown(found)}` : ''}`);
  }
}

const shown = ({ value }: Token): string => `"${value.slice(0, 40)}"`;
