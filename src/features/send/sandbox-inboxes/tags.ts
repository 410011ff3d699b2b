// Tags of messages: those that a message brings itself, and those that somebody gives it. Pure functions.
import { invalid } from '../../../platform/errors/index.ts';
import { TAG_LENGTH_MAX, TAGS_MAX } from './contract.ts';

/** Header fields that name tags, with commas between them. */
const FIELDS = new Set(['x-tags', 'x-mailgun-tag']);
/** What no tag has. */
const OTHER = /[^\p{L}\p{M}\p{N}._ -]+/gu;

const cleaned = (text: string): string => text.replaceAll(OTHER, ' ').replaceAll(/\s+/g, ' ').trim();

/** Each once, whatever its case, in their order. */
function distinct(tags: readonly string[]): string[] {
  const known = new Map<string, string>();
  for (const tag of tags) if (!known.has(tag.toLowerCase())) known.set(tag.toLowerCase(), tag);
  return [...known.values()];
}

/** What stands between the pluses of an address: `ann+spring@example.com`. */
function plusTags(address: string): string[] {
  const at = address.lastIndexOf('@');
  return at < 0 ? [] : address.slice(0, at).split('+').slice(1);
}

interface Bringing {
  headers: readonly { name: string; value: string }[];
  recipients: readonly string[];
}

/** Of its header fields and the addresses it went to. */
export function broughtTags({ headers, recipients }: Bringing): string[] {
  const named = headers.filter(({ name }) => FIELDS.has(name.toLowerCase()));
  return [...named.flatMap(({ value }) => value.split(',')), ...recipients.flatMap(plusTags)];
}

/** As they are kept: what no tag has is left out, and so is what is too many or too long. */
export function keptTags(tags: readonly string[]): string[] {
  const all = tags
    .map((tag) => cleaned(tag.toWellFormed()))
    .filter((tag) => tag !== '' && tag.length <= TAG_LENGTH_MAX);
  return distinct(all).slice(0, TAGS_MAX);
}

/** As somebody gives them, in this field. Throws `invalid_request`. */
export function readTags(given: readonly string[], field = 'tags'): string[] {
  const tags = given.map((tag) => tag.trim().replaceAll(/\s+/g, ' '));
  const wrong = tags.find((tag) => tag === '' || tag.length > TAG_LENGTH_MAX || tag !== cleaned(tag));
  if (wrong !== undefined)
    throw invalid(
      field,
      `has "${wrong.slice(0, TAG_LENGTH_MAX)}"; a tag has 1 to ${TAG_LENGTH_MAX} letters, digits, spaces, points, ` +
        'hyphens and underscores.',
    );
  const all = distinct(tags);
  if (all.length > TAGS_MAX) throw invalid(field, `has ${all.length} tags; a message has at most ${TAGS_MAX}.`);
  return all;
}
