// `%recipient.first_name%`: filled per recipient, as the last step before a message is composed.
import { RECIPIENT_VARIABLE as VARIABLE } from '../merge-tags/index.ts';

/** What is known of one recipient. Values that are not texts are written as JSON. */
type RecipientVariables = Readonly<Record<string, unknown>>;

const LENGTH_MAX = 10 * 1024 * 1024;

/** Names that a text asks for, without `%recipient.`, each once. */
export function recipientVariablesIn(text: string): string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map((match) => match[1] ?? ''))].filter((name) => name !== '');
}

/**
 * The text with the recipient's values in place. A name without a value stays as it is, so that it is seen, and is
 * listed in `missing`. `as: 'html'` escapes values; a header's caller gets text, and line breaks are the composer's
 * matter. Text that would grow beyond 10 MiB is not filled any further and `isCut` says so.
 */
export function fillRecipientVariables(
  text: string,
  { address, variables, as }: { address: string; variables: RecipientVariables; as: 'text' | 'html' },
): { text: string; missing: string[]; isCut: boolean } {
  const missing = new Set<string>();
  let length = text.length;
  let isCut = false;
  const filled = text.replace(VARIABLE, (whole, name: string | undefined) => {
    const value = name === undefined ? address : lookUp(variables, name.split('.'));
    if (value === undefined || value === null) {
      missing.add(name as string);
      return whole;
    }
    const plain = typeof value === 'string' ? value : JSON.stringify(value);
    const written = as === 'html' ? escapeHtml(plain) : plain;
    length += written.length - whole.length;
    isCut ||= length > LENGTH_MAX;
    return isCut ? whole : written;
  });
  return { text: filled, missing: [...missing], isCut };
}

/** Own properties only: `constructor` and its like are not data. */
export function lookUp(from: unknown, path: readonly string[], ignoresCase = false): unknown {
  let value: unknown = from;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    const own =
      Object.hasOwn(value, name) || !ignoresCase
        ? name
        : Object.keys(value).find((key) => key.toLowerCase() === name.toLowerCase());
    if (own === undefined || !Object.hasOwn(value, own)) return undefined;
    value = (value as Record<string, unknown>)[own];
  }
  return value;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** For text and for attributes in either quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
