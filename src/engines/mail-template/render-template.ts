// Handlebars templates, walked instead of compiled: no code is made from a sender's text, and every step is counted.
import {
  parseTemplate,
  type Block,
  type Expression,
  type Place,
  type Program,
  type Statement,
  type Value,
} from './parse-template.ts';

interface TemplateLimits {
  sourceLengthMax: number;
  outputLengthMax: number;
  /** The most statements and expressions that are evaluated, over all repetitions. */
  stepsMax: number;
  depthMax: number;
  /** `{{…}}` in the source. */
  tagsMax: number;
}

export interface TemplateFault {
  problem: string;
  /** From 1; null when the whole template is meant. */
  line: number | null;
  column: number | null;
}

type Rendered =
  | { ok: true; text: string; /** Names without a value, as written; they give nothing. */ missing: string[] }
  | { ok: false; fault: TemplateFault };

interface TemplateOptions {
  variables: Readonly<Record<string, unknown>>;
  as: 'text' | 'html';
  /** A name without a value stays as it is written, instead of giving nothing. */
  keepsMissing?: boolean;
  limits?: Partial<TemplateLimits>;
}

const LIMITS: TemplateLimits = {
  sourceLengthMax: 1024 * 1024,
  outputLengthMax: 10 * 1024 * 1024,
  stepsMax: 500_000,
  depthMax: 100,
  tagsMax: 20_000,
};

/**
 * Fills a template: `{{path}}`, `{{{path}}}`, `if`, `unless`, `each`, `with`, `lookup`, `equal`, `log` (which writes
 * nothing), `else` chains, block parameters, `@index`, `@key`, `@first`, `@last`, `@root`, `../`, white space control; no partials, decorators or own
 * helpers. Variables are data (as JSON has it); only their own properties are seen. `as: 'html'` escapes `{{…}}`.
 * A faulty template is a value, not an exception. Semantics: Handlebars 4.
 */
export async function renderTemplate(source: string, options: TemplateOptions): Promise<Rendered> {
  const limits = { ...LIMITS, ...options.limits };
  const parsed = await readBounded(source, limits);
  if (!parsed.ok) return { ok: false, fault: parsed.fault };
  const walk: Walk = {
    limits,
    isEscaping: options.as === 'html',
    keepsMissing: options.keepsMissing ?? false,
    steps: 0,
    length: 0,
    output: [],
    missing: new Set(),
  };
  try {
    renderProgram(
      parsed.program,
      { contexts: [options.variables], data: { root: options.variables }, names: [], depth: 0 },
      walk,
    );
  } catch (error) {
    if (error instanceof Stop) return { ok: false, fault: error.fault };
    throw error;
  }
  return { ok: true, text: walk.output.join(''), missing: [...walk.missing] };
}

/** Why a text cannot be read as a template; undefined: it can. What only its variables bring up is not seen. */
export async function templateFaultIn(source: string): Promise<TemplateFault | undefined> {
  const parsed = await readBounded(source, LIMITS);
  return parsed.ok ? undefined : parsed.fault;
}

async function readBounded(source: string, limits: TemplateLimits): ReturnType<typeof parseTemplate> {
  const problem =
    source.length > limits.sourceLengthMax
      ? `The template is longer than ${limits.sourceLengthMax} characters.`
      : excessIn(source, limits);
  return problem === undefined ? parseTemplate(source) : { ok: false, fault: { problem, line: null, column: null } };
}

