// What differs from copy to copy: the holes in a text, and what goes into them.
import { lookUp } from '../mail-template/index.ts';
import { RECIPIENT_VARIABLE } from '../merge-tags/index.ts';
import type { MailAddress } from '../mime/index.ts';
import { htmlContexts, type HtmlContext } from './html-contexts.ts';
import { trackedHtml, trackedText, withFooter, type LinkSpan, type Tracking } from './tracked-links.ts';

/** One copy. */
export interface Filling {
  /** `%recipient%`, `%recipient_email%` and the names are its parts. */
  recipient: MailAddress;
  /** `%recipient.name%`. What is no text is written as JSON. */
  variables?: Readonly<Record<string, unknown>> | null;
  /** A hole without its address stays as it is written. */
  links?: { unsubscribe?: string; tagUnsubscribe?: string; mailingListUnsubscribe?: string };
  /** Where links lead in place of their targets, and the image; undefined: a link stays as it is. */
  tracked?: { linkTo(link: number, url: string): string | undefined; pixel: string };
  /** Fields of this copy alone, such as List-Unsubscribe; they replace those of the message with the same name. */
  headers?: readonly { name: string; value: string }[];
}

type Built = 'address' | 'name' | 'first' | 'last' | 'pixel' | keyof NonNullable<Filling['links']>;

export interface Hole {
  /** It stays so when nothing is known. */
  written: string;
  what: Built | readonly string[];
  context: 'plain' | HtmlContext;
}

export type Segment = string | Hole;

/** A link that is tracked, where its recipient can follow it. */
export interface LinkHole {
  link: number;
  target: Segment[];
  /** What stands there when it is not tracked. */
  untracked: Segment[];
}

export type BodySegment = Segment | LinkHole;

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

/** The holes of a text, and where each stands. */
function markedOf(text: string, isHtml: boolean): Marked {
  const found = text.includes('%') ? [...text.matchAll(HOLE)] : [];
  if (found.length === 0) return { text, holes: [] };
  const contexts = isHtml
    ? htmlContexts(
        text,
        found.map(({ index }) => index),
      )
    : undefined;
  const holes = found.map(({ index, 0: written, 1: path, 2: name = 'recipient' }, nth) => ({
    index,
    hole: {
      written,
      what: path === undefined ? (BUILT[name] as Built) : path.split('.'),
      context: contexts?.[nth] ?? ('plain' as const),
    },
  }));
  return { text, holes };
}

interface Marked {
  text: string;
  holes: { index: number; hole: Hole }[];
}

/** The segments of a part of a text. */
function cut({ text, holes }: Marked, from: number, to: number): Segment[] {
  const segments: Segment[] = [];
  let at = from;
  for (let next = firstFrom(holes, from); next < holes.length; next++) {
    const { index, hole } = holes[next] as Marked['holes'][number];
    if (index >= to) break;
    if (index > at) segments.push(text.slice(at, index));
    segments.push(hole);
    at = index + hole.written.length;
  }
  if (at < to) segments.push(text.slice(at, to));
  return segments;
}

