// The notation of the field tables, read and compared with what a service answers:
// `{id: text, tags?: [text], paging: Paging, state: 'open'|'closed', by_day: {<key>: int}, until: rfc3339|null}`.

/** What a field holds. */
export type Shape =
  | { kind: 'word'; word: Word }
  | { kind: 'value'; value: string }
  | { kind: 'named'; name: string }
  | { kind: 'list'; of: Shape }
  | { kind: 'map'; of: Shape }
  | { kind: 'fields'; fields: readonly Field[] }
  | { kind: 'either'; of: readonly Shape[] };

interface Field {
  name: string;
  isRequired: boolean;
  shape: Shape;
}

/** Where an answer and its table differ; `extra` is no fault. */
export interface Difference {
  /** `items[].paging.next` */
  at: string;
  kind: 'missing' | 'type' | 'empty' | 'extra';
  /** Wanted and found. */
  what: string;
}

type Word = keyof typeof WORDS;

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const RFC_2822 = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (GMT|UTC|[+-]\d{4})$/;

const isText = (value: unknown): value is string => typeof value === 'string';

const WORDS = {
  any: () => true,
  bool: (value: unknown) => typeof value === 'boolean',
  file: isText,
  int: (value: unknown) => Number.isInteger(value),
  null: (value: unknown) => value === null,
  number: (value: unknown) => typeof value === 'number',
  object: (value: unknown) => isObject(value),
  rfc2822: (value: unknown) => isText(value) && RFC_2822.test(value),
  rfc3339: (value: unknown) => isText(value) && RFC_3339.test(value),
  text: isText,
  url: (value: unknown) => isText(value) && /^https?:\/\//.test(value) && URL.canParse(value),
} as const;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a shape. Throws an error that names the place where the notation ends to make sense. */
export function parseShape(text: string): Shape {
  const reader = new Reader(text);
  const shape = reader.either();
  if (!reader.isAtEnd()) throw reader.fault('an end');
  return shape;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  fault(wanted: string): Error {
    return new Error(`Expected ${wanted} at ${this.#at} of: ${this.#text}`);
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    const sticky = new RegExp(pattern, 'y');
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text);
    if (found) this.#at = sticky.lastIndex;
    return found ?? undefined;
  }

  #need(pattern: RegExp, wanted: string): RegExpExecArray {
    const found = this.#take(pattern);
    if (!found) throw this.fault(wanted);
    return found;
  }

  either(): Shape {
    const of = [this.#one()];
    while (this.#take(/\|/)) of.push(this.#one());
    return of.length === 1 ? of[0]! : { kind: 'either', of };
  }

  #one(): Shape {
    const value = this.#take(/'([^']*)'/)?.[1];
    if (value !== undefined) return { kind: 'value', value };
    if (this.#take(/\[/)) {
      const of = this.either();
      this.#need(/\]/, ']');
      return { kind: 'list', of };
    }
    if (this.#take(/\{<key>: /)) {
      const of = this.either();
      this.#need(/\}/, '}');
      return { kind: 'map', of };
    }
    if (this.#take(/\{/)) return this.#fields();
    const name = this.#need(/\w+/, 'a type')[0];
    return Object.hasOwn(WORDS, name) ? { kind: 'word', word: name as Word } : { kind: 'named', name };
  }

  #fields(): Shape {
    const fields: Field[] = [];
    while (!this.#take(/\}/)) {
      if (fields.length) this.#need(/, /, 'a comma');
      // A name may hold colons (`o:tag`); a blank follows the one that ends it.
      const [, name = '', mark] = this.#need(/((?:[^\s:?,{}]|:(?! ))+)(\??): /, 'a field');
      fields.push({ name, isRequired: mark === '', shape: this.either() });
    }
    return { kind: 'fields', fields };
  }
}

