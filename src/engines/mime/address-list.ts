// Addresses as people write them into a form: `Ann <ann@example.com>, bob@example.com` (RFC 5322 §3.4).
import { decodeWords } from './encoded-words.ts';
import type { MailAddress } from './parse-mime.ts';

const ADDRESS_LENGTH_MAX = 320;
const LOCAL_LENGTH_MAX = 64;
const DOMAIN_LENGTH_MAX = 253;
/** Letters of any script (RFC 6531); no control characters, no blanks, nothing that means something in a header. */
const LOCAL = /^(?!\.)(?!.*\.\.)(?!.*\.$)[^\s\p{Cc}"(),:;<>@[\\\]]+$/u;
/** Anything but a line break between quotes, which are escaped inside. */
const QUOTED_LOCAL = /^"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*"$/u;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u;

/** Whether mail can be addressed to it; a domain in its own script is one, an address of one label is none. */
export function isMailAddress(address: string): boolean {
  const at = address.lastIndexOf('@');
  if (at < 1 || address.length > ADDRESS_LENGTH_MAX) return false;
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  if (local.length > LOCAL_LENGTH_MAX || !(LOCAL.test(local) || QUOTED_LOCAL.test(local))) return false;
  const labels = domain.split('.');
  return (
    domain.length <= DOMAIN_LENGTH_MAX &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\p{N}+$/u.test(labels.at(-1) as string)
  );
}

/** The domain of an address as DNS has it: lower case, its xn-- form; undefined when it has no such form. */
export function destinationOf(address: string): string | undefined {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  if (!URL.canParse(`http://${domain}/`)) return undefined;
  const { hostname } = new URL(`http://${domain}/`);
  return hostname.length <= DOMAIN_LENGTH_MAX ? hostname : undefined;
}

/**
 * The same text for whatever reaches the same mailbox in practice: lower case, the domain as DNS has it; undefined for
 * what is no address.
 */
export function canonicalAddress(address: string): string | undefined {
  if (!isMailAddress(address)) return undefined;
  const destination = destinationOf(address);
  return destination && `${address.slice(0, address.lastIndexOf('@')).toLowerCase()}@${destination}`;
}

/** The texts between commas that stand neither in quotes nor in brackets nor in comments. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let [from, comment, isQuoted, isBracketed] = [0, 0, false, false];
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place];
    if (character === '\\') place += 1;
    else if (isQuoted) isQuoted = character !== '"';
    else if (comment > 0) comment += character === '(' ? 1 : character === ')' ? -1 : 0;
    else if (character === '"') isQuoted = true;
    else if (character === '(') comment = 1;
    else if (character === '<') isBracketed = true;
    else if (character === '>') isBracketed = false;
    else if (character === ',' && !isBracketed) {
      parts.push(text.slice(from, place));
      from = place + 1;
    }
  }
  return [...parts, text.slice(from)].map((part) => part.trim()).filter((part) => part !== '');
}

function unquoted(name: string): string {
  const text = /^"(.*)"$/s.exec(name)?.[1]?.replaceAll(/\\(.)/gs, '$1') ?? name;
  return decodeWords(text).replaceAll(/\s+/g, ' ').trim();
}

/** One mailbox, or undefined when it is none. */
function mailboxOf(part: string): MailAddress | undefined {
  const open = part.lastIndexOf('<');
  const isNamed = open >= 0 && part.endsWith('>');
  const address = (isNamed ? part.slice(open + 1, -1) : part.replace(/\s*\([^()]*\)$/, '')).trim();
  if (!isMailAddress(address)) return undefined;
  const name = isNamed ? part.slice(0, open).trim() : (/\(([^()]*)\)$/.exec(part)?.[1] ?? '');
  return { name: unquoted(name), address };
}

/**
 * The mailboxes of a list, in order. `wrong` is the first text that is none; groups (`friends: …;`) are none. Linear in
 * the length of the text.
 */
export function parseAddressList(text: string): { mailboxes: MailAddress[]; wrong: string | undefined } {
  const mailboxes: MailAddress[] = [];
  for (const part of partsOf(text)) {
    const mailbox = mailboxOf(part);
    if (!mailbox) return { mailboxes, wrong: part };
    mailboxes.push(mailbox);
  }
  return { mailboxes, wrong: undefined };
}
