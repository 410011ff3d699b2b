// Whether a text is a mailbox that mail can be addressed to in SMTP: RFC 5321 §4.1.2, with other scripts by RFC 6531
// §3.3. Comments, folded blanks and display names are of headers, and are refused.
import ipaddr from 'ipaddr.js';

export interface Mailbox {
  /** As written. */
  local: string;
  /** As DNS has it: lower case, its xn-- form; or an address literal with its brackets. */
  domain: string;
  isLiteral: boolean;
  /** Servers on its way must know SMTPUTF8 (RFC 6531). */
  needsUtf8: boolean;
}

type MailboxOrFault = { mailbox: Mailbox } | { fault: string };

/** In octets (RFC 5321 §4.5.3.1). */
const LOCAL_MAX = 64;
const DOMAIN_MAX = 253;
const ADDRESS_MAX = 254;
const LABEL_MAX = 63;

const ATOM = /^(?:[\w!#$%&'*+\-/=?^`{|}~]|[^\p{ASCII}\p{C}\p{Z}])+$/u;
const QUOTED = /^"(?:[ !#-[\]-~]|\\[ -~]|[^\p{ASCII}\p{C}\p{Z}])*"$/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

const octets = (text: string): number => Buffer.byteLength(text);

/** The place of the at sign that ends the local part: none of those between quotes. */
function placeOfAt(text: string): number {
  if (!text.startsWith('"')) return text.lastIndexOf('@');
  const end = /^"(?:[^"\\]|\\.)*"/s.exec(text)?.[0].length ?? text.length;
  return text[end] === '@' ? end : -1;
}

function localFault(local: string): string | undefined {
  if (local === '') return 'Nothing stands before the @.';
  if (octets(local) > LOCAL_MAX) return `The part before the @ is longer than ${LOCAL_MAX} bytes.`;
  if (local.startsWith('"')) return QUOTED.test(local) ? undefined : 'The quoted part before the @ is malformed.';
  if (local.startsWith('.') || local.endsWith('.')) return 'The part before the @ begins or ends with a dot.';
  if (local.includes('..')) return 'The part before the @ has two dots in a row.';
  return local.split('.').every((atom) => ATOM.test(atom))
    ? undefined
    : 'The part before the @ holds a character that may not stand there.';
}

/** RFC 5321 §4.1.3: two colons stand for at least two groups. */
function isLiteral(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return true;
  const six = /^IPv6:(.*)$/i.exec(text)?.[1];
  if (six === undefined || !ipaddr.IPv6.isValid(six) || six.includes('%')) return false;
  const groups = six.split(/:+/).filter((group) => group !== '');
  const count = groups.length + (groups.at(-1)?.includes('.') ? 1 : 0);
  return !six.includes('::') || count <= 6;
}

function domainFault(written: string, domain: string): string | undefined {
  if (written === '') return 'Nothing stands behind the @.';
  if (/[\s\p{C}]/u.test(written)) return 'The domain holds a blank or a control character.';
  if (domain === '') return 'The domain is no name that DNS can hold.';
  if (octets(domain) > DOMAIN_MAX) return `The domain is longer than ${DOMAIN_MAX} bytes.`;
  const labels = domain.split('.');
  if (labels.includes('')) return 'The domain has two dots in a row, or begins or ends with one.';
  if (labels.some((label) => label.length > LABEL_MAX))
    return `A label of the domain is longer than ${LABEL_MAX} bytes.`;
  return labels.every((label) => LABEL.test(label))
    ? undefined
    : 'The domain holds a character that may not stand there.';
}

/** The name in the form of DNS; empty where it has none. What is written in ASCII is taken as it is: URLs read 010.1. */
function asciiOf(written: string): string {
  if (/^\p{ASCII}*$/u.test(written)) return written.toLowerCase();
  // Nothing that ends the host of a URL.
  if (/[/?#:@\\%[\]]/.test(written) || !URL.canParse(`http://${written}/`)) return '';
  return new URL(`http://${written}/`).hostname;
}

/** Reads an address. A fault is a whole sentence. */
export function readMailbox(text: string): MailboxOrFault {
  if (text === '') return { fault: 'The address is empty.' };
  const at = placeOfAt(text);
  if (at < 0) return { fault: text.includes('@') ? 'The quoted part does not end at the @.' : 'It has no @.' };
  const [local, written] = [text.slice(0, at), text.slice(at + 1)];
  const needsUtf8 = !/^\p{ASCII}*$/u.test(local);
  const wrongLocal = localFault(local);
  if (wrongLocal !== undefined) return { fault: wrongLocal };
  const literal = /^\[(.*)\]$/s.exec(written)?.[1];
  if (literal !== undefined)
    return isLiteral(literal)
      ? { mailbox: { local, domain: written, isLiteral: true, needsUtf8 } }
      : { fault: 'What stands in brackets is no IP address.' };
  const domain = asciiOf(written);
  const wrongDomain = domainFault(written, domain);
  if (wrongDomain !== undefined) return { fault: wrongDomain };
  if (octets(local) + 1 + octets(domain) > ADDRESS_MAX)
    return { fault: `The address is longer than ${ADDRESS_MAX} bytes.` };
  return { mailbox: { local, domain, isLiteral: false, needsUtf8 } };
}
