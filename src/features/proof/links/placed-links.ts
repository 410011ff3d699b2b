// The links that a test is about, each at its place, out of what the request gave.
import {
  findLinks,
  findTextLinks,
  looksLikeUnsubscribe,
  unsubscribeUrls,
  type FoundLink,
  type LinksOfMessage,
  type LinkSubject,
} from '../../../engines/links/index.ts';
import { readMessage, type CheckedMessage, type StoredSource } from '../_message/index.ts';

/** A list of addresses, with their places where the caller knows them. */
export interface LinkList {
  kind: 'links';
  links: GivenLink[];
  userAgent: string | null;
}

export interface GivenLink {
  url: string;
  line?: number;
  column?: number;
  selector?: string;
  absolute_index?: number;
  text?: string;
}

export type LinkInput = StoredSource | LinkList;

export interface PlacedLinks {
  links: LinkSubject[];
  /** Whether the message has more links than are checked. */
  isCut: boolean;
}

/** Addresses of List-Unsubscribe fields. */
export const LISTED_MAX = 10;

export async function placeLinks(input: LinkInput): Promise<PlacedLinks> {
  if (input.kind === 'links') return { links: input.links.map(ofList), isCut: false };
  return ofMessage(await readMessage(input));
}

function ofList({ url, text, absolute_index: offset, ...place }: GivenLink): LinkSubject {
  const where = { ...place, ...(offset !== undefined && { offset }) };
  return {
    url,
    ...(text !== undefined && { text }),
    ...(Object.keys(where).length > 0 && { place: where }),
    ...(looksLikeUnsubscribe({ url, text }) && { isUnsubscribe: true }),
  };
}

function ofMessage(message: CheckedMessage): PlacedLinks {
  const found = message.html === '' ? findTextLinks(message.text ?? '') : findLinks(message.read, message.baseUrl);
  const listed = message.headerList
    .filter(({ name }) => name.toLowerCase() === 'list-unsubscribe')
    .flatMap(({ value }) => unsubscribeUrls(value))
    .slice(0, LISTED_MAX);
  const known = new Set(found.links.map(({ target }) => target));
  const links = found.links.map((link) => subjectOf(link, found, listed));
  // Links of the header have no place in the HTML.
  return {
    links: [...links, ...listed.filter((url) => !known.has(url)).map((url) => ({ url, isUnsubscribe: true }))],
    isCut: found.isCut,
  };
}

/** Kinds of links that need a text: a form has it on its button, a shape in the text next to it. */
const SPEAKING = new Set<FoundLink['kind']>(['a', 'area', 'text']);

function subjectOf(link: FoundLink, { anchors }: LinksOfMessage, listed: readonly string[]): LinkSubject {
  const { url, target, completedBy, text, line, column, offset, selector, snippet, isImageOnly, kind } = link;
  const isUnsubscribe = listed.includes(target) || looksLikeUnsubscribe({ url: target, text });
  return {
    url: target,
    isImageOnly,
    ...(completedBy && { relative: { written: url, completedBy } }),
    ...((text !== '' || SPEAKING.has(kind)) && { text }),
    place: { line, column, offset, snippet, ...(selector !== undefined && { selector }) },
    ...(target.startsWith('#') && { isAnchorThere: isPlace(target.slice(1), anchors) }),
    ...(isUnsubscribe && { isUnsubscribe }),
  };
}

function isPlace(fragment: string, anchors: ReadonlySet<string>): boolean {
  if (fragment === '' || fragment.toLowerCase() === 'top' || anchors.has(fragment)) return true;
  try {
    return anchors.has(decodeURIComponent(fragment));
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}
