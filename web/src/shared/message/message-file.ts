// Reading a dropped file: a page of HTML in its own charset, or a whole message whose subject is taken over.

export interface MessageFile {
  kind: 'html' | 'mime';
  name: string;
  sizeBytes: number;
  subject: string | undefined;
  /** HTML as text, or the raw message in base64. */
  content: string;
}

const ENCODED_WORD = /=\?([^?*]+)(?:\*[^?]*)?\?([bq])\?([^?]*)\?=/gi;

/** RFC 2047 encoded words. An unknown charset or broken coding leaves the word as it is. */
function decodeWords(text: string): string {
  const joined = text.replaceAll(/(=\?[^?]+\?[bq]\?[^?]*\?=)\s+(?==\?)/gi, '$1');
  return joined.replaceAll(ENCODED_WORD, (word) => {
    const [, charset = '', coding = '', coded = ''] = word.match(new RegExp(ENCODED_WORD.source, 'i')) ?? [];
    try {
      const bytes = coding.toLowerCase() === 'b' ? bytesOf(atob(coded)) : quotedBytes(coded);
      return new TextDecoder(charset).decode(bytes);
    } catch {
      return word;
    }
  });
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function quotedBytes(coded: string): Uint8Array {
  const text = coded
    .replaceAll('_', ' ')
    .replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return bytesOf(text);
}

/** The subject of a raw message, from its header block. */
export function subjectOfMessage(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 256 * 1024));
  // One character a byte, so that its length is that of the header block.
  const headerBytes = (start.split(/\r?\n\r?\n/, 1)[0] ?? '').length;
  const header = decodeBytes(bytes.subarray(0, headerBytes), ['utf-8']);
  const line = /^subject:[ \t]*(.*)$/im.exec(header.replaceAll(/\r?\n[ \t]+/g, ' '))?.[1];
  return line === undefined ? undefined : decodeWords(line.trim());
}

/** The title of a page, with its entities read. */
export function titleOf(html: string): string | undefined {
  const [element] = /<title[\s>][\s\S]*?<\/title/i.exec(html.slice(0, 200_000)) ?? [];
  // The rest of the message is nothing for the parser: the browser would complain of each handler in it.
  // Nor can an element of it take the document's own title away: a title holds no elements.
  return element && (new DOMParser().parseFromString(`${element}>`, 'text/html').title.trim() || undefined);
}

function charsetOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 4096));
  return /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1] ?? 'utf-8';
}

/** In the first charset that exists and fits; else in windows-1252, which loses no character. */
function decodeBytes(bytes: Uint8Array, charsets: readonly string[]): string {
  for (const charset of charsets) {
    try {
      return new TextDecoder(charset, { fatal: true }).decode(bytes);
    } catch {
      // The next one.
    }
  }
  return new TextDecoder('windows-1252').decode(bytes);
}

async function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).split(',', 2)[1] ?? '');
    reader.onerror = () => reject(reader.error ?? new Error('The file could not be read.'));
    reader.readAsDataURL(file);
  });
}

/** Throws when the file is neither `.html`, `.htm` nor `.eml`. */
export async function readMessageFile(file: File): Promise<MessageFile> {
  const ending = /\.(\w+)$/.exec(file.name)?.[1]?.toLowerCase();
  const bytes = new Uint8Array(await file.arrayBuffer());
  const about = { name: file.name, sizeBytes: file.size };
  if (ending === 'eml')
    return { ...about, kind: 'mime', subject: subjectOfMessage(bytes), content: await base64Of(file) };
  if (ending !== 'html' && ending !== 'htm') throw new Error(`${file.name} is not an .html or .eml file.`);
  const content = decodeBytes(bytes, [charsetOf(bytes), 'utf-8']);
  return { ...about, kind: 'html', subject: titleOf(content), content };
}
