// Schemas of contracts as the OpenAPI document writes them, and the ones that repeat under names of their own.
import type { TSchema } from 'typebox';
import { READ_BY_ITSELF } from './contract.ts';
import type { Schema } from './samples.ts';

/** Shorter ones stay where they are: a reference would not be shorter. */
const NAMED_CHARACTERS_MIN = 120;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a schema may hold other schemas in. */
const HOLDERS = ['items', 'additionalProperties'] as const;

/** The schema with each one inside it replaced, from the outside in. */
function mapInner(schema: Schema, map: (inner: Schema, name: string) => Schema): Schema {
  const mapped: Schema = { ...schema };
  if (schema.properties)
    mapped.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, inner]) => [name, map(inner, name)]),
    );
  if (schema.anyOf) mapped.anyOf = schema.anyOf.map((inner) => map(inner, ''));
  for (const holder of HOLDERS)
    if (isObject(schema[holder])) mapped[holder] = map(schema[holder], holder === 'items' ? 'item' : 'value');
  return mapped;
}

/**
 * What generators understand: maps by `additionalProperties`, enumerations that say their type, no classes of Unicode
 * in patterns.
 */
function plainly(given: Schema): Schema {
  const schema = (given[READ_BY_ITSELF] as Schema | undefined) ?? given;
  const { patternProperties, ...rest } = schema;
  const [value] = Object.values(patternProperties ?? {});
  const plain: Schema = value === undefined ? rest : { ...rest, additionalProperties: value };
  if (plain.pattern?.includes(String.raw`\p{`)) delete plain.pattern;
  if (plain.enum && plain.type === undefined && plain.enum.every((one) => typeof one === 'string'))
    plain.type = 'string';
  return mapInner(plain, plainly);
}

/** As it stands in the document. */
export function schemaOf(schema: TSchema): Schema {
  return plainly(JSON.parse(JSON.stringify(schema)) as Schema);
}

/**
 * Generators of clients take `default` for a promise that the field is there, also where it is sent: words say it as
 * well.
 */
function withDefaultInWords({ default: value, ...rest }: Schema): Schema {
  return value === undefined
    ? rest
    : {
        ...rest,
        description: `${rest.description ? `${rest.description} ` : ''}Default: \`${JSON.stringify(value)}\`.`,
      };
}

/** As a caller may send it: what has a default may be left out. */
export function inputSchemaOf(schema: TSchema): Schema {
  const optional = ({ required, ...given }: Schema): Schema => {
    const left = required?.filter((name) => given.properties?.[name]?.default === undefined) ?? [];
    return mapInner(left.length ? { ...given, required: left } : given, (inner) => optional(inner));
  };
  return optional(schemaOf(schema));
}

/** The same for a body. */
export function bodySchemaOf(schema: TSchema): Schema {
  const worded = (given: Schema): Schema => mapInner(withDefaultInWords(given), worded);
  return worded(inputSchemaOf(schema));
}

/** Text can stand for it: what is an object, or holds objects, cannot be sent in a form. */
function isFormable({ type, anyOf, items, properties, additionalProperties }: Schema): boolean {
  if (anyOf) return anyOf.some((one) => one.type !== 'null' && isFormable(one));
  if (items) return isFormable(items);
  return type !== 'object' && !properties && !additionalProperties;
}

/**
 * The fields of a body that forms can carry; undefined where one that is required is not among them. Of a body that may
 * be a list of records as well, a form has one record.
 */
export function formSchemaOf(given: Schema, fileField?: string): Schema | undefined {
  const body = given.anyOf?.find(({ properties }) => properties) ?? given;
  const fields = Object.entries(body.properties ?? {});
  const carried = fields.filter(([, schema]) => isFormable(schema));
  const names = carried.map(([name]) => name);
  if (!names.length || body.required?.some((name) => !names.includes(name))) return undefined;
  const asFile = ({ description }: Schema): Schema => ({
    type: 'string',
    format: 'binary',
    ...(description && { description }),
  });
  return {
    ...body,
    properties: Object.fromEntries(
      carried.map(([name, schema]) => [name, name === fileField ? asFile(schema) : schema]),
    ),
  };
}

/** `list_tests` → `ListTests`. */
export function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

/** Whether it is worth a name of its own, where it stands more than once. */
function isNameable({ title, properties, enum: values }: Schema, key: string): boolean {
  return (
    title !== undefined || ((properties !== undefined || values !== undefined) && key.length >= NAMED_CHARACTERS_MIN)
  );
}

/** Gathers named schemas. First `count` everything that is to be written, then `write` it. */
export class NamedSchemas {
  readonly schemas: Record<string, Schema> = {};
  readonly #counts = new Map<string, number>();
  readonly #names = new Map<string, string>();

  /** Notes how often each schema stands; what is in one that stands often is counted once. */
  count(schema: Schema): void {
    const key = JSON.stringify(schema);
    const before = this.#counts.get(key) ?? 0;
    this.#counts.set(key, before + 1);
    if (before > 0 && isNameable(schema, key)) return;
    mapInner(schema, (inner) => {
      this.count(inner);
      return inner;
    });
  }

  #isNamed(schema: Schema, key: string): boolean {
    return schema.title !== undefined || (isNameable(schema, key) && (this.#counts.get(key) ?? 0) > 1);
  }

  /** A title is the name itself; two schemas under one title are a fault of the contracts. */
  #nameFor({ title }: Schema, wanted: string): string {
    if (title !== undefined && title in this.schemas) throw new Error(`Two different schemas have the title ${title}.`);
    let name = title ?? wanted;
    for (let next = 2; name in this.schemas; next += 1) name = `${wanted}${next}`;
    return name;
  }

  /** The schema, or a reference to it under a name. `isNamed`: it gets one however short it is. */
  write(schema: Schema, wanted: string, isNamed = false): Schema {
    const key = JSON.stringify(schema);
    const inner = (parent: string): Schema => mapInner(schema, (one, name) => this.write(one, parent + pascal(name)));
    if (!isNamed && !this.#isNamed(schema, key)) return inner(wanted);
    let name = this.#names.get(key);
    if (name === undefined) {
      name = this.#nameFor(schema, wanted);
      this.#names.set(key, name);
      // Takes its place in the order of the document before those inside it do.
      this.schemas[name] = {};
      const { title: _, ...rest } = inner(name);
      this.schemas[name] = rest;
    }
    return { $ref: `#/components/schemas/${name}` };
  }
}
