// What is looked at of a message before anybody reads it.

/** The header of a message, up to its first empty line and half a megabyte, a character for each byte. */
export function headerOf(raw: Uint8Array): string {
  const text = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, 512 * 1024)).toString('latin1');
  const end = /\r?\n\r?\n/.exec(text)?.index;
  return end === undefined ? text : text.slice(0, end + 1);
}

/** As many servers as a message passes at most (RFC 5321 §6.3 asks for 100; others stop at 25 to 50). */
const HOPS_MAX = 50;

/** Whether it passed more servers than any message needs to. */
export function hasTooManyHops(raw: Uint8Array): boolean {
  return (headerOf(raw).match(/^received[ \t]*:/gim) ?? []).length > HOPS_MAX;
}
