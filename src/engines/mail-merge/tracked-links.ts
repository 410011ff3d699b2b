// Where a text has links that are tracked, and where the image stands that tells of an open.
import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { attributeOf, readDocument } from '../html/index.ts';

/** What stands below a message, with which its readers unsubscribe; empty: nothing. */
export interface Footers {
  html: string;
  text: string;
}

/** Of a copy whose links and opens are tracked. */
export interface Tracking {
  clicks: 'no' | 'yes' | 'htmlonly';
  pixel: 'no' | 'end' | 'top';
  footers?: Footers | undefined;
}

/** A link from one place of a text to another; in HTML, with the attribute's name. */
export interface LinkSpan {
  from: number;
  to: number;
  /** As a reader follows it: character references are read. */
  target: string;
  isAttribute: boolean;
}

const UNSUBSCRIBE = /%(?:tag_|mailing_list_)?unsubscribe_url%/;
/** An address of the web, or a variable that may hold one. */
const FOLLOWED = /^(?:https?:\/\/[^\s/?#]|%recipient\.[^%\s]+%)/i;
const MARKS = ['disable-tracking', 'data-disable-tracking'];

const isTracked = (target: string): boolean => FOLLOWED.test(target) && !UNSUBSCRIBE.test(target);

function isLeft(element: Tree.Element): boolean {
  return MARKS.some((name) => {
    const said = attributeOf(element, name);
    return said !== undefined && said.toLowerCase() !== 'false';
  });
}

function spanOf(html: string, element: Tree.Element): LinkSpan | undefined {
  if (element.tagName !== 'a' && element.tagName !== 'area') return undefined;
  const location = element.sourceCodeLocation?.attrs?.['href'];
  const target = attributeOf(element, 'href')?.trim();
  if (!location || target === undefined || isLeft(element) || !isTracked(target)) return undefined;
  const { startOffset: from, endOffset: to } = location;
  return /^href\s*=/i.test(html.slice(from, to)) ? { from, to, target, isAttribute: true } : undefined;
}

interface TrackedHtml {
  spans: LinkSpan[];
  /** Where the image stands. */
  pixelAt: number | undefined;
}

/**
 * The links of HTML in their order, each once. What stands in comments, also in conditional ones, is left; so is HTML
 * that nests beyond any client's limits.
 */
export function trackedHtml(html: string, { clicks, pixel }: Tracking): TrackedHtml {
  const { document, isComplete } = readDocument(html);
  if (!isComplete) return { spans: [], pixelAt: undefined };
  const spans = new Map<number, LinkSpan>();
  let pixelAt = pixel === 'no' ? undefined : pixel === 'end' ? html.length : topOf(html);
  const stack: Tree.Node[] = [document];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if ('tagName' in node) {
      const span = clicks === 'no' ? undefined : spanOf(html, node);
      if (span) spans.set(span.from, span);
      if (node.tagName === 'body' && pixelAt !== undefined) {
        const { startTag, endTag } = node.sourceCodeLocation ?? {};
        pixelAt = (pixel === 'end' ? endTag?.startOffset : startTag?.endOffset) ?? pixelAt;
      }
    }
    if ('childNodes' in node) stack.push(...node.childNodes);
  }
  return { spans: [...spans.values()].sort((one, other) => one.from - other.from), pixelAt };
}

/** Before the text where nothing must come first; else behind it. */
const topOf = (html: string): number => (/<(?:!doctype|html|head|body)\b/i.test(html) ? html.length : 0);

/**
 * A text with its footer: before the end of the body of HTML, behind plain text. A text that has a link to unsubscribe
 * stays as it is.
 */
export function withFooter(text: string, footer: string, isHtml: boolean): string {
  if (footer === '' || UNSUBSCRIBE.test(text)) return text;
  const at = isHtml ? endOfBody(text) : text.length;
  return `${text.slice(0, at)}${footer}${text.slice(at)}`;
}

function endOfBody(html: string): number {
  const stack: Tree.Node[] = [readDocument(html).document];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if ('tagName' in node && node.tagName === 'body')
      return node.sourceCodeLocation?.endTag?.startOffset ?? html.length;
    if ('childNodes' in node && (node.nodeName === '#document' || node.nodeName === 'html'))
      stack.push(...node.childNodes);
  }
  return html.length;
}

const WRITTEN = /\bhttps?:\/\/[^\s<>"'`]+/gi;

/** The addresses in plain text, without the marks of the sentence around them. */
export function trackedText(text: string): LinkSpan[] {
  return [...text.matchAll(WRITTEN)].flatMap(({ index, 0: found }) => {
    let target = found.replace(/[.,;:!?]+$/, '');
    while (/[)\]}]$/.test(target) && !/[([{]/.test(target)) target = target.slice(0, -1).replace(/[.,;:!?]+$/, '');
    return isTracked(target) ? { from: index, to: index + target.length, target, isAttribute: false } : [];
  });
}
