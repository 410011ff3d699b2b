// JSON replies: a long text in one is written in parts, with a turn for other requests between them.
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';

/** So much of a text is written at once. */
const PART_LENGTH = 128 * 1024;
const LONG_LENGTH = 2 * PART_LENGTH;
/** How deep, and among how many members, a reply is searched for long texts. */
const DEPTH_MAX = 4;
const MEMBERS_MAX = 1000;

interface LongText {
  /** What stands in its place. */
  mark: string;
  text: string;
}

/** The value with a mark in place of each long text, in the order in which they are written. */
function withMarks(value: unknown, texts: LongText[], left: { members: number; depth: number }): unknown {
  if (typeof value === 'string') {
    if (value.length < LONG_LENGTH) return value;
    const mark = randomUUID();
    texts.push({ mark, text: value });
    return mark;
  }
  if (left.depth === 0 || typeof value !== 'object' || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  let marked: Record<string, unknown> | undefined;
  left.depth -= 1;
  for (const name in value) {
    if ((left.members -= 1) < 0) break;
    const held = (value as Record<string, unknown>)[name];
    const other = withMarks(held, texts, left);
    if (other !== held && name !== '__proto__') (marked ??= { ...value })[name] = other;
  }
  left.depth += 1;
  return marked ?? value;
}

/** Half of a character that takes two units is not cut from its other half. */
function partEnd(text: string, from: number): number {
  const to = from + PART_LENGTH;
  return (text.charCodeAt(to - 1) & 0xfc00) === 0xd800 ? to + 1 : to;
}

/** The value as JSON: a text, or bytes where a text in it is long. */
export async function writeJson(value: unknown): Promise<string | Buffer> {
  const texts: LongText[] = [];
  const written = JSON.stringify(withMarks(value, texts, { members: MEMBERS_MAX, depth: DEPTH_MAX }));
  if (texts.length === 0) return written;
  const parts: Buffer[] = [];
  let at = 0;
  for (const { mark, text } of texts) {
    const place = written.indexOf(mark, at);
    parts.push(Buffer.from(written.slice(at, place)));
    for (let from = 0; from < text.length;) {
      const to = partEnd(text, from);
      parts.push(Buffer.from(JSON.stringify(text.slice(from, to)).slice(1, -1)));
      from = to;
      await turn();
    }
    at = place + mark.length;
  }
  return Buffer.concat([...parts, Buffer.from(written.slice(at))]);
}
