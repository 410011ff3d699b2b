/** Larger inline images than any message can carry are not decoded. */
const LENGTH_MAX = 14_000_000;

/** The bytes and media type of a `data:` URL (RFC 2397); undefined when it is none, or too long. */
export function decodeDataUrl(url: string): { mediaType: string; bytes: Buffer } | undefined {
  if (url.length > LENGTH_MAX) return undefined;
  const head = /^data:([^,]*),/i.exec(url);
  if (!head) return undefined;
  const [mediaType = '', ...parameters] = head[1]!.split(';').map((part) => part.trim().toLowerCase());
  const rest = Buffer.from(url.slice(head[0].length), 'utf8').toString('latin1');
  const data = rest.replace(/(?:%[\da-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString('latin1'),
  );
  const bytes = parameters.includes('base64') ? Buffer.from(data, 'base64') : Buffer.from(data, 'latin1');
  return { mediaType: mediaType || 'text/plain', bytes };
}
