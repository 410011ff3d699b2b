// A message read once for all rules: its words with their places, its links and pictures, its fields.
import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { parse as parseDomain } from 'tldts';
import {
  attributeOf,
  lineColumnAt,
  lineStartsOf,
  readForChecks,
  shownElements,
  snippetOf,
  type LocatedElement,
  type MessageUnderCheck,
  type TextRun,
} from '../source/index.ts';
import type { RulePlace, SpamInput } from './types.ts';

interface Words {
  part: 'html' | 'text' | 'subject';
  /** Readable text; what stands in different blocks is kept apart. */
  value: string;
  /** The place of characters of `value` in the part. */
  place(start: number, length: number): RulePlace;
}

export interface Link {
  href: string;
  /** Undefined for what is no absolute web address. */
  url: URL | undefined;
  /** Registrable domain: `example.co.uk`; empty for addresses and unknown suffixes. */
  domain: string;
  text: string;
  holdsImage: boolean;
  place(): RulePlace;
}

export interface Picture {
  src: string;
  alt: string | undefined;
  width: number | undefined;
  height: number | undefined;
  place(): RulePlace;
}

interface Sender {
  name: string;
  address: string;
  /** Lower case; empty when there is no address. */
  domain: string;
}

export interface MailReading {
  input: SpamInput;
  subject: string;
  hasHeaders: boolean;
  fields(name: string): string[];
  from: Sender;
  replyTo: Sender;
  /** The HTML, or undefined. */
  html: MessageUnderCheck | undefined;
  elements: LocatedElement[];
  /** Subject, visible text of the HTML, text part. */
  words: Words[];
  /** What readers see: the HTML's words, or the text part's where there is no HTML. */
  body: Words | undefined;
  hidden: TextRun[];
  links: Link[];
  pictures: Picture[];
  wordCount: number;
  headerPlace(name: string, snippet?: string): RulePlace;
  elementPlace(element: LocatedElement): RulePlace;
}

/** Rules read no further: more than any honest message has. */
const CHARACTERS_MAX = 300_000;
const LINKS_MAX = 25_000;

/** Reads a message. Never throws for what it holds. */
export function readMail(input: SpamInput): MailReading {
  const html = input.html?.trim() ? readForChecks({ html: input.html.slice(0, 4 * CHARACTERS_MAX) }) : undefined;
  const fieldsByName = Map.groupBy(input.headers ?? [], ({ name }) => name.toLowerCase());
  const fields = (name: string): string[] =>
    (fieldsByName.get(name) ?? []).map(({ value }) => value.replace(/\s+/g, ' ').trim());
  const subject =
    input.subject ??
    fieldsByName
      .get('subject')?.[0]
      ?.value.replace(/[\r\n]+/g, '')
      .trim() ??
    '';
  const words: Words[] = [wordsOfText('subject', subject)];
  const htmlWords = html && wordsOfHtml(html);
  const textWords = input.text?.trim() ? wordsOfText('text', input.text.slice(0, CHARACTERS_MAX)) : undefined;
  if (htmlWords) words.push(htmlWords);
  if (textWords) words.push(textWords);
  const body = htmlWords ?? textWords;
  const elements = html ? shownElements(html) : [];
  const elementPlace = (element: LocatedElement): RulePlace => ({ part: 'html', ...html!.placeOf(element) });
  return {
    input,
    subject,
    fields,
    words,
    body,
    html,
    elements,
    elementPlace,
    hasHeaders: input.headers !== undefined,
    from: senderOf(fields('from')[0]),
    replyTo: senderOf(fields('reply-to')[0]),
    hidden: html?.runs.filter(({ isHidden }) => isHidden) ?? [],
    links: [
      ...(html ? linksOfHtml(elements, elementPlace) : []),
      ...(html || !textWords ? [] : linksOfText(textWords)),
    ].slice(0, LINKS_MAX),
    pictures: elements.filter(({ node }) => node.tagName === 'img').map((element) => pictureOf(element, elementPlace)),
    wordCount: body?.value.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0,
    headerPlace: (name, snippet) => ({
      part: 'header',
      header: name,
      snippet: shorten(snippet ?? fields(name.toLowerCase())[0] ?? ''),
    }),
  };
}

function shorten(text: string, max = 120): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}

function wordsOfText(part: 'text' | 'subject', value: string): Words {
  let lines: number[] | undefined;
  return {
    part,
    value,
    place: (start, length) => ({
      part,
      ...lineColumnAt((lines ??= lineStartsOf(value)), start),
      offset: start,
      length,
      snippet: snippetOf(value, start, start + length),
    }),
  };
}

interface Piece {
  /** Where it starts in the joined text. */
  at: number;
  run: TextRun;
}

function wordsOfHtml(html: MessageUnderCheck): Words {
  const pieces: Piece[] = [];
  const parts: string[] = [];
  let length = 0;
  for (const run of html.runs) {
    if (run.isHidden || length > CHARACTERS_MAX) continue;
    // A sentence never goes on in another block.
    const glue = run.startsBlock && length ? '\n' : '';
    pieces.push({ at: length + glue.length, run });
    parts.push(glue, run.text);
    length += glue.length + run.text.length;
  }
  const value = parts.join('');
  return { part: 'html', value, place: (start, size) => placeInHtml(html, pieces, { value, start, size }) };
}

