// Statements of ClickHouse as they are written here: text with values apart, which the server puts in by their types.

type Type = 'String' | 'Int64' | 'Float64' | "DateTime64(3, 'UTC')" | 'Array(String)' | 'Array(Int64)';

interface Value {
  type: Type;
  value: string | number | readonly (string | bigint)[];
}

/** A part of a statement. */
export interface Fragment {
  parts: readonly (string | Value)[];
}

/** What the client is given. */
interface Statement {
  text: string;
  values: Record<string, Value['value']>;
}

/** A part of a statement, in which others stand. */
export function ch(texts: TemplateStringsArray, ...inner: readonly Fragment[]): Fragment {
  return { parts: texts.flatMap((text, place) => [text, ...(inner[place]?.parts ?? [])]) };
}

const value = (type: Type, given: Value['value']): Fragment => ({ parts: [{ type, value: given }] });
export const text = (given: string): Fragment => value('String', given);
export const texts = (given: readonly string[]): Fragment => value('Array(String)', given);
export const whole = (given: string | number): Fragment => value('Int64', given);
export const wholes = (given: readonly string[]): Fragment => value('Array(Int64)', given.map(BigInt));
export const real = (given: number): Fragment => value('Float64', given);
export const moment = (given: Date): Fragment =>
  value("DateTime64(3, 'UTC')", given.toISOString().replace('T', ' ').replace('Z', ''));
/** Text that this program made itself, such as a column's name. */
export const plain = (given: string): Fragment => ({ parts: [given] });

/** Parts with a text of this program's between them. */
export function joined(fragments: readonly Fragment[], between: string): Fragment {
  return { parts: fragments.flatMap(({ parts }, place) => (place === 0 ? parts : [between, ...parts])) };
}

/** The whole, with its values by names of their own. */
export function statementOf({ parts }: Fragment): Statement {
  const values: Statement['values'] = {};
  const made = parts.map((part) => {
    if (typeof part === 'string') return part;
    const name = `v${Object.keys(values).length}`;
    values[name] = part.value;
    return `{${name}:${part.type}}`;
  });
  return { text: made.join(''), values };
}