/** The parser takes minutes for what nests deep, so that is counted before. */
function excessIn(source: string, { depthMax, tagsMax }: TemplateLimits): string | undefined {
  let tags = 0;
  let depth = 0;
  for (const [tag] of source.matchAll(/\{\{~?(?:[#/]|\^(?!\s*~?\}\}))?/g)) {
    if (++tags > tagsMax) return `The template holds more than ${tagsMax} tags.`;
    if (tag.endsWith('/')) depth = Math.max(0, depth - 1);
    else if (tag.endsWith('#') || tag.endsWith('^')) depth++;
    if (depth > depthMax) return `Blocks are nested more than ${depthMax} deep.`;
  }
  return undefined;
}

class Stop extends Error {
  readonly fault: TemplateFault;

  constructor(problem: string, place: Place) {
    super(problem);
    this.fault = { problem, line: place.start.line, column: place.start.column + 1 };
  }
}

interface Walk {
  limits: TemplateLimits;
  isEscaping: boolean;
  keepsMissing: boolean;
  steps: number;
  length: number;
  output: string[];
  missing: Set<string>;
}

interface Data {
  root: unknown;
  key?: string | number;
  index?: number;
  first?: boolean;
  last?: boolean;
  _parent?: Data;
}

interface Scope {
  /** Innermost first. */
  contexts: readonly unknown[];
  data: Data;
  /** Block parameters, innermost first. */
  names: readonly Readonly<Record<string, unknown>>[];
  depth: number;
}

function step(walk: Walk, place: Place): void {
  if (++walk.steps > walk.limits.stepsMax)
    throw new Stop(`The template repeats too much: more than ${walk.limits.stepsMax} steps.`, place);
}

function write(text: string, walk: Walk, place: Place): void {
  walk.length += text.length;
  if (walk.length > walk.limits.outputLengthMax)
    throw new Stop(`The result is longer than ${walk.limits.outputLengthMax} characters.`, place);
  walk.output.push(text);
}

function renderProgram(program: Program | undefined, scope: Scope, walk: Walk): void {
  if (!program) return;
  const inner = { ...scope, depth: scope.depth + 1 };
  for (const statement of program.body) {
    step(walk, statement.loc);
    if (inner.depth > walk.limits.depthMax)
      throw new Stop(`Blocks are nested more than ${walk.limits.depthMax} deep.`, statement.loc);
    renderStatement(statement, inner, walk);
  }
}

function renderStatement(statement: Statement, scope: Scope, walk: Walk): void {
  switch (statement.type) {
    case 'ContentStatement':
      return write(statement.value, walk, statement.loc);
    case 'CommentStatement':
      return;
    case 'MustacheStatement': {
      const value =
        statement.params.length > 0
          ? callHelper(statement, scope, walk)
          : evaluate(asPath(statement.path), scope, walk);
      if (value === undefined && walk.keepsMissing && statement.params.length === 0)
        return write(asWritten(statement), walk, statement.loc);
      const text = textOf(value);
      return write(walk.isEscaping && statement.escaped ? escapeHtml(text) : text, walk, statement.loc);
    }
    case 'BlockStatement':
      return renderBlock(statement, scope, walk);
    default:
      throw new Stop(`${NAMES[statement.type] ?? statement.type} are not supported.`, statement.loc);
  }
}

function asWritten({ escaped, path }: { escaped: boolean; path: { original: string } }): string {
  return escaped ? `{{${path.original}}}` : `{{{${path.original}}}}`;
}

const NAMES: Record<string, string> = {
  PartialStatement: 'Partials ({{> …}})',
  PartialBlockStatement: 'Partials ({{#> …}})',
  Decorator: 'Decorators ({{* …}})',
  DecoratorBlock: 'Decorators ({{#* …}})',
};

function renderBlock(block: Block, scope: Scope, walk: Walk): void {
  const name = block.path.original;
  const [first, second] = block.params;
  const needs = (count: number): void => {
    if (block.params.length !== count)
      throw new Stop(`#${name} takes ${count === 1 ? 'one value' : `${count} values`}.`, block.loc);
  };
  const value = first === undefined ? undefined : evaluate(first, scope, walk);
  switch (name) {
    case 'if':
    case 'unless': {
      needs(1);
      const isZeroTrue =
        block.hash?.pairs.some((pair) => pair.key === 'includeZero' && evaluate(pair.value, scope, walk) === true) ??
        false;
      const isTrue = !isEmpty(value) && !(value === 0 && !isZeroTrue);
      return renderProgram(isTrue === (name === 'if') ? block.program : block.inverse, scope, walk);
    }
    case 'equal':
      needs(2);
      return renderProgram(
        value === evaluate(second as Expression, scope, walk) ? block.program : block.inverse,
        scope,
        walk,
      );
    case 'with':
      needs(1);
      return isEmpty(value)
        ? renderProgram(block.inverse, scope, walk)
        : renderProgram(block.program, enter(scope, { context: value, program: block.program, values: [value] }), walk);
    case 'each':
      needs(1);
      return renderEach(block, value, { scope, walk });
    default:
      if (block.params.length > 0)
        throw new Stop(`#${name} is not known here; if, unless, each, with and equal are.`, block.loc);
      return renderSection(block, evaluate(block.path, scope, walk), { scope, walk });
  }
}

/** `{{#name}}…{{/name}}` with a value of its own. */
function renderSection(block: Block, value: unknown, { scope, walk }: { scope: Scope; walk: Walk }): void {
  if (value === true) return renderProgram(block.program, scope, walk);
  if (value === false || value === null || value === undefined) return renderProgram(block.inverse, scope, walk);
  if (Array.isArray(value)) return renderEach(block, value, { scope, walk });
  renderProgram(block.program, enter(scope, { context: value, program: block.program, values: [value] }), walk);
}

function renderEach(block: Block, value: unknown, { scope, walk }: { scope: Scope; walk: Walk }): void {
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : [];
  if (entries.length === 0) return renderProgram(block.inverse, scope, walk);
  for (const [index, [key, item]] of entries.entries()) {
    step(walk, block.loc);
    const data: Data = {
      root: scope.data.root,
      _parent: scope.data,
      key,
      index,
      first: index === 0,
      last: index === entries.length - 1,
    };
    renderProgram(
      block.program,
      { ...enter(scope, { context: item, program: block.program, values: [item, key] }), data },
      walk,
    );
  }
}

function enter(
  scope: Scope,
  { context, program, values }: { context: unknown; program: Program | undefined; values: unknown[] },
): Scope {
  const names = program?.blockParams?.length
    ? [Object.fromEntries(program.blockParams.map((name, index) => [name, values[index]])), ...scope.names]
    : scope.names;
  // A block on the same context is no level of its own for `../`.
  const contexts = context === scope.contexts[0] ? scope.contexts : [context, ...scope.contexts];
  return { ...scope, contexts, names };
}

function callHelper(call: Value, scope: Scope, walk: Walk): unknown {
  const name = call.path.original;
  const values = call.params.map((param) => evaluate(param, scope, walk));
  if (name === 'lookup' && values.length === 2) return own(values[0], String(values[1]));
  if (name === 'equal' && values.length === 2) return values[0] === values[1];
  // Senders leave it in; there is nobody here to read it.
  if (name === 'log') return undefined;
  throw new Stop(
    `The helper "${name}" is not known here, or not with ${values.length} values; lookup, equal and log are.`,
    call.loc,
  );
}

/** `{{'first name'}}` is a name too. */
function asPath(written: Expression): Expression {
  if (written.type !== 'StringLiteral' && written.type !== 'NumberLiteral') return written;
  const name = String(written.value);
  return { type: 'PathExpression', loc: written.loc, data: false, depth: 0, parts: [name], original: name };
}

function evaluate(expression: Expression, scope: Scope, walk: Walk): unknown {
  step(walk, expression.loc);
  switch (expression.type) {
    case 'StringLiteral':
    case 'NumberLiteral':
    case 'BooleanLiteral':
      return expression.value;
    case 'NullLiteral':
      return null;
    case 'UndefinedLiteral':
      return undefined;
    case 'SubExpression':
      return callHelper(expression, scope, walk);
    case 'PathExpression': {
      const value = find(expression, scope);
      if (value === undefined && !expression.data) walk.missing.add(expression.original);
      return value;
    }
  }
}

function find(path: Extract<Expression, { type: 'PathExpression' }>, scope: Scope): unknown {
  const [head = '', ...rest] = path.parts;
  if (path.data) {
    let data: Data | undefined = scope.data;
    for (let level = 0; level < path.depth; level++) data = data?._parent;
    return rest.reduce<unknown>(own, own(data, head));
  }
  const isScoped = /^\.|this\b/.test(path.original);
  const named = path.depth === 0 && !isScoped ? scope.names.find((names) => Object.hasOwn(names, head)) : undefined;
  if (named) return rest.reduce<unknown>(own, named[head]);
  return path.parts.reduce<unknown>(own, scope.contexts[path.depth]);
}

/** Nothing that is inherited: templates see data, not JavaScript. */
function own(value: unknown, name: string): unknown {
  if (value === null || value === undefined || !Object.hasOwn(value as object, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : value !== 0 && !value;
}

const SCALARS = ['string', 'number', 'boolean', 'bigint'];

/** A list joins its items with commas; an object has no text of its own, so its JSON is shown. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (SCALARS.includes(typeof value)) return String(value);
  return Array.isArray(value) ? value.map(textOf).join(',') : JSON.stringify(value);
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
  '`': '&#x60;',
  '=': '&#x3D;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`=]/g, (character) => ENTITIES[character] as string);
}
