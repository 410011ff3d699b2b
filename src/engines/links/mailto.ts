// The syntax of mailto: (RFC 6068), and what mail programs make of it.
import type { Verdict } from './types.ts';

const SOURCE = 'RFC 6068';
const FIELDS = new Set(['to', 'cc', 'bcc', 'subject', 'body', 'in-reply-to']);
const LENGTH_MAX = 2_000;

interface Fault {
  severity: 'error' | 'warning';
  message: string;
  fix: string;
}

/** One verdict on a mailto: link: its worst fault, with all of them in the details, or a pass. */
export function judgeMailto(url: string): Verdict {
  const { faults, recipients, fields } = readMailto(url);
  const details = [{ recipients, fields: Object.fromEntries(fields), faults: faults.map(({ message }) => message) }];
  const worst = faults.find(({ severity }) => severity === 'error') ?? faults[0];
  if (!worst)
    return {
      rule: 'address',
      severity: 'pass',
      message: `The address ${recipients.join(', ')} is written correctly.`,
      source: SOURCE,
      details,
    };
  return {
    rule: 'address',
    ...worst,
    impact: worst.severity === 'error' ? 'critical' : 'moderate',
    source: SOURCE,
    details,
  };
}

interface Mailto {
  faults: Fault[];
  recipients: string[];
  fields: Map<string, string>;
}

function readMailto(url: string): Mailto {
  const rest = url.trim().slice('mailto:'.length);
  const at = rest.indexOf('?');
  const mailto: Mailto = { faults: [], recipients: [], fields: new Map() };
  const { faults, recipients, fields } = mailto;
  if (/\s/.test(rest))
    faults.push({
      severity: 'warning',
      message: 'The mailto: link contains a space, where some mail programs cut it off.',
      fix: 'Write %20 for a space.',
    });
  readRecipients(at === -1 ? rest : rest.slice(0, at), mailto);
  readFields(at === -1 ? '' : rest.slice(at + 1), mailto);
  for (const name of ['to', 'cc', 'bcc']) if (fields.has(name)) readRecipients(fields.get(name)!, mailto);
  if (recipients.length === 0 && faults.every(({ severity }) => severity !== 'error')) {
    faults.push({
      severity: fields.size > 0 ? 'warning' : 'error',
      message: 'The mailto: link has no recipient.',
      fix: 'Write the address after mailto:.',
    });
  }
  if (url.length > LENGTH_MAX)
    faults.push({
      severity: 'warning',
      message: `The mailto: link has ${url.length} characters; some mail programs cut it at ${LENGTH_MAX}.`,
      fix: 'Shorten its body.',
    });
  return mailto;
}

function readRecipients(list: string, { faults, recipients }: Mailto): void {
  if (list.trim() === '') return;
  if (list.includes(';'))
    faults.push({
      severity: 'error',
      message: 'The addresses are separated by a semicolon, which only Outlook reads.',
      fix: 'Separate them by commas.',
    });
  for (const part of list.split(/[,;]/).slice(0, 100)) {
    const address = decode(part);
    if (address === undefined)
      faults.push({
        severity: 'error',
        message: `“${part.slice(0, 60)}” contains a percent sign that encodes nothing.`,
        fix: 'Write %25 for a percent sign.',
      });
    else if (isAddress(address.trim())) recipients.push(address.trim());
    else
      faults.push({
        severity: 'error',
        message: `“${address.trim().slice(0, 60)}” is not an email address.`,
        fix: 'Write name@domain.',
      });
  }
}

function readFields(query: string, { faults, fields }: Mailto): void {
  if (query === '') return;
  if (query.includes('?'))
    faults.push({
      severity: 'warning',
      message: 'There is a second question mark; fields after the first are joined by &.',
      fix: 'Write & in its place, or %3F inside a value.',
    });
  for (const part of query.split('&').slice(0, 50)) {
    if (part === '') continue;
    const [written = '', ...value] = part.split('=');
    const name = written.toLowerCase();
    const text = decode(value.join('='));
    if (name.startsWith('amp;'))
      faults.push({
        severity: 'error',
        message: 'The ampersand is encoded twice, so that the fields after it are lost.',
        fix: 'Write &amp; once in HTML.',
      });
    else if (text === undefined)
      faults.push({
        severity: 'error',
        message: `The field ${name.slice(0, 40)} contains a percent sign that encodes nothing.`,
        fix: 'Write %25 for a percent sign.',
      });
    else if (!FIELDS.has(name))
      faults.push({
        severity: 'warning',
        message: `Mail programs ignore the field ${name.slice(0, 40)}.`,
        fix: 'Use only to, cc, bcc, subject and body.',
      });
    else fields.set(name, fields.has(name) ? `${fields.get(name)},${text}` : text);
    if ((name === 'subject' || name === 'body') && /\+/.test(part) && !/%20| /.test(part))
      faults.push({
        severity: 'warning',
        message: `The plus signs in the ${name} are shown as plus signs.`,
        fix: 'Write %20 for a space.',
      });
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** An addr-spec as people have them (RFC 5322 §3.4.1, RFC 6532), at a host with a dot in its name. */
export function isAddress(text: string): boolean {
  if (text.length > 254) return false;
  return /^(?:[^\s"(),:;<>@[\\\].]+(?:\.[^\s"(),:;<>@[\\\].]+)*|"[^"\n]{1,62}")@[^\s"(),:;<>@[\\\].]{1,63}(?:\.[^\s"(),:;<>@[\\\].]{1,63})+$/.test(
    text,
  );
}
