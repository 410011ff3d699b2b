// Strict validation by the contract's schemas, with messages that name the field and what is valid.
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Convert, Default } from 'typebox/value';
import { AppError } from '../errors/index.ts';

interface Fault {
  instancePath: string;
  keyword: string;
  message: string;
  params?: unknown;
}

function fieldOf(path: string, part: string): string {
  const steps = path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const name = steps.map((step, place) => (/^\d+$/.test(step) ? `[${step}]` : place ? `.${step}` : step)).join('');
  return name || (part === 'body' || part === 'form' ? 'The body' : part);
}

function sentenceOf(fault: Fault, part: string): { field: string; text: string } {
  const params = (fault.params ?? {}) as {
    requiredProperties?: string[];
    missingProperty?: string;
    allowedValues?: unknown[];
    additionalProperties?: string[];
  };
  const missing = params.requiredProperties ?? (params.missingProperty ? [params.missingProperty] : []);
  if (fault.keyword === 'required' && missing.length) {
    const base = fieldOf(fault.instancePath, '');
    const field = base ? `${base}.${missing[0]}` : (missing[0] as string);
    return { field, text: `${field} is required` };
  }
  const field = fieldOf(fault.instancePath, part);
  // What `additionalProperties: false` leaves out.
  if (fault.keyword === 'boolean') return { field, text: `${field} is not known here` };
  if (fault.keyword === 'enum' && params.allowedValues)
    return { field, text: `${field} must be one of ${params.allowedValues.join(', ')}` };
  return { field, text: `${field} ${fault.message}` };
}

/** Literals of a union are reported one by one; together they say what is valid. */
function summarize(faults: Fault[], part: string): { field: string; text: string } {
  const first = faults[0] as Fault;
  const constants = faults.filter((fault) => fault.keyword === 'const' && fault.instancePath === first.instancePath);
  if (constants.length) {
    const field = fieldOf(first.instancePath, part);
    const values = new Set(constants.map((fault) => (fault.params as { allowedValue: unknown }).allowedValue));
    return { field, text: `${field} must be one of ${[...values].join(', ')}` };
  }
  return sentenceOf(first, part);
}

/** A field that is a document of its own, such as a message, may hold anything. */
function isDocument(schema: TSchema): boolean {
  return 'contentMediaType' in schema || ('anyOf' in schema && (schema.anyOf as TSchema[]).some(isDocument));
}

function documentsOf(schema: TSchema): Set<string> {
  const properties = 'properties' in schema ? (schema.properties as Record<string, TSchema>) : {};
  return new Set(Object.keys(properties).filter((name) => isDocument(properties[name] as TSchema)));
}

/** A value, and how one comes to it: a path is put together only for the one that is named. */
interface Placed {
  value: unknown;
  name: string | number;
  parent: Placed | undefined;
}

function pathOf({ name, parent }: Placed): string {
  if (!parent) return '';
  const before = pathOf(parent);
  if (typeof name === 'number') return `${before}[${name}]`;
  return before ? `${before}.${name}` : name;
}

/** Whether a value is a text with U+0000, or may contain one. */
function isSuspect(value: unknown): boolean {
  return typeof value === 'string'
    ? value.includes('\0')
    : typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}

/** Refuses U+0000 outside documents: the database cannot store it. */
function refuseNull(given: unknown, documents: ReadonlySet<string>): void {
  const waiting: Placed[] = [];
  if (isSuspect(given)) waiting.push({ value: given, name: '', parent: undefined });
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value } = next;
    if (typeof value === 'string') {
      const path = pathOf(next);
      throw new AppError('invalid_request', `${path} must not hold the character U+0000.`, {
        details: { field: path },
      });
    }
    const place = (held: unknown, name: string | number): void => {
      if (isSuspect(held)) waiting.push({ value: held, name, parent: next });
    };
    if (Array.isArray(value)) value.forEach(place);
    else if (typeof value === 'object' && value !== null) {
      for (const name of Object.keys(value)) {
        if (name.includes('\0'))
          throw new AppError(
            'invalid_request',
            `A name in ${pathOf(next) || 'the request'} must not hold the character U+0000.`,
          );
        if (next.parent || !documents.has(name)) place((value as Record<string, unknown>)[name], name);
      }
    }
  }
}