/** What a value is, for a person who looks for the difference. */
function nameOf(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (isText(value)) return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/** The notation of a shape, shortened. */
function wordsOf(shape: Shape): string {
  switch (shape.kind) {
    case 'word':
      return shape.word;
    case 'value':
      return `'${shape.value}'`;
    case 'named':
      return shape.name;
    case 'list':
      return `[${wordsOf(shape.of)}]`;
    case 'map':
      return `{<key>: ${wordsOf(shape.of)}}`;
    case 'fields':
      return '{…}';
    case 'either':
      return shape.of.map(wordsOf).join('|');
  }
}

/** Compares values with shapes; `named` is the table of shapes that have a name. */
export class Comparison {
  readonly #named: ReadonlyMap<string, Shape>;

  constructor(named: ReadonlyMap<string, Shape>) {
    this.#named = named;
  }

  /**
   * All differences. An outermost list or map of objects without an entry shows nothing of their fields: that is one
   * difference (`empty`); those inside another may be empty.
   */
  differences(value: unknown, shape: Shape): Difference[] {
    const found: Difference[] = [];
    this.#compare({ value, shape, at: '', isInside: false }, found);
    // Each entry of a list repeats what the others say.
    const seen = new Map(found.map((difference) => [`${difference.at} ${difference.kind}`, difference]));
    return [...seen.values()];
  }

  /** The shape behind its name. */
  resolve(shape: Shape): Shape {
    if (shape.kind !== 'named') return shape;
    const named = this.#named.get(shape.name);
    if (!named) throw new Error(`No shape is named ${shape.name}.`);
    return this.resolve(named);
  }

  #compare(one: { value: unknown; shape: Shape; at: string; isInside: boolean }, found: Difference[]): void {
    const { value, at } = one;
    const shape = this.resolve(one.shape);
    const wrongType = (): void =>
      void found.push({ at: at || 'the answer', kind: 'type', what: `${wordsOf(one.shape)}, not ${nameOf(value)}` });
    if (shape.kind === 'either') return this.#compareEither({ ...one, shape }, found);
    if (shape.kind === 'word') return WORDS[shape.word](value) ? undefined : wrongType();
    if (shape.kind === 'value') return value === shape.value ? undefined : wrongType();
    if (shape.kind === 'list') {
      if (!Array.isArray(value)) return wrongType();
      return this.#compareEntries({ ...one, entries: value, of: shape.of, at: `${at}[]` }, found);
    }
    if (!isObject(value)) return wrongType();
    if (shape.kind === 'map')
      return this.#compareEntries({ ...one, entries: Object.values(value), of: shape.of, at: `${at}{}` }, found);
    if (shape.kind === 'fields') this.#compareFields({ ...one, value, fields: shape.fields }, found);
  }

  /** The first alternative that fits, or else the one that comes closest. */
  #compareEither(
    one: { value: unknown; shape: Shape & { kind: 'either' }; at: string; isInside: boolean },
    found: Difference[],
  ): void {
    const attempts = one.shape.of.map((shape) => {
      const differences: Difference[] = [];
      this.#compare({ ...one, shape }, differences);
      return { differences, faults: differences.filter(({ kind }) => kind !== 'extra').length };
    });
    const isOther = ({ differences }: { differences: Difference[] }): boolean =>
      differences.some(({ at, kind }) => kind === 'type' && at === (one.at || 'the answer'));
    const best = attempts.filter((attempt) => !isOther(attempt)).sort((a, b) => a.faults - b.faults)[0];
    if (best) found.push(...best.differences);
    else
      found.push({ at: one.at || 'the answer', kind: 'type', what: `${wordsOf(one.shape)}, not ${nameOf(one.value)}` });
  }

  #compareEntries(one: { entries: unknown[]; of: Shape; at: string; isInside: boolean }, found: Difference[]): void {
    const hasFields = !['word', 'value'].includes(this.resolve(one.of).kind);
    if (!one.entries.length && hasFields && !one.isInside)
      found.push({ at: one.at, kind: 'empty', what: 'an entry, to show its fields' });
    for (const value of one.entries) this.#compare({ value, shape: one.of, at: one.at, isInside: true }, found);
  }

  #compareFields(
    one: { value: Record<string, unknown>; fields: readonly Field[]; at: string; isInside: boolean },
    found: Difference[],
  ): void {
    const { value, fields, isInside } = one;
    const place = (name: string): string => (one.at ? `${one.at}.${name}` : name);
    for (const { name, isRequired, shape } of fields) {
      if (Object.hasOwn(value, name)) this.#compare({ value: value[name], shape, at: place(name), isInside }, found);
      else if (isRequired) found.push({ at: place(name), kind: 'missing', what: wordsOf(shape) });
    }
    const known = new Set(fields.map(({ name }) => name));
    for (const name of Object.keys(value))
      if (!known.has(name)) found.push({ at: place(name), kind: 'extra', what: nameOf(value[name]) });
  }
}
