// `delivered OR opened`, `NOT "out of office"`, `>100 <2000`: the grammar of filters, by recursive descent.

/** What a filter says. Terms without a word between them all hold. */
export type FilterTree =
  | { term: string }
  | { above: number }
  | { below: number }
  | { all: FilterTree[] }
  | { any: FilterTree[] }
  | { not: FilterTree };

type Token = { kind: 'term' | 'quoted' | 'sign'; text: string };

const TERMS_MAX = 100;
const DEPTH_MAX = 20;

/** A sentence: what is wrong. */
class Fault extends Error {}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /\s+|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([()])|([<>])|([^\s()<>"']+)/gsy;
  while (pattern.lastIndex < text.length) {
    const from = pattern.lastIndex;
    const match = pattern.exec(text);
    if (!match) throw new Fault(`has a quotation mark at ${from + 1} that is not closed.`);
    const [, double, single, bracket, sign, word] = match;
    const quoted = double ?? single;
    if (quoted !== undefined) tokens.push({ kind: 'quoted', text: quoted.replaceAll(/\\(.)/gs, '$1') });
    else if (word !== undefined) tokens.push({ kind: 'term', text: word });
    else if (bracket !== undefined || sign !== undefined) tokens.push({ kind: 'sign', text: bracket ?? sign ?? '' });
    if (tokens.length > TERMS_MAX) throw new Fault(`has more than ${TERMS_MAX} terms.`);
  }
  return tokens;
}

class Reader {
  #place = 0;
  readonly #tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  #is(kind: Token['kind'], text: string): boolean {
    const token = this.#tokens[this.#place];
    return token?.kind === kind && token.text === text;
  }

  #take(kind: Token['kind'], text: string): boolean {
    if (!this.#is(kind, text)) return false;
    this.#place += 1;
    return true;
  }

  whole(): FilterTree {
    const tree = this.#either(0);
    if (this.#place < this.#tokens.length) throw new Fault('has a closing bracket too many.');
    return tree;
  }

  #either(depth: number): FilterTree {
    if (depth > DEPTH_MAX) throw new Fault(`has brackets more than ${DEPTH_MAX} deep.`);
    const parts = [this.#both(depth)];
    while (this.#take('term', 'OR')) parts.push(this.#both(depth));
    return parts.length === 1 ? (parts[0] as FilterTree) : { any: parts };
  }

  #both(depth: number): FilterTree {
    const parts = [this.#one(depth)];
    for (;;) {
      const isEnd = this.#place >= this.#tokens.length || this.#is('sign', ')') || this.#is('term', 'OR');
      if (!this.#take('term', 'AND') && isEnd) break;
      parts.push(this.#one(depth));
    }
    return parts.length === 1 ? (parts[0] as FilterTree) : { all: parts };
  }

  #one(depth: number): FilterTree {
    let isOpposite = false;
    while (this.#take('term', 'NOT')) isOpposite = !isOpposite;
    const tree = this.#plain(depth);
    return isOpposite ? { not: tree } : tree;
  }

  #plain(depth: number): FilterTree {
    if (this.#take('sign', '(')) {
      const tree = this.#either(depth + 1);
      if (!this.#take('sign', ')')) throw new Fault('has a bracket that is not closed.');
      return tree;
    }
    for (const [sign, name] of [
      ['>', 'above'],
      ['<', 'below'],
    ] as const)
      if (this.#take('sign', sign)) return { [name]: this.#number(sign) } as FilterTree;
    const token = this.#tokens[this.#place];
    const isWord = token?.kind === 'term' && ['AND', 'OR', 'NOT'].includes(token.text);
    if (!token || token.kind === 'sign' || isWord) throw new Fault('lacks a term after AND, OR, NOT or a bracket.');
    this.#place += 1;
    return { term: token.text };
  }

  #number(sign: string): number {
    const token = this.#tokens[this.#place];
    const number = Number(token?.text);
    if (token?.kind !== 'term' || !Number.isFinite(number)) throw new Fault(`lacks a number after ${sign}.`);
    this.#place += 1;
    return number;
  }
}

/**
 * Reads a filter: terms, phrases in quotes, brackets, `AND` (which may be left out), `OR`, `NOT`, `>n` and `<n`.
 * `fault`: what is wrong, as the end of a sentence.
 */
export function parseFilter(text: string): { tree: FilterTree } | { fault: string } {
  try {
    return { tree: new Reader(tokensOf(text)).whole() };
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message };
    throw error;
  }
}
