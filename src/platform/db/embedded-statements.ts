// The embedded backend plans every statement anew, which takes most of its time. Its connections share one session: a
// statement that any of them sends again is kept there, prepared, and its plan with it.

/** A statement is prepared when it comes for the third time. */
const USES = 3;
/** So many prepared statements stay; the one that was used longest ago makes room. */
const PREPARED_MAX = 150;
/** So many others are counted. */
const COUNTED_MAX = 600;
/** A longer one is planned each time. */
const LENGTH_MAX = 20_000;

const PARSE = 0x50;
const BIND = 0x42;
const ERROR = 0x45;
/**
 * SQLSTATE 0A000, `cached plan must not change result type`: a column was added to a table of which it reads all
 * columns; and 26000: the session does not know the name.
 */
const OUTDATED = ['C0A000\0', 'C26000\0'].map((field) => Buffer.from(field, 'latin1'));

interface Prepared {
  name: string;
  /** The backend has it. */
  isThere: boolean;
}

/** What to send in place of some messages of a connection. */
interface Rewritten {
  bytes: Uint8Array;
  statement: string;
  /** The statement is prepared with them. */
  isNew: boolean;
}

/** The statements that the session knows by name. */
export class PreparedStatements {
  readonly #uses = new Map<string, number>();
  readonly #prepared = new Map<string, Prepared>();
  readonly #dropped: string[] = [];
  #count = 0;

  /**
   * The same messages with a prepared statement, where they are one statement without a name (Parse, Bind, …), and it
   * came before. The answer of a statement that is there has no ParseComplete, for which the driver does not wait.
   */
  rewrite(bytes: Uint8Array): Rewritten | undefined {
    const parse = messageAt(bytes, 0);
    const bind = parse && messageAt(bytes, parse.end);
    if (parse?.type !== PARSE || bind?.type !== BIND || parse.length > LENGTH_MAX) return undefined;
    // Both names are empty, and that of the portal: each is its closing zero only.
    if (bytes[parse.start] !== 0 || bytes[bind.start] !== 0 || bytes[bind.start + 1] !== 0) return undefined;
    if (hasParse(bytes, bind.end)) return undefined;
    const statement = Buffer.from(bytes.buffer, bytes.byteOffset + parse.start, parse.length).toString('latin1');
    const prepared = this.#find(statement);
    if (!prepared) return undefined;
    const name = Buffer.from(`${prepared.name}\0`, 'latin1');
    const parts = [
      ...(prepared.isThere ? [] : [message(PARSE, [name, bytes.subarray(parse.start + 1, parse.end)])]),
      message(BIND, [bytes.subarray(bind.start, bind.start + 1), name, bytes.subarray(bind.start + 2, bind.end)]),
      bytes.subarray(bind.end),
    ];
    const isNew = !prepared.isThere;
    prepared.isThere = true;
    return { bytes: Buffer.concat(parts), statement, isNew };
  }

  /** It was refused before it was executed: the statement is prepared anew when it comes again. */
  forget({ statement, isNew }: Pick<Rewritten, 'statement' | 'isNew'>): void {
    const prepared = this.#prepared.get(statement);
    if (!prepared) return;
    this.#prepared.delete(statement);
    if (!isNew) this.#dropped.push(prepared.name);
  }

  /** The names of statements that are of no more use to the session. */
  takeDropped(): string[] {
    return this.#dropped.splice(0);
  }

  #find(statement: string): Prepared | undefined {
    const known = this.#prepared.get(statement);
    if (known) {
      moveToEnd(this.#prepared, statement, known);
      return known;
    }
    const uses = (this.#uses.get(statement) ?? 0) + 1;
    if (uses < USES) {
      moveToEnd(this.#uses, statement, uses);
      if (this.#uses.size > COUNTED_MAX) this.#uses.delete(firstOf(this.#uses));
      return undefined;
    }
    this.#uses.delete(statement);
    this.#count += 1;
    const prepared = { name: `galley_${this.#count}`, isThere: false };
    this.#prepared.set(statement, prepared);
    if (this.#prepared.size > PREPARED_MAX) this.forget({ statement: firstOf(this.#prepared), isNew: false });
    return prepared;
  }
}

/** Whether an answer says that the statement was not even begun. */
export function isRefusal(answer: Uint8Array): boolean {
  return answer[0] === ERROR;
}

/** Whether it was refused because a prepared statement is out of date: to send it as it was is right then. */
export function isOutdated(refusal: Uint8Array): boolean {
  const text = Buffer.from(refusal.buffer, refusal.byteOffset, refusal.length);
  return OUTDATED.some((field) => text.includes(field));
}

interface Place {
  type: number;
  /** Where what follows its length begins. */
  start: number;
  length: number;
  end: number;
}

function messageAt(bytes: Uint8Array, at: number): Place | undefined {
  if (bytes.length < at + 5) return undefined;
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getInt32(at + 1) - 4;
  const start = at + 5;
  return { type: bytes[at] as number, start, length, end: start + length };
}

function hasParse(bytes: Uint8Array, from: number): boolean {
  for (let place = messageAt(bytes, from); place; place = messageAt(bytes, place.end))
    if (place.type === PARSE) return true;
  return false;
}

function message(type: number, parts: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(5);
  head[0] = type;
  head.writeInt32BE(4 + parts.reduce((sum, { length }) => sum + length, 0), 1);
  return Buffer.concat([head, ...parts]);
}

function moveToEnd<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

function firstOf(map: ReadonlyMap<string, unknown>): string {
  return map.keys().next().value as string;
}
