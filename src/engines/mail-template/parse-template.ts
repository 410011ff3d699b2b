// Reads a template into Handlebars' own tree; the grammar and its white space rules are the library's.
import type { TemplateFault } from './render-template.ts';

export interface Place {
  start: { line: number; column: number };
}

interface Path {
  type: 'PathExpression';
  loc: Place;
  /** `@name` */
  data: boolean;
  /** How many `../`. */
  depth: number;
  parts: string[];
  original: string;
}

interface Literal {
  type: 'StringLiteral' | 'NumberLiteral' | 'BooleanLiteral';
  loc: Place;
  value: unknown;
}

export interface Value {
  loc: Place;
  path: Path;
  params: Expression[];
}

export type Expression =
  | Path
  | Literal
  | { type: 'NullLiteral' | 'UndefinedLiteral'; loc: Place }
  | ({ type: 'SubExpression' } & Value);

export interface Block extends Value {
  type: 'BlockStatement';
  hash?: { pairs: { key: string; value: Expression }[] };
  program?: Program;
  inverse?: Program;
}

export type Statement =
  | { type: 'ContentStatement'; loc: Place; value: string }
  | { type: 'CommentStatement'; loc: Place }
  | ({ type: 'MustacheStatement'; escaped: boolean } & Value)
  | Block
  | { type: 'PartialStatement' | 'PartialBlockStatement' | 'Decorator' | 'DecoratorBlock'; loc: Place };

export interface Program {
  body: Statement[];
  blockParams?: string[];
}

/** What the parser throws; the place is there where it knows one. */
interface ParserError extends Error {
  lineNumber?: number;
  column?: number;
  hash?: { loc?: { first_line: number; first_column: number } };
}

/** The tree of a template, or where it breaks the grammar. */
export async function parseTemplate(
  source: string,
): Promise<{ ok: true; program: Program } | { ok: false; fault: TemplateFault }> {
  const { default: handlebars } = await import('handlebars');
  try {
    return { ok: true, program: handlebars.parse(source) as unknown as Program };
  } catch (error) {
    // Deep nesting exhausts the parser's own recursion.
    if (error instanceof RangeError)
      return { ok: false, fault: { problem: 'Blocks are nested too deep.', line: null, column: null } };
    const { message, lineNumber, column, hash } = error as ParserError;
    const line = lineNumber ?? hash?.loc?.first_line ?? Number(/on line (\d+)/.exec(message)?.[1] ?? 0);
    // The first line says where, a drawing follows, and the last says what was expected.
    const problem = message
      .split('\n')
      .filter((text) => !/^[-.]*\^?$/.test(text.trim()))
      .map((text) => text.trim())
      .join(' ')
      .slice(0, 500);
    return {
      ok: false,
      fault: {
        problem: `The template cannot be read: ${problem}`,
        line: line || null,
        column: column === undefined ? null : column + 1,
      },
    };
  }
}
