// The content transfer encodings of RFC 2045 §6, strict enough to tell a caller what is wrong.

/** Decoded bytes, or why there are none. */
export type Decoded = { bytes: Buffer } | { why: string };

/** Base64 (RFC 2045 §6.8). White space is skipped; padding may be missing; the URL-safe alphabet is understood. */
export function decodeBase64(text: string): Decoded {
  const compact = text.replace(/\s+/g, '');
  const digits = compact.replace(/={1,2}$/, '');
  const bad = /[^A-Za-z0-9+/_-]/.exec(digits);
  if (bad) return { why: `is not base64: "${bad[0]}" at character ${bad.index + 1}, white space not counted` };
  if (digits.length % 4 === 1) return { why: 'is not base64: its end is cut off' };
  return { bytes: Buffer.from(digits, 'base64') };
}

/** Quoted-printable (RFC 2045 §6.7). Characters outside ASCII stand for their UTF-8 bytes. */
export function decodeQuotedPrintable(text: string): Decoded {
  const trimmed = text.split('\n').map(withoutTrailingBlanks).join('\n');
  const joined = trimmed.replace(/=(?:\r\n|\n|$)/g, '');
  const bad = /=(?![0-9A-Fa-f]{2})[\s\S]{0,2}/.exec(joined);
  if (bad) return { why: `is not quoted-printable: "${bad[0]}" must be "=" and two hexadecimal digits` };
  const source = Buffer.from(joined, 'utf8');
  const bytes = Buffer.alloc(source.length);
  let length = 0;
  for (let index = 0; index < source.length; index++) {
    const isEscape = source[index] === 0x3d;
    bytes[length++] = isEscape ? Number.parseInt(source.toString('latin1', index + 1, index + 3), 16) : source[index]!;
    if (isEscape) index += 2;
  }
  return { bytes: bytes.subarray(0, length) };
}

/** A line without the blanks that transport may have added at its end (RFC 2045 §6.7, rule 3). */
function withoutTrailingBlanks(line: string): string {
  const end = line.endsWith('\r') ? '\r' : '';
  let length = line.length - end.length;
  while (length > 0 && (line[length - 1] === ' ' || line[length - 1] === '\t')) length--;
  return line.slice(0, length) + end;
}
