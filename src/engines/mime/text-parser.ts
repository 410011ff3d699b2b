// The MIME library, with charsets read by our own rules: it would replace what a part does not declare rightly by
// U+FFFD.
import { isUtf8 } from 'node:buffer';
import { Transform } from 'node:stream';
import { MailParser } from 'mailparser';
import { mailDecoderFor, readText } from './charset.ts';
import { decodeWords } from './encoded-words.ts';
import { mendStructure } from './part-structure.ts';

/** What the library knows of one part. */
interface PartNode {
  contentType?: string | false;
  charset?: string;
  textContent?: string;
  children?: PartNode[];
}

interface Inner {
  tree: PartNode | null;
  getTextContent(): { type: 'text'; html?: string; text?: string };
  createNode(node: { charset?: string | false }): PartNode;
  libmime: { decodeHeader(line: string): { key: string; value: string }; decodeWords(value: string): string };
  splitter: { nodeCounter: number };
  decoder: { decodeStream(charset: string): Transform };
}

const NOUNS: Record<string, string> = { 'text/html': 'The HTML part', 'text/plain': 'The text part' };

/** How many parts the library has begun to read. */
export function partsRead(parser: MailParser): number {
  return (parser as unknown as Inner).splitter.nodeCounter;
}

/**
 * A parser whose text parts come out as `readText` reads them; it is called for every text whose charset is missing or
 * wrong.
 */
export function textParser(
  options: ConstructorParameters<typeof MailParser>[0],
  onProblem: (problem: string) => void,
): MailParser {
  const parser = new MailParser(options);
  const inner = parser as unknown as Inner;
  mendStructure(parser);
  inner.getTextContent = () => textsOf(inner.tree);
  const headersOf = readableHeaders(inner);
  const parts: PartNode[] = [];
  const create = inner.createNode.bind(parser);
  const decodeStream = inner.decoder.decodeStream.bind(inner.decoder);
  inner.createNode = (node) => {
    headersOf.charset = node.charset || undefined;
    const part = create(node);
    parts.push({
      contentType: part.contentType ?? false,
      ...(part.charset !== undefined && { charset: part.charset }),
    });
    // A name that the library passes on to the decoder, whatever the part says: by it the part is found again.
    part.charset = `galley-part-${parts.length - 1}`;
    return part;
  };
  inner.decoder.decodeStream = (name) => {
    const { contentType = false, charset } = parts[Number(name.slice(name.lastIndexOf('-') + 1))] ?? {};
    const known = charset === undefined || mailDecoderFor(charset) ? undefined : libraryDecoder(decodeStream, charset);
    return (
      known ??
      collectText(
        { charset, isHtml: contentType === 'text/html', noun: NOUNS[contentType || ''] ?? 'A part' },
        onProblem,
      )
    );
  };
  return parser;
}

/**
 * The texts of a message in their order. The library would begin the HTML with a break for every plain text before it.
 */
function textsOf(root: PartNode | null): { type: 'text'; html?: string; text?: string } {
  const texts: string[] = [];
  const htmls: string[] = [];
  const open: PartNode[] = root ? [root] : [];
  for (let part = open.pop(); part; part = open.pop()) {
    if (part.textContent) (part.contentType === 'text/html' ? htmls : texts).push(part.textContent);
    open.push(...(part.children ?? []).toReversed());
  }
  const html = htmls.length > 0 && { html: htmls.join('<br/>\n') };
  return { type: 'text', ...html, ...(texts.length > 0 && { text: texts.join('\n') }) };
}

/**
 * Names in address fields, file names: encoded words and 8-bit text as in every other field, by the charset of the
 * part.
 */
function readableHeaders({ libmime }: Inner): { charset: string | undefined } {
  const of: { charset: string | undefined } = { charset: undefined };
  const decodeHeader = libmime.decodeHeader.bind(libmime);
  libmime.decodeHeader = (line) => {
    const field = decodeHeader(line);
    const bytes = Buffer.from(field.value, 'latin1');
    // The library takes one character for one byte, and the bytes for UTF-8.
    if (isUtf8(bytes)) return field;
    return { ...field, value: Buffer.from(readText(bytes, of).text, 'utf8').toString('latin1') };
  };
  libmime.decodeWords = decodeWords;
  return of;
}

/** Charsets of old mail that the Encoding standard leaves out, such as those of DOS. */
function libraryDecoder(decodeStream: Inner['decoder']['decodeStream'], charset: string): Transform | undefined {
  try {
    return decodeStream(charset);
  } catch {
    // It knows no such charset either.
    return undefined;
  }
}

function collectText(declared: Parameters<typeof readText>[1], onProblem: (problem: string) => void): Transform {
  const chunks: Buffer[] = [];
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
    flush(done) {
      const { text, problem } = readText(Buffer.concat(chunks), declared);
      if (problem !== undefined) onProblem(problem);
      done(null, Buffer.from(text, 'utf8'));
    },
  });
}
