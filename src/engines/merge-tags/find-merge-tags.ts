// Merge tags in texts and addresses, in every syntax of the table. Pure; in time by the length of the text.
import { HALVES, RECIPIENT_NAME, SYNTAXES, type Syntax } from './syntaxes.ts';

interface FoundTag {
  /** As written. */
  tag: string;
  /** The services or languages that write it so. */
  syntax: string;
  start: number;
  end: number;
}

/** What a tag asks for. */
interface AskedValue {
  name: string;
  /** `| default: "x"`, where the tag has it. */
  filter: string | undefined;
  ignoresCase: boolean;
  /** `{{{x}}}`, `{{&x}}`: the value goes in as it is, whatever the text is. */
  isRaw: boolean;
}

interface Options {
  /** A style sheet: square brackets select there. */
  isStyle?: boolean;
}

/** Only this many first characters of a text are searched. */
const TEXT_MAX = 1_000_000;
/** Tags in one text, and different ones in a message; more are an attack. */
export const TAGS_MAX = 1_000;

/** No tag begins with anything else; `&` as in `&lt;%`. */
const BEGINNINGS = '[{*%<&$#@[«~]';
const BEGINS = `(?=${BEGINNINGS})`;
const BEGINNING = new RegExp(BEGINNINGS, 'u');

function patternOf(syntaxes: readonly Syntax[]): RegExp {
  return new RegExp(`${BEGINS}(?:${syntaxes.map(({ source }) => `(${source})`).join('|')})`, 'giu');
}

const inStyles = SYNTAXES.filter(({ isOnlyInWords }) => !isOnlyInWords);
const WORDS = { syntaxes: SYNTAXES, pattern: patternOf(SYNTAXES) };
const STYLES = { syntaxes: inStyles, pattern: patternOf(inStyles) };

/** The row of the table that fitted: each has one group. */
function rowOf(syntaxes: readonly Syntax[], groups: readonly unknown[]): Syntax {
  return syntaxes[syntaxes.findIndex((_, index) => groups[index] !== undefined)] as Syntax;
}

function* eachTag(text: string, { syntaxes, pattern }: typeof WORDS): Generator<FoundTag> {
  if (!BEGINNING.test(text)) return;
  // A copy of so large a pattern, which `matchAll` makes, takes longer than most texts.
  for (let count = 0, at = 0; count < TAGS_MAX; count++) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return;
    const [tag, ...groups] = match;
    at = pattern.lastIndex;
    yield { tag, syntax: rowOf(syntaxes, groups).name, start: match.index, end: match.index + tag.length };
  }
}

/** The merge tags in a text, in order, none inside another: of its first million characters, the first thousand. */
export function findMergeTags(text: string, { isStyle = false }: Options = {}): FoundTag[] {
  return [...eachTag(text.slice(0, TEXT_MAX), isStyle ? STYLES : WORDS)];
}

/** Whether a text or a style sheet is not known before the message is sent. */
export function hasMergeTag(text: string, { isStyle = false }: Options = {}): boolean {
  return !eachTag(text.slice(0, TEXT_MAX), isStyle ? STYLES : WORDS).next().done;
}

/** Only this many first characters of an address are searched; programs write longer ones. */
const ADDRESS_LENGTH_MAX = 2_048;

/** The first merge tag in an address, also one that was percent-encoded on the way. */
export function mergeTagIn(address: string): string | undefined {
  return firstIn(address)?.tag;
}

/** Whether an address begins with a merge tag, so that its scheme is unknown. */
export function beginsWithMergeTag(address: string): boolean {
  return firstIn(address.trim())?.start === 0;
}

function firstIn(address: string): FoundTag | undefined {
  const start = address.slice(0, ADDRESS_LENGTH_MAX);
  const written = eachTag(start, WORDS).next().value;
  if (written) return written;
  return start.includes('%') ? (eachTag(decoded(start), WORDS).next().value ?? undefined) : undefined;
}

function decoded(address: string): string {
  return address.replace(/(?:%[\da-f]{2})+/gi, (codes) =>
    Buffer.from(codes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}

const HALF = new RegExp(HALVES.map(({ source }) => `(${source})`).join('|'), 'g');

/** Sides of tags that stand without the other side; `whole` are the tags of the same text, in order. */
export function findHalfTags(text: string, whole: readonly FoundTag[]): { what: string; start: number }[] {
  const found: { what: string; start: number }[] = [];
  let next = 0;
  for (const match of text.slice(0, TEXT_MAX).matchAll(HALF)) {
    const start = match.index;
    while (next < whole.length && whole[next]!.end <= start) next++;
    if (next < whole.length && start >= whole[next]!.start) continue;
    const [, ...groups] = match;
    found.push({ what: HALVES[groups.findIndex((group) => group !== undefined)]!.what, start });
    if (found.length >= TAGS_MAX) break;
  }
  return found;
}

/**
 * The text with `valueFor` in place of every tag that asks for a value; undefined leaves the tag. The whole text is
 * read, however long. Tags in single brackets stay: in a style sheet they select.
 */
export function replaceMergeTags(
  text: string,
  valueFor: (tag: string, asked: AskedValue) => string | undefined,
): string {
  return text.replace(STYLES.pattern, (tag: string, ...groups: unknown[]) => {
    const row = rowOf(STYLES.syntaxes, groups);
    const asked = row.value?.exec(tag)?.groups;
    if (asked?.['name'] === undefined) return tag;
    const { name, filter } = asked;
    const isRaw = /^\{\{(?:\{|~?&)/.test(tag);
    return valueFor(tag, { name: name.trim(), filter, ignoresCase: row.ignoresCase ?? false, isRaw }) ?? tag;
  });
}

/** `%recipient.name%`, which is filled as a copy is sent; one group for the name, without which it is the address. */
export const RECIPIENT_VARIABLE = new RegExp(`%recipient(?:\\.(${RECIPIENT_NAME}))?%`, 'gu');
