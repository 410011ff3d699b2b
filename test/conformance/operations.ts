// The operations that the service is to answer, with their parameters and the fields of their replies: facts about two
// published interfaces, in the notation of `notation.ts`. What stands in braces in a path is text and required.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Comparison, parseShape, type Shape } from './notation.ts';

/** One operation of a list. */
export interface Operation {
  group: string;
  method: string;
  path: string;
  deprecated?: boolean;
  /** Parameters by their place; of a body by its type. */
  header?: string;
  query?: string;
  body?: { json?: string; form?: string };
  /** Of success. */
  status: number;
  reply: string;
  /** By status; `default` is for the others. */
  errors: Readonly<Record<string, string>>;
}

interface OperationList {
  title: string;
  operations: readonly Operation[];
}

const FOLDER = join(import.meta.dirname, 'operations');
const readList = (name: string): Operation[] => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));

/** The names of both lists are how the report calls them. */
export const LISTS: readonly OperationList[] = [
  { title: 'The contract', operations: readList('contract') },
  { title: 'The sending interface', operations: readList('send') },
];

const SHAPES: Record<string, string> = JSON.parse(readFileSync(join(FOLDER, 'shapes.json'), 'utf8'));

/** Compares with the shapes that have a name. */
export const COMPARISON = new Comparison(
  new Map(Object.entries(SHAPES).map(([name, text]) => [name, parseShape(text)])),
);

export const keyOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string => `${method} ${path}`;

/** The shape of an error with this status: its own, that of the others, or a message. */
export function errorShapeOf({ errors }: Operation, status: number): Shape {
  return parseShape(errors[status] ?? errors['default'] ?? '{message: text}');
}

/** Names of the parameters of an operation, by their place. */
export function parametersOf({ header, query, body = {}, path }: Operation): { place: string; names: string[] }[] {
  const namesOf = (text: string): string[] => {
    const shape = COMPARISON.resolve(parseShape(text));
    if (shape.kind === 'fields') return shape.fields.map(({ name }) => name);
    return shape.kind === 'list' ? namesOfList(shape) : [];
  };
  const namesOfList = (shape: Shape & { kind: 'list' }): string[] => {
    const of = COMPARISON.resolve(shape.of);
    return of.kind === 'fields' ? of.fields.map(({ name }) => name) : [];
  };
  return [
    { place: 'path', names: [...path.matchAll(/\{([\w-]+)\}/g)].map(([, name = '']) => name) },
    ...(header ? [{ place: 'header', names: namesOf(header) }] : []),
    ...(query ? [{ place: 'query', names: namesOf(query) }] : []),
    ...(body.json ? [{ place: 'body', names: namesOf(body.json) }] : []),
    ...(body.form ? [{ place: 'body', names: namesOf(body.form) }] : []),
  ];
}
