// A file or a mail with reports, whatever they are packed in.
import { readAttachments } from '../mime/index.ts';
import { AggregateReader } from './aggregate-xml.ts';
import { readFailure } from './failure-mail.ts';
import { ReportRefusal, shortText } from './refusal.ts';
import { JSON_BYTES_MAX, readTlsReport } from './tls-json.ts';
import type { DomainReport, ReadFile } from './types.ts';
import { gunzipInto, isGzip, isZip, UnpackedBytes, unzipInto, type Sink } from './unpack.ts';

/** Of one file as it comes; what it unpacks to has a bound of its own. */
export const FILE_BYTES_MAX = 25 * 1024 * 1024;
const STEP_BYTES = 64 * 1024;
const SNIFFED_BYTES = 512;

/** The encoding of XML: its mark, or what its first line says; else UTF-8. */
function encodingOf(start: Uint8Array): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  const head = Buffer.from(start.subarray(0, SNIFFED_BYTES)).toString('latin1');
  return /^\W*<\?xml[^>]*\bencoding\s*=\s*["']([\w-]{1,40})["']/i.exec(head)?.[1] ?? 'utf-8';
}

function decoderOf(start: Uint8Array): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encodingOf(start));
  } catch (error) {
    if (error instanceof RangeError) throw new ReportRefusal('It is in an encoding that is not known.');
    throw error;
  }
}

/** Finds out by the first bytes what comes, and reads it as it comes. */
class ReportSink implements Sink {
  #start: Uint8Array = new Uint8Array();
  #isKnown = false;
  #decoder: InstanceType<typeof TextDecoder> | undefined;
  #aggregate: AggregateReader | undefined;
  #json: string[] = [];
  #jsonLength = 0;

  write(bytes: Uint8Array): void {
    if (!this.#isKnown) {
      this.#start = Buffer.concat([this.#start, bytes]);
      if (this.#start.length >= SNIFFED_BYTES) this.#sniff();
      return;
    }
    this.#take(this.#decoder!.decode(bytes, { stream: true }));
  }

  end(): DomainReport {
    if (!this.#isKnown) this.#sniff();
    this.#take(this.#decoder!.decode());
    return this.#aggregate ? this.#aggregate.end() : readTlsReport(this.#json.join(''));
  }

  #sniff(): void {
    const bytes = this.#start;
    if (isGzip(bytes) || isZip(bytes)) throw new ReportRefusal('It is packed twice.');
    this.#decoder = decoderOf(bytes);
    const text = this.#decoder.decode(bytes, { stream: true });
    const first = text.trimStart()[0];
    if (first === '<') this.#aggregate = new AggregateReader();
    else if (first !== '{') throw new ReportRefusal('It is neither XML of a DMARC report nor JSON of a TLS report.');
    this.#isKnown = true;
    this.#start = new Uint8Array();
    this.#take(text);
  }

  #take(text: string): void {
    if (this.#aggregate) return this.#aggregate.write(text);
    this.#jsonLength += text.length;
    if (this.#jsonLength > JSON_BYTES_MAX)
      throw new ReportRefusal(`A TLS report may have ${JSON_BYTES_MAX / 1024 / 1024} MB of JSON.`);
    this.#json.push(text);
  }
}

/** What a packed or a plain file holds: at least one report, or {@link ReportRefusal}. */
async function reportsIn(bytes: Uint8Array): Promise<DomainReport[]> {
  const unpacked = new UnpackedBytes();
  if (isZip(bytes)) {
    const entries = unzipInto(bytes, { sinkOf: () => new ReportSink(), unpacked });
    return entries.map(({ sink }) => sink.end());
  }
  const sink = new ReportSink();
  if (isGzip(bytes)) await gunzipInto(bytes, { sink, unpacked });
  else
    for (let at = 0; at < bytes.length; at += STEP_BYTES) {
      const chunk = bytes.subarray(at, at + STEP_BYTES);
      unpacked.add(chunk);
      sink.write(chunk);
    }
  return [sink.end()];
}

const looksPacked = (bytes: Uint8Array): boolean => isGzip(bytes) || isZip(bytes);

/** The first character that says something. */
function firstCharacter(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, SNIFFED_BYTES)).toString('latin1');
  return /[^\s\u00ef\u00bb\u00bf\u00fe\u00ff\0]/.exec(head)?.[0] ?? '';
}

