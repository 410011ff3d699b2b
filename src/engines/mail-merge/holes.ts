// What differs from copy to copy: the holes in a text, and what goes into them.
import { lookUp } from '../mail-template/index.ts';
import { RECIPIENT_VARIABLE } from '../merge-tags/index.ts';
import type { MailAddress } from '../mime/index.ts';
import { htmlContexts, type HtmlContext } from './html-contexts.ts';

/** One copy. */
export interface Filling {
  /** `%recipient%`, `%recipient_email%` and the names are its parts. */
  recipient: MailAddress;
  /** `%recipient.name%`. What is no text is written as JSON. */
  variables?: Readonly<Record<string, unknown>> | null;
  /** A hole without its address stays as it is written. */
  links?: { unsubscribe?: string; tagUnsubscribe?: string; mailingListUnsubscribe?: string };
  /** Fields of this copy alone, such as List-Unsubscribe; they replace those of the message with the same name. */
  headers?: readonly { name: string; value: string }[];
}

type Built = 'address' | 'name' | 'first' | 'last' | keyof NonNullable<Filling['links']>;

export interface Hole {
  /** It stays so when nothing is known. */
  written: string;
  what: Built | readonly string[];
  context: 'plain' | HtmlContext;
}

export type Segment = string | Hole;

const BUILT: Readonly<Record<string, Built>> = {
  recipient: 'address',
  recipient_email: 'address',
  recipient_name: 'name',
  recipient_fname: 'first',
  recipient_lname: 'last',
  unsubscribe_url: 'unsubscribe',
  tag_unsubscribe_url: 'tagUnsubscribe',
  mailing_list_unsubscribe_url: 'mailingListUnsubscribe',
};
const HOLE = new RegExp(
  `${RECIPIENT_VARIABLE.source}|%(${Object.keys(BUILT)
    .filter((name) => name !== 'recipient')
    .join('|')})%`,
  'gu',
);

/** Whether a text asks for a link with which its reader unsubscribes. */
export const hasUnsubscribeHole = (text: string): boolean => /%(?:tag_)?unsubscribe_url%/.test(text);

/** A text cut at its holes; one string when there is none. `isHtml` finds where each stands. */
export function segmentsOf(text: string, { isHtml = false } = {}): Segment[] {
  if (!text.includes('%')) return [text];
  const found = [...text.matchAll(HOLE)];
  if (found.length === 0) return [text];
  const contexts = isHtml
    ? htmlContexts(
        text,
        found.map(({ index }) => index),
      )
    : undefined;
  const segments: Segment[] = [];
  let from = 0;
  for (const [nth, { index, 0: written, 1: path, 2: name = 'recipient' }] of found.entries()) {
    if (index > from) segments.push(text.slice(from, index));
    segments.push({
      written,
      what: path === undefined ? (BUILT[name] as Built) : path.split('.'),
      context: contexts?.[nth] ?? 'plain',
    });
    from = index + written.length;
  }
  if (from < text.length) segments.push(text.slice(from));
  return segments;
}

/** What goes into a hole, written for the place where it stands. */
export function valueOf({ written, what, context }: Hole, filling: Filling): string {
  const value = typeof what === 'string' ? builtValue(what, filling) : lookUp(filling.variables, what);
  if (value === undefined || value === null) return written;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (context === 'plain') return text;
  if (context === 'text') return escapeHtml(text);
  return context === 'bare' ? escapeBare(text) : escapeHtml(escapeAddress(text, context));
}

function builtValue(what: Built, { recipient, links }: Filling): string | undefined {
  const { name, address } = recipient;
  if (what === 'address') return address;
  if (what === 'name') return name;
  if (what === 'first') return /^\S*/.exec(name.trim())?.[0];
  if (what === 'last') return /^\S+\s+(.*)$/s.exec(name.trim())?.[1] ?? '';
  return links?.[what];
}

const SPECIAL = /[<>"']|&(?!(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});)/gi;
const numeric = (character: string): string => `&#${character.codePointAt(0)};`;

/** No value begins a tag or ends an attribute. A character reference stays one: senders that escape go on being read. */
function escapeHtml(text: string): string {
  return text.replace(SPECIAL, (character) => (character === '&' ? '&amp;' : numeric(character)));
}

function escapeBare(text: string): string {
  return escapeHtml(text).replace(/[\s=`/]/g, numeric);
}

/** A value inside an address says no more than its part of it. What is percent-encoded stays so. */
function escapeAddress(text: string, context: 'path' | 'query'): string {
  const pattern = context === 'path' ? /%(?![\dA-Fa-f]{2})|[^\w.~%/-]/gu : /%(?![\dA-Fa-f]{2})|[^\w.~%-]/gu;
  return text.toWellFormed().replace(pattern, encodeURIComponent);
}
