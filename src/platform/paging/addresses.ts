// The addresses of the pages around the one that is shown: absolute, since clients parse each of them.
import { Type } from 'typebox';

/** Of lists that know their length: an address that leads nowhere is left out. */
export const Paging = Type.Object(
  {
    first: Type.Optional(Type.String()),
    last: Type.Optional(Type.String()),
    next: Type.Optional(Type.String()),
    previous: Type.Optional(Type.String()),
  },
  { title: 'Paging' },
);

/** Of lists that are read from a place on: all four are always there, and the list ends with a page without items. */
export const EndlessPaging = Type.Object(
  { first: Type.String(), last: Type.String(), next: Type.String(), previous: Type.String() },
  { title: 'EndlessPaging' },
);

const textOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));

/**
 * An absolute URL with these fields in its query, in their order. What is not given is left out, a list is the field
 * repeated, times are RFC 3339.
 */
export function addressWith(url: string, fields: Readonly<Record<string, unknown>>): string {
  const address = new URL(url);
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== null)
      for (const one of [value].flat()) address.searchParams.append(name, textOf(one));
  return address.href;
}