/** A mail begins with a field, or with the line that mailboxes put before it. */
const looksLikeMail = (bytes: Uint8Array): boolean =>
  /^(?:From |[!-9;-~]{1,76}:)/.test(Buffer.from(bytes.subarray(0, SNIFFED_BYTES)).toString('latin1'));

interface Part {
  name: string;
  contentType: string;
  body: Buffer;
}

const isReportPart = ({ contentType, body, name }: Part): boolean =>
  looksPacked(body) ||
  /\.(xml|json|gz|zip)$/i.test(name) ||
  /^(?:application|text)\/(?:.*xml|.*json|tlsrpt\+.*|zip|gzip|x-gzip|x-zip-compressed)$/i.test(contentType);

const PARTS_MAX = 20;

async function fromMail(raw: Buffer): Promise<ReadFile> {
  const { attachments, from } = await readAttachments(raw);
  const read: ReadFile = { reports: [], refused: [] };
  const take = async (name: string, report: () => DomainReport[] | Promise<DomainReport[]>): Promise<void> => {
    try {
      read.reports.push(...(await report()));
    } catch (error) {
      if (!(error instanceof ReportRefusal)) throw error;
      read.refused.push({ name, reason: error.message });
    }
  };
  const feedback = attachments.find(({ contentType }) => contentType === 'message/feedback-report');
  const original = attachments.find(({ contentType }) =>
    ['message/rfc822', 'message/global', 'text/rfc822-headers'].includes(contentType),
  );
  if (feedback)
    await take('feedback report', () => [
      readFailure({ feedback: feedback.body, original: original?.body, reporter: from }),
    ]);
  const parts = attachments.filter(isReportPart);
  for (const part of parts.slice(0, PARTS_MAX))
    await take(shortText(part.name, 255) || part.contentType, () => reportsIn(part.body));
  if (parts.length > PARTS_MAX)
    read.refused.push({
      name: 'mail',
      reason: `It carries ${parts.length} files; the first ${PARTS_MAX} were read.`,
    });
  if (read.reports.length + read.refused.length > 0) return read;
  return { reports: [], refused: [{ name: 'mail', reason: 'No part of the mail is a report.' }], isOther: true };
}

/**
 * Reads a file with reports: XML (RFC 7489, RFC 9990), JSON (RFC 8460), either packed by gzip or zip, or a mail with
 * such files or with a failure report (RFC 6591). What cannot be counted whole is refused, with the reason: larger than
 * 25 MB, unpacked larger than 64 MB, more than 50,000 records, a document type, cut off. Memory does not grow with what
 * a file unpacks to, but with its rows.
 */
export async function readReportFile({ name, bytes }: { name: string; bytes: Uint8Array }): Promise<ReadFile> {
  const refused = (reason: string): ReadFile => ({ reports: [], refused: [{ name, reason }] });
  if (bytes.length === 0) return refused('It is empty.');
  if (bytes.length > FILE_BYTES_MAX) return refused(`It is larger than ${FILE_BYTES_MAX / 1024 / 1024} MB.`);
  if (!looksPacked(bytes) && !'<{'.includes(firstCharacter(bytes)) && looksLikeMail(bytes)) {
    const read = await fromMail(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return { ...read, refused: read.refused.map((part) => ({ ...part, name: `${name}: ${part.name}` })) };
  }
  try {
    return { reports: await reportsIn(bytes), refused: [] };
  } catch (error) {
    if (error instanceof ReportRefusal) return refused(error.message);
    throw error;
  }
}