function isInteger(schema: TSchema): boolean {
  return (
    ('type' in schema && schema.type === 'integer') ||
    ('anyOf' in schema && (schema.anyOf as TSchema[]).some(isInteger))
  );
}

/** Fields that hold an integer, as text in queries and forms. */
function integersOf(schema: TSchema): string[] {
  const properties = 'properties' in schema ? (schema.properties as Record<string, TSchema>) : {};
  return Object.keys(properties).filter((name) => isInteger(properties[name] as TSchema));
}

/**
 * Converting would cut `1.5` down to 1, and read `1e2` and the empty text as numbers. Forms send an empty text for what
 * is not given.
 */
function refuseFractions(given: unknown, integers: readonly string[], part: Part): void {
  if (typeof given !== 'object' || given === null) return;
  for (const name of integers) {
    const value = (given as Record<string, unknown>)[name];
    const isAbsent = value === '' && part === 'form';
    const isWrong = isAbsent
      ? false
      : typeof value === 'string'
        ? !/^-?\d{1,16}$/.test(value)
        : typeof value === 'number' && !Number.isInteger(value);
    if (isWrong) throw new AppError('invalid_request', `${name} must be integer.`, { details: { field: name } });
  }
}

/** Parameters of a query that have one value. */
function singlesOf(schema: TSchema): string[] {
  const properties = 'properties' in schema ? (schema.properties as Record<string, TSchema>) : {};
  return Object.keys(properties).filter((name) => !JSON.stringify(properties[name]).includes('"array"'));
}

/**
 * The same with each of these parameters once where it is repeated with one value: clients that follow the address of a
 * page put their own `limit` behind the one in it.
 */
function withoutRepeats(given: unknown, singles: readonly string[]): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const query = given as Record<string, unknown>;
  const repeated = singles.flatMap((name) => {
    const values = Object.hasOwn(query, name) ? query[name] : undefined;
    return Array.isArray(values) && new Set(values).size === 1 ? [[name, values[0] as unknown] as const] : [];
  });
  return repeated.length === 0 ? given : { ...query, ...Object.fromEntries(repeated) };
}

/** Whether a schema has defaults. Filling them in visits every value, which takes long for large bodies. */
function holdsDefault(schema: TSchema): boolean {
  return JSON.stringify(schema).includes('"default":');
}

/** No list of the API may be longer. */
const LISTED_MAX = 50_000;

/**
 * The same with its lists cut: their first values say what is wrong, and naming what is wrong with millions takes
 * seconds.
 */
function withShortLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const cut = Object.entries(value).map(
    ([name, held]) => [name, Array.isArray(held) ? held.slice(0, LISTED_MAX + 1) : held] as const,
  );
  return Object.fromEntries(cut);
}

function faultsOf(validator: Validator, value: unknown): Fault[] {
  const found = [...validator.Errors(withShortLists(value))];
  return (found.length ? found : [...validator.Errors(value)]) as unknown as Fault[];
}

type Part = 'body' | 'form' | 'query' | 'params' | 'reply';

/**
 * Makes of a schema `(value) => value`; throws `invalid_request` naming the field. What arrives as text (query,
 * params, forms) is converted to the types asked for, defaults are filled in; a reply is only looked at. `hasNoNull`:
 * it is known that U+0000 stands nowhere in it, so that millions of values need not be looked at.
 */
export function validatorFor(
  schema: TSchema,
  part: Part,
): (value: unknown, known?: { hasNoNull?: boolean }) => unknown {
  // Compiled when it is first asked: a process that answers a few requests does without most of them.
  let compiled: Validator | undefined;
  const documents = documentsOf(schema);
  const fillsIn = part !== 'reply' && holdsDefault(schema);
  const integers = part === 'body' || part === 'reply' ? [] : integersOf(schema);
  const singles = part === 'query' ? singlesOf(schema) : [];
  return (asked, { hasNoNull = part === 'reply' } = {}) => {
    const value = withoutRepeats(asked, singles);
    if (!hasNoNull) refuseNull(value, documents);
    refuseFractions(value, integers, part);
    const given = part === 'body' || part === 'reply' ? value : Convert(schema, value);
    const typed = fillsIn ? Default(schema, given) : given;
    const validator = (compiled ??= Compile(schema) as Validator);
    if (validator.Check(typed)) return typed;
    const { field, text } = summarize(faultsOf(validator, typed), part);
    throw new AppError('invalid_request', `${text}.`, { details: { field } });
  };
}
