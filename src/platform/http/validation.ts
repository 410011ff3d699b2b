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
  const steps = path.split('/').slice(1).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const name = steps.map((step, place) => (/^\d+$/.test(step) ? `[${step}]` : place ? `.${step}` : step)).join('');
  return name || (part === 'body' || part === 'form' ? 'The body' : part);
}

function sentenceOf(fault: Fault, part: string): { field: string; text: string } {
  const params = (fault.params ?? {}) as { requiredProperties?: string[]; missingProperty?: string; allowedValues?: unknown[]; additionalProperties?: string[] };
  const missing = params.requiredProperties ?? (params.missingProperty ? [params.missingProperty] : []);
  if (fault.keyword === 'required' && missing.length) {
    const base = fieldOf(fault.instancePath, '');
    const field = base ? `${base}.${missing[0]}` : (missing[0] as string);
    return { field, text: `${field} is required` };
  }
  const field = fieldOf(fault.instancePath, part);
  // What `additionalProperties: false` leaves out.
  if (fault.keyword === 'boolean') return { field, text: `${field} is not known here` };
  if (fault.keyword === 'enum' && params.allowedValues) return { field, text: `${field} must be one of ${params.allowedValues.join(', ')}` };
  return { field, text: `${field} ${fault.message}` };
}

/** Literals of a union are reported one by one; together they say what is valid. */
function summarise(faults: Fault[], part: string): { field: string; text: string } {
  const first = faults[0] as Fault;
  const constants = faults.filter((fault) => fault.keyword === 'const' && fault.instancePath === first.instancePath);
  if (constants.length) {
    const field = fieldOf(first.instancePath, part);
    const values = constants.map((fault) => (fault.params as { allowedValue: unknown }).allowedValue);
    return { field, text: `${field} must be one of ${values.join(', ')}` };
  }
  return sentenceOf(first, part);
}

/** No id and no text to search for holds U+0000, which the database has no way to store. */
function refuseNull(given: unknown): void {
  for (const [field, value] of Object.entries((given ?? {}) as Record<string, unknown>)) {
    if ([value].flat().some((text) => typeof text === 'string' && text.includes('\0'))) throw new AppError('invalid_request', `${field} must not hold the character U+0000.`, { details: { field } });
  }
}

export type Part = 'body' | 'form' | 'query' | 'params' | 'reply';

/**
 * Compiles a schema into `(value) => value`; throws `invalid_request` naming the field. What arrives as text (query,
 * params, forms) is converted to the types asked for, defaults are filled in; a reply is only looked at.
 */
export function validatorFor(schema: TSchema, part: Part): (value: unknown) => unknown {
  const validator: Validator = Compile(schema);
  return (value) => {
    if (part === 'params' || part === 'query') refuseNull(value);
    const given = part === 'body' || part === 'reply' ? value : Convert(schema, value);
    const typed = part === 'reply' ? given : Default(schema, given);
    if (validator.Check(typed)) return typed;
    const { field, text } = summarise([...validator.Errors(typed)] as unknown as Fault[], part);
    throw new AppError('invalid_request', `${text}.`, { details: { field } });
  };
}
