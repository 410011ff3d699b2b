// The schema of policies for people and for their editors.
import type { GateRules } from './rules.ts';

interface Node {
  properties?: Record<string, Node>;
  patternProperties?: Record<string, Node>;
  additionalProperties?: boolean;
  required?: readonly string[];
  items?: Node;
  anyOf?: Node[];
  enum?: readonly string[];
  type?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  description?: string;
}

/** What has a default may be left out, and names that fit no pattern are wrong. */
function asGiven(node: Node): Node {
  const { required = [], properties, patternProperties, items, anyOf, ...rest } = node;
  const inner = (nodes: Record<string, Node>): Record<string, Node> =>
    Object.fromEntries(Object.entries(nodes).map(([name, one]) => [name, asGiven(one)]));
  const needed = required.filter((name) => properties?.[name]?.default === undefined);
  return {
    ...rest,
    ...(properties && { properties: inner(properties) }),
    ...(patternProperties && { patternProperties: inner(patternProperties), additionalProperties: false }),
    ...(needed.length > 0 && { required: needed }),
    ...(items && { items: asGiven(items) }),
    ...(anyOf && { anyOf: anyOf.map(asGiven) }),
  };
}

/** JSON Schema, as editors read it. */
export function policyJsonSchema({ policy }: Pick<GateRules, 'policy'>): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Policy of a gate',
    ...asGiven(JSON.parse(JSON.stringify(policy)) as Node),
  };
}

const code = (word: string): string => `\`${word}\``;

/** What may stand there, in words. */
function valuesOf({ enum: values, type, format, minimum = 0, maximum = 0, anyOf = [], items }: Node): string {
  if (values) return values.map(code).join(', ');
  if (anyOf.length) {
    const [number = {}, object = {}] = anyOf;
    return `${valuesOf(number)}, or one for each of ${Object.keys(object.properties ?? {})
      .map(code)
      .join(', ')}`;
  }
  if (type === 'integer') return `whole number from ${minimum}`;
  if (type === 'number') return `${minimum} to ${maximum}`;
  if (items) return 'list';
  return format === 'date' ? 'day' : 'text';
}

function rowsOf(field: string, node: Node): string[] {
  const { properties, patternProperties, items, description = '' } = node;
  const under = (name: string, one: Node): string[] => rowsOf(field ? `${field}.${name}` : name, one);
  if (field === 'checks' && properties) {
    const [one = {}] = Object.values(properties);
    const groups = `\`<group>\`: ${Object.keys(properties).map(code).join(', ')}`;
    return [`| ${code(field)} | ${description} | ${groups} | – |`, ...under('<group>', one)];
  }
  if (properties) return Object.entries(properties).flatMap(([name, one]) => under(name, one));
  const [entry] = Object.values(patternProperties ?? {});
  const values = entry ? `for each rule ${valuesOf(entry)}` : valuesOf(node);
  const standard = node.default === undefined ? '–' : code(JSON.stringify(node.default));
  const row = `| ${code(field)} | ${description} | ${values} | ${standard} |`;
  return [row, ...(items ? rowsOf(`${field}[]`, items) : [])];
}

/** A table of every field, in Markdown. */
export function policyTable({ policy }: Pick<GateRules, 'policy'>): string {
  const { $schema: _, ...properties } = policy.properties;
  const rows = rowsOf('', { properties: properties as Record<string, Node> });
  return ['| field | what it says | value | default |', '|---|---|---|---|', ...rows, ''].join('\n');
}
