// Fields put into the header of a message that is whole already.
import MimeNode from 'nodemailer/lib/mime-node';

/** Fields with their names, each ended by CRLF where it is not the last. */
function fieldsIn(header: string): { name: string; text: string }[] {
  return header.split(/\r\n(?![ \t])/).map((text) => ({
    name: text
      .slice(0, Math.max(0, text.indexOf(':')))
      .trim()
      .toLowerCase(),
    text,
  }));
}

/**
 * The message with these fields on top of its header, in place of those that bear their names. Lines of `raw` end with
 * CRLF. Values may be in any script; what follows a line break in one stays in its field.
 */
export function replaceFields(raw: Buffer, fields: readonly { name: string; value: string }[]): Buffer {
  if (fields.length === 0) return raw;
  const names = new Set(fields.map(({ name }) => name.toLowerCase()));
  const node = new MimeNode('text/plain').addHeader(fields.map(({ name, value }) => ({ key: name, value })));
  const added = fieldsIn(node.buildHeaders()).filter(({ name }) => names.has(name));
  const end = raw.subarray(0, 2).equals(Buffer.from('\r\n')) ? 0 : raw.indexOf('\r\n\r\n');
  const header = raw.toString('latin1', 0, end < 0 ? raw.length : end);
  const kept = fieldsIn(header).filter(({ name, text }) => text !== '' && !names.has(name));
  const top = added.map(({ text }) => `${text}\r\n`).join('');
  const rest = kept.map(({ text }) => `${text}\r\n`).join('');
  // The blank line that ends the header stays with the body.
  const body = end < 0 ? raw.length : end === 0 ? 0 : end + 2;
  return Buffer.concat([Buffer.from(top), Buffer.from(rest, 'latin1'), raw.subarray(body)]);
}
