// The MIME library, with charsets read by our own rules: it would replace what a part does not declare rightly by U+FFFD.
import { Transform } from 'node:stream';
import { MailParser } from 'mailparser';
import { decoderFor, readText } from './charset.ts';

/** What the library knows of one part. */
interface PartNode {
  contentType?: string | false;
  charset?: string;
}

interface Inner {
  createNode(node: object): PartNode;
  splitter: { nodeCounter: number };
  decoder: { decodeStream(charset: string): Transform };
}

const NOUNS: Record<string, string> = { 'text/html': 'The HTML part', 'text/plain': 'The text part' };

/** How many parts the library has begun to read. */
export function partsRead(parser: MailParser): number {
  return (parser as unknown as Inner).splitter.nodeCounter;
}

/** A parser whose text parts come out as `readText` reads them; told of every text whose charset is missing or wrong. */
export function textParser(options: ConstructorParameters<typeof MailParser>[0], onProblem: (problem: string) => void): MailParser {
  const parser = new MailParser(options);
  const inner = parser as unknown as Inner;
  const parts: PartNode[] = [];
  const create = inner.createNode.bind(parser);
  const decodeStream = inner.decoder.decodeStream.bind(inner.decoder);
  inner.createNode = (node) => {
    const part = create(node);
    parts.push({ contentType: part.contentType ?? false, ...(part.charset !== undefined && { charset: part.charset }) });
    // A name that the library passes on to the decoder, whatever the part says: by it the part is found again.
    part.charset = `galley-part-${parts.length - 1}`;
    return part;
  };
  inner.decoder.decodeStream = (name) => {
    const { contentType = false, charset } = parts[Number(name.slice(name.lastIndexOf('-') + 1))] ?? {};
    const known = charset === undefined || decoderFor(charset) ? undefined : libraryDecoder(decodeStream, charset);
    return known ?? collectText({ charset, isHtml: contentType === 'text/html', noun: NOUNS[contentType || ''] ?? 'A part' }, onProblem);
  };
  return parser;
}

/** Charsets of old mail that the Encoding standard leaves out, such as UTF-7. */
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
