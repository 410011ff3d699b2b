// The body of a form that is posted to a URL which somebody gave.

export type FormField = [name: string, value: string];

export interface FormFile {
  /** Of its part. */
  field: string;
  name: string;
  contentType: string;
  body: Buffer;
}

interface FormBody {
  type: string;
  bytes: Buffer;
}

/** A name within quotes, as browsers write it. */
const quoted = (name: string): string =>
  `"${name.toWellFormed().replaceAll('\0', '').replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}"`;

/** `boundary` stands in none of the values. Values are UTF-8; files are the bytes that they have. */
export function multipartBody(fields: readonly FormField[], files: readonly FormFile[], boundary: string): FormBody {
  const parts: Buffer[] = [];
  for (const [name, value] of fields)
    parts.push(
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name=${quoted(name)}\r\n\r\n${value}\r\n`),
    );
  for (const { field, name, contentType, body } of files) {
    const type = /^[\w.+-]+\/[\w.+-]+$/.test(contentType) ? contentType : 'application/octet-stream';
    const disposition = `form-data; name=${quoted(field)}; filename=${quoted(name)}`;
    parts.push(
      Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n`),
      body,
      Buffer.from('\r\n'),
    );
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return { type: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat(parts) };
}
