// An example shows every field once, and no more than a reader looks at.
import type { Schema } from '../../src/platform/http/index.ts';

/** How much is kept of a value. */
interface Measure {
  items: number;
  characters: number;
  /** Lists inside so many others are left empty. */
  depth: number;
  /** Of the example, as JSON. */
  charactersMax: number;
}

/** Tried in turn until the example is short enough. */
const MEASURES: readonly Measure[] = [
  { items: 2, characters: 120, depth: 5, charactersMax: 450 },
  { items: 1, characters: 120, depth: 4, charactersMax: 600 },
  { items: 1, characters: 80, depth: 3, charactersMax: 700 },
  { items: 1, characters: 80, depth: 2, charactersMax: 900 },
  { items: 1, characters: 80, depth: 1, charactersMax: 1500 },
  { items: 1, characters: 40, depth: 1, charactersMax: 5000 },
];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The choice of the schema that is of the value's kind. */
function choiceFor(schema: Schema, value: unknown): Schema {
  const kind = Array.isArray(value) ? 'array' : isObject(value) ? 'object' : typeof value;
  return (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type === kind) ?? schema;
}

/** An address that is cut leads nowhere. */
const URL_ALONE = /^https?:\/\/\S+$/;
const URL_CHARACTERS_MAX = 250;

function cutText(text: string, { enum: values, const: only }: Schema, { characters }: Measure): string {
  const max = URL_ALONE.test(text) ? URL_CHARACTERS_MAX : characters;
  if (values || only !== undefined || text.length <= max) return text;
  return `${text.slice(0, max - 1)}…`;
}

function trimTo(value: unknown, given: Schema, { measure, depth }: { measure: Measure; depth: number }): unknown {
  const schema = choiceFor(given, value);
  if (typeof value === 'string') return cutText(value, schema, measure);
  if (Array.isArray(value)) {
    const kept = value.slice(0, depth < measure.depth ? measure.items : 0);
    return kept.map((item) => trimTo(item, schema.items ?? {}, { measure, depth: depth + 1 }));
  }
  if (!isObject(value)) return value;
  const { properties = {}, additionalProperties } = schema;
  let others = 0;
  const kept = Object.entries(value).filter(([name]) => name in properties || others++ < measure.items);
  const rest = typeof additionalProperties === 'object' ? additionalProperties : {};
  return Object.fromEntries(
    kept.map(([name, held]) => {
      const isEntry = !(name in properties);
      return [name, trimTo(held, properties[name] ?? rest, { measure, depth: depth + (isEntry ? 1 : 0) })];
    }),
  );
}

/** The value with short lists, maps and texts; undefined where it is long all the same. */
export function trimmed(value: unknown, schema: Schema): unknown {
  for (const measure of MEASURES) {
    const shorter = trimTo(value, schema, { measure, depth: 0 });
    if (JSON.stringify(shorter).length <= measure.charactersMax) return shorter;
  }
  return undefined;
}

/** The fields that hold something, by their paths; those of a list's items count once. */
export function fieldsIn(value: unknown, path = ''): Set<string> {
  if (Array.isArray(value)) return new Set(value.flatMap((item) => [...fieldsIn(item, `${path}[]`)]));
  if (!isObject(value)) return new Set(value === null || value === '' ? [] : [path]);
  return new Set(Object.entries(value).flatMap(([name, held]) => [...fieldsIn(held, `${path}.${name}`)]));
}