function placeInHtml(
  html: MessageUnderCheck,
  pieces: readonly Piece[],
  { value, start, size }: { value: string; start: number; size: number },
): RulePlace {
  const offset = offsetOf(html.html, pieces, start);
  const end = Math.max(offset + 1, offsetOf(html.html, pieces, start + size - 1) + 1);
  const piece = pieceAt(pieces, start);
  return {
    part: 'html',
    ...html.placeAt(offset, end, piece?.run.element),
    length: end - offset,
    snippet: shorten(value.slice(start, start + size)),
  };
}

function pieceAt(pieces: readonly Piece[], at: number): Piece | undefined {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pieces[middle]!.at <= at) low = middle;
    else high = middle - 1;
  }
  return pieces[low];
}

/** Offset in the source of a character of the joined text. */
function offsetOf(source: string, pieces: readonly Piece[], at: number): number {
  const piece = pieceAt(pieces, at);
  if (!piece) return 0;
  const { run } = piece;
  const delta = Math.max(0, at - piece.at);
  const written = source.slice(run.start, run.end);
  if (written === run.text) return run.start + delta;
  // Entities shift what follows: the character is found again by what stands before it.
  let [shown, index] = [0, 0];
  while (shown < delta && index < written.length) {
    const entity = written[index] === '&' ? /^&(?:#\w{1,8}|\w{2,32});?/.exec(written.slice(index, index + 40)) : null;
    const isLineBreak = written[index] === '\r' && written[index + 1] === '\n';
    index += entity?.[0].length ?? (isLineBreak ? 2 : 1);
    shown += entity && run.text.codePointAt(shown)! > 0xffff ? 2 : 1;
  }
  return Math.min(run.start + index, run.end - 1);
}

function textBelow(element: Tree.Element): string {
  const texts: string[] = [];
  const stack: Tree.Node[] = [...element.childNodes].reverse();
  for (let node = stack.pop(); node && texts.length < 200; node = stack.pop()) {
    if (node.nodeName === '#text') texts.push((node as Tree.TextNode).value);
    else if ('childNodes' in node) stack.push(...[...node.childNodes].reverse());
  }
  return texts.join('').replace(/\s+/g, ' ').trim();
}

function holdsImage(element: Tree.Element): boolean {
  const stack: Tree.Node[] = [...element.childNodes];
  for (let node = stack.pop(), count = 0; node && count < 500; node = stack.pop(), count++) {
    if (node.nodeName === 'img') return true;
    if ('childNodes' in node) stack.push(...node.childNodes);
  }
  return false;
}

function linksOfHtml(elements: readonly LocatedElement[], placeOf: (element: LocatedElement) => RulePlace): Link[] {
  return elements
    .filter(({ node }) => node.tagName === 'a' || node.tagName === 'area')
    .flatMap((element) => {
      const href = attributeOf(element.node, 'href')?.trim();
      if (!href) return [];
      return [
        {
          href,
          ...targetOf(href),
          text: textBelow(element.node),
          holdsImage: holdsImage(element.node),
          place: () => placeOf(element),
        },
      ];
    });
}

function linksOfText(words: Words): Link[] {
  return [...words.value.matchAll(/\bhttps?:\/\/[^\s<>"')\]]{1,2000}/gi)].map(({ 0: href, index }) => ({
    href,
    ...targetOf(href),
    text: href,
    holdsImage: false,
    place: () => words.place(index, href.length),
  }));
}

function targetOf(href: string): Pick<Link, 'url' | 'domain'> {
  const url = /^https?:/i.test(href) && URL.canParse(href) ? new URL(href) : undefined;
  return { url, domain: url ? domainOf(url.hostname) : '' };
}

/** Registrable domain of a host name, empty where there is none. */
export function domainOf(host: string): string {
  return parseDomain(host, { allowPrivateDomains: false }).domain ?? '';
}

function pictureOf(element: LocatedElement, placeOf: (element: LocatedElement) => RulePlace): Picture {
  const { node } = element;
  const style = attributeOf(node, 'style') ?? '';
  const size = (name: 'width' | 'height'): number | undefined => {
    const text =
      new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*(\\d+)px`, 'i').exec(style)?.[1] ??
      /^\s*(\d+)(?:px)?\s*$/.exec(attributeOf(node, name) ?? '')?.[1];
    return text === undefined ? undefined : Number(text);
  };
  return {
    src: attributeOf(node, 'src')?.trim() ?? '',
    alt: attributeOf(node, 'alt'),
    width: size('width'),
    height: size('height'),
    place: () => placeOf(element),
  };
}

function senderOf(value = ''): Sender {
  const address = /<([^<>\s]*@[^<>\s]*)>/.exec(value)?.[1] ?? /[^\s<>"',;]+@[^\s<>"',;]+/.exec(value)?.[0] ?? '';
  const name = value.replace(/<[^<>]*>/g, '').replace(/^[\s"']+|[\s"']+$/g, '');
  return {
    name: name === address ? '' : name,
    address,
    domain: address
      .slice(address.lastIndexOf('@') + 1)
      .toLowerCase()
      .replace(/[>.]+$/, ''),
  };
}
