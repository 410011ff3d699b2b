// Text of a message made harmless for where it is printed.

const LENGTH_MAX = 600;
/** Controls, among them the escape of terminals; marks that turn the direction of text; separators of lines. */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** One line without control characters, at most `lengthMax` characters long. */
export function oneLine(text: string, lengthMax = LENGTH_MAX): string {
  const start = text
    .slice(0, lengthMax * 4)
    .toWellFormed()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(UNPRINTABLE, '\ufffd')
    .trim();
  const characters = [...start];
  return characters.length > lengthMax ? `${characters.slice(0, lengthMax - 1).join('')}…` : start;
}

/** Every string of a value well-formed, for JSON that every reader takes. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, (_key, held: unknown) => (typeof held === 'string' ? held.toWellFormed() : held), 2)}\n`;
}
