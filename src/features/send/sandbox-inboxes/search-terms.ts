// What a search asks for: words, and conditions such as `from:ann` or `-is:unread`. Pure functions.
import { invalid } from '../../../platform/errors/index.ts';
import { readTime } from '../../../platform/times/index.ts';

const TERMS_MAX = 50;
/** Fields that hold a text. */
const TEXTS = ['from', 'to', 'cc', 'bcc', 'reply-to', 'addressed', 'subject', 'message-id', 'tag'];
const TIMES = ['after', 'before'];
const SIZES = ['larger', 'smaller'];
const STATES: Record<string, Record<string, { field: string; isWanted: boolean }>> = {
  is: {
    read: { field: 'unread', isWanted: false },
    unread: { field: 'unread', isWanted: true },
    tagged: { field: 'tagged', isWanted: true },
  },
  has: {
    attachment: { field: 'attachment', isWanted: true },
    attachments: { field: 'attachment', isWanted: true },
    inline: { field: 'inline', isWanted: true },
  },
};
const UNITS: Record<string, number> = { '': 1, b: 1, k: 1024, kb: 1024, m: 1024 ** 2, mb: 1024 ** 2 };
/** A word, or a field with a value; in quotes it has spaces. */
const TOKEN = /[^\s"]*"[^"]*(?:"|$)|[^\s"]+/g;

/** One thing that is asked of a message; a message that is found has all of them. */
interface Term {
  field: string;
  /** In lower case. */
  value: string;
  /** False: messages that have it are not sought. */
  wanted: boolean;
}

/** A part of a search, and the field of the request that the search stands in. */
interface Token {
  text: string;
  place: string;
}

const shown = ({ text }: Token): string => text.slice(0, 100);

/** Throws `invalid_request`. */
function bytesOf(token: Token, text: string): string {
  const [, number, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)\s*([a-z]*)$/.exec(text) ?? [];
  const size = number === undefined ? NaN : Number(number) * (UNITS[unit] ?? NaN);
  if (Number.isNaN(size))
    throw invalid(token.place, `has "${shown(token)}"; a size is a number, with K or M behind it.`);
  return String(Math.round(size));
}

/** Throws `invalid_request`. */
function fieldTerm(token: Token, field: string, given: string): Omit<Term, 'wanted'> & { isWanted?: boolean } {
  const value = given.toLowerCase();
  if (TIMES.includes(field)) return { field, value: readTime(token.place, given)!.toISOString() };
  if (SIZES.includes(field)) return { field, value: bytesOf(token, value) };
  const states = STATES[field];
  if (!states) return { field, value };
  const state = Object.hasOwn(states, value) ? states[value] : undefined;
  if (!state) {
    const names = Object.keys(states).join(', ');
    throw invalid(token.place, `has "${shown(token)}"; what follows ${field}: is one of ${names}.`);
  }
  return { field: state.field, value: '', isWanted: state.isWanted };
}

const FIELDS = new Set([...TEXTS, ...TIMES, ...SIZES, ...Object.keys(STATES)]);
const trimmed = (text: string): string => text.replaceAll('"', ' ').replaceAll(/\s+/g, ' ').trim();

/** Throws `invalid_request`. */
function termOf(token: Token): Term | undefined {
  const isNot = /^[-!]./.test(token.text);
  const rest = isNot ? token.text.slice(1) : token.text;
  const [, name = '', given = ''] = /^([a-z-]+):(.*)$/is.exec(rest) ?? [];
  const field = name.toLowerCase();
  if (!FIELDS.has(field)) {
    const value = trimmed(rest).toLowerCase();
    return value === '' ? undefined : { field: 'any', value, wanted: !isNot };
  }
  const value = trimmed(given);
  // A field that is being written asks for nothing yet.
  if (value === '') return undefined;
  const { isWanted = true, ...term } = fieldTerm(token, field, value);
  return { ...term, wanted: isNot ? !isWanted : isWanted };
}

/**
 * Words, `"some words"` that stand together, `field:value`, and each with `-` or `!` before it for what is not sought.
 * `place` is the field that the search stands in. Throws `invalid_request`.
 */
export function readTerms(search: string, place = 'search'): Term[] {
  const tokens = search.match(TOKEN) ?? [];
  const terms = tokens.map((text) => termOf({ text, place })).filter((term) => term !== undefined);
  if (terms.length > TERMS_MAX)
    throw invalid(place, `asks for ${terms.length} things at once; it may ask for ${TERMS_MAX}.`);
  return terms;
}