function firstFrom(holes: Marked['holes'], from: number): number {
  let [low, high] = [0, holes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((holes[middle] as { index: number }).index < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A text cut at its holes; one string when there is none. `isHtml` finds where each stands. */
export function segmentsOf(text: string, { isHtml = false } = {}): Segment[] {
  const marked = markedOf(text, isHtml);
  return marked.holes.length === 0 ? [text] : cut(marked, 0, text.length);
}

/** Links of a message that are tracked; more are left as they are. */
const LINKS_MAX = 1000;
const PIXEL = [
  '<img src="',
  '" width="1" height="1" alt="" border="0" style="height:1px;width:1px;border:0;margin:0;padding:0">',
] as const;

/** What of a message is tracked; counts over all of its parts. */
export interface TrackedSoFar extends Tracking {
  links: number;
}

/** The first HTML and the first plain text have their footers. */
function footed(text: string, isHtml: boolean, tracking: TrackedSoFar): string {
  const { footers } = tracking;
  if (!footers) return text;
  tracking.footers = isHtml ? { ...footers, html: '' } : { ...footers, text: '' };
  return withFooter(text, isHtml ? footers.html : footers.text, isHtml);
}

/** The same for a part of the body, of which links are tracked, and opens by an image in the first HTML. */
export function bodySegmentsOf(
  given: string,
  { isHtml, tracking }: { isHtml: boolean; tracking: TrackedSoFar | undefined },
): BodySegment[] {
  const text = tracking ? footed(given, isHtml, tracking) : given;
  if (!tracking || (tracking.clicks === 'no' && tracking.pixel === 'no')) return segmentsOf(text, { isHtml });
  const { spans, pixelAt } = isHtml
    ? trackedHtml(text, tracking)
    : { spans: tracking.clicks === 'yes' ? trackedText(text) : [], pixelAt: undefined };
  if (isHtml) tracking.pixel = 'no';
  const marked = markedOf(text, isHtml);
  const segments: BodySegment[] = [];
  let at = 0;
  const goTo = (place: number): void => {
    if (pixelAt !== undefined && pixelAt >= at && pixelAt <= place && !hasPixel) {
      segments.push(...cut(marked, at, pixelAt), PIXEL[0], PIXEL_HOLE, PIXEL[1]);
      at = pixelAt;
      hasPixel = true;
    }
    if (place > at) segments.push(...cut(marked, at, place));
    at = place;
  };
  let hasPixel = false;
  for (const span of spans) {
    if (tracking.links >= LINKS_MAX) break;
    if (endsInHole(marked, span.to)) continue;
    goTo(span.from);
    segments.push(...linkSegments(marked, span, tracking.links++));
    at = span.to;
  }
  goTo(text.length);
  return segments;
}

function endsInHole({ holes }: Marked, at: number): boolean {
  const before = holes[firstFrom(holes, at) - 1];
  return before !== undefined && before.index + before.hole.written.length > at;
}

const PIXEL_HOLE: Hole = { written: '', what: 'pixel', context: 'plain' };

/** What a variable may say depends on where in the address it stands; one that is the whole address says all of it. */
function targetSegments(target: string): Segment[] {
  let before = '';
  return segmentsOf(target).map((segment) => {
    if (typeof segment === 'string') {
      before += segment;
      return segment;
    }
    const context = before === '' ? 'plain' : /[?#]/.test(before) ? 'query' : 'path';
    before += segment.written;
    return { ...segment, context };
  });
}

function linkSegments(marked: Marked, { from, to, target, isAttribute }: LinkSpan, link: number): BodySegment[] {
  const hole = (untracked: Segment[]): LinkHole => ({ link, target: targetSegments(target), untracked });
  if (!isAttribute) return [hole(cut(marked, from, to))];
  const [begin = 'href='] = /^href\s*=\s*["']?/i.exec(marked.text.slice(from, to)) ?? [];
  const quote = /["']$/.test(begin) ? 1 : 0;
  const [start, end] = [from + begin.length, to - quote];
  return [begin, hole(cut(marked, start, end)), marked.text.slice(end, to)];
}

/** What goes into a hole of a body. */
export function bodyValueOf(hole: Hole | LinkHole, filling: Filling): string {
  if (!('link' in hole)) return valueOf(hole, filling);
  const url = hole.target.map((segment) => targetPart(segment, filling)).join('');
  const tracked = FOLLOWED.test(url) && filling.tracked?.linkTo(hole.link, url);
  return (
    tracked ||
    hole.untracked.map((segment) => (typeof segment === 'string' ? segment : valueOf(segment, filling))).join('')
  );
}

const FOLLOWED = /^https?:\/\/[^\s/?#]/i;

function targetPart(segment: Segment, filling: Filling): string {
  if (typeof segment === 'string') return segment;
  const { written, context } = segment;
  const value = knownValue(segment, filling);
  if (value === undefined) return written;
  return context === 'path' || context === 'query' ? escapeAddress(value, context) : value.trim();
}

/** What goes into a hole, written for the place where it stands. */
export function valueOf(hole: Hole, filling: Filling): string {
  const { written, context } = hole;
  const text = knownValue(hole, filling);
  if (text === undefined) return written;
  if (context === 'plain') return text;
  if (context === 'text') return escapeHtml(text);
  return context === 'bare' ? escapeBare(text) : escapeHtml(escapeAddress(text, context));
}

function knownValue({ what }: Hole, filling: Filling): string | undefined {
  const value = typeof what === 'string' ? builtValue(what, filling) : lookUp(filling.variables, what);
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function builtValue(what: Built, { recipient, links, tracked }: Filling): string | undefined {
  const { name, address } = recipient;
  if (what === 'address') return address;
  if (what === 'name') return name;
  if (what === 'first') return /^\S*/.exec(name.trim())?.[0];
  if (what === 'last') return /^\S+\s+(.*)$/s.exec(name.trim())?.[1] ?? '';
  if (what === 'pixel') return tracked?.pixel;
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
