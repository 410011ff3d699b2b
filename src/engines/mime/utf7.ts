// UTF-7 (RFC 2152), which the Encoding standard leaves out and old mail programs wrote, in bodies and in subjects.

const SHIFTED = /\+([A-Za-z0-9+/]*)-?/g;

/** Text of UTF-7 bytes. What no character can be read from becomes U+FFFD. */
export function decodeUtf7(bytes: Uint8Array): string {
  const ascii = Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\x80-\xff]/g, '\ufffd');
  return ascii.replace(SHIFTED, (whole, digits: string) => (digits === '' ? textOfNone(whole) : textOf(digits)));
}

/** `+-` is a plus sign; a plus sign before anything else is not valid, and shown as it is. */
function textOfNone(whole: string): string {
  return whole === '+-' ? '+' : whole;
}

function textOf(digits: string): string {
  const bytes = Buffer.from(digits, 'base64');
  const units = bytes.subarray(0, bytes.length - (bytes.length % 2)).swap16();
  return units.toString('utf16le').toWellFormed();
}
