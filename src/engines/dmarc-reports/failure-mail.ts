// Failure reports: one message that did not pass (RFC 6591, RFC 9991). Of that message only a few fields are kept.
import ipaddr from 'ipaddr.js';
import { decodeWords } from '../mime/index.ts';
import { domainIn, ReportRefusal, shortText } from './refusal.ts';
import type { FailureReport } from './types.ts';

const READ_LENGTH_MAX = 64 * 1024;

/** Header fields by their name in lower case; of one that comes twice the first. */
function fieldsOf(bytes: Uint8Array): Map<string, string> {
  const text = Buffer.from(bytes.subarray(0, READ_LENGTH_MAX)).toString('utf8').replaceAll('\r\n', '\n');
  const fields = new Map<string, string>();
  const start = text.search(/\S/);
  const header = text.slice(Math.max(start, 0)).split('\n\n', 1)[0] ?? '';
  for (const line of header.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
    const at = line.indexOf(':');
    const name = line.slice(0, at).trim().toLowerCase();
    if (at > 0 && /^[a-z0-9-]{1,76}$/.test(name) && !fields.has(name)) fields.set(name, line.slice(at + 1).trim());
  }
  return fields;
}

function isoOf(text: string | undefined): string {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}

interface FailureParts {
  /** The part `message/feedback-report`. */
  feedback: Uint8Array;
  /** The message that failed, or its header. */
  original: Uint8Array | undefined;
  /** Who sent the report: From of the mail. */
  reporter: string;
}

/** Throws {@link ReportRefusal} for a report of another kind, such as a complaint. */
export function readFailure({ feedback, original, reporter }: FailureParts): FailureReport {
  const fields = fieldsOf(feedback);
  const type = fields.get('feedback-type')?.toLowerCase() ?? '';
  if (type !== 'auth-failure')
    throw new ReportRefusal(`It is feedback of the type "${shortText(type, 40)}"; that of a failure is auth-failure.`);
  const message = original ? fieldsOf(original) : new Map<string, string>();
  const source = shortText(fields.get('source-ip'), 60);
  const from = shortText(decodeWords(message.get('from') ?? ''));
  const domain = domainIn(fields.get('reported-domain')) || domainIn(/@([^\s>@]+)>?\s*$/.exec(from)?.[1]);
  if (domain === '') throw new ReportRefusal('It names no domain: Reported-Domain is missing.');
  return {
    kind: 'failure',
    arrived: isoOf(fields.get('arrival-date')),
    sourceIp: ipaddr.isValid(source) ? ipaddr.process(source).toString() : '',
    domain,
    failure: shortText(fields.get('auth-failure'), 60).toLowerCase(),
    result: shortText(fields.get('delivery-result'), 60).toLowerCase(),
    reporter: shortText(reporter),
    from,
    subject: shortText(decodeWords(message.get('subject') ?? '')),
    messageId: shortText(message.get('message-id')),
  };
}
