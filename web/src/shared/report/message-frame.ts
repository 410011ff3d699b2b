// A message as a document that may be shown: nothing in it runs, loads from its sender, or leads away.
import { MARK, markSource } from './place-marks.ts';
import type { Place } from './report-api.ts';
import {
  all,
  attributeNamesOf,
  attributeOf,
  doctypeOf,
  outerHtmlOf,
  remove,
  removeAttribute,
  setAttribute,
} from './unshadowed.ts';

/** Files that the image check keeps lie here; nothing else may be loaded. */
const FILES_PATH = '/files/images/';

/** Elements that load, run, submit or redirect, and mean nothing for how a message looks. */
const TAKEN_OUT =
  'script, iframe, frame, frameset, object, embed, applet, portal, base, link, audio, video, meta[http-equiv]';

const SHEET = `
[${MARK}] { cursor: pointer; }
[data-galley-on] { outline: 3px solid #d2391b !important; outline-offset: 2px !important; box-shadow: 0 0 0 2px #fff, 0 0 0 6px rgb(210 57 27 / 28%) !important; }
`;

function policy(origin: string): string {
  return (
    `default-src 'none'; style-src 'unsafe-inline'; img-src data: ${origin}${FILES_PATH}; font-src data:; ` +
    "form-action 'none'; base-uri 'none'"
  );
}

interface FrameOptions {
  /** What the numbers in the marks stand for. */
  places: readonly (Place | undefined)[];
  /** Stored copies, as paths, by address as written; undefined shows no pictures at all. */
  pictures: ReadonlyMap<string, string> | undefined;
  origin: string;
}

/** The document for `srcdoc`. */
export function frameDocument(source: string, { places, pictures, origin }: FrameOptions): string {
  const parsed = new DOMParser().parseFromString(withoutHandlers(markSource(source, places)), 'text/html');
  for (const element of all(parsed, TAKEN_OUT)) remove(element);
  markBySelector(parsed, places);
  const pictureAt = (url: string): string | undefined =>
    pictures?.get(url.trim()) ?? (pictures && /^data:image\//i.test(url) ? url : undefined);
  for (const element of all(parsed, '*')) clean(element, pictureAt);
  for (const style of all(parsed, 'style')) style.textContent = withPictures(style.textContent, pictureAt);
  const meta = document.createElement('meta');
  meta.httpEquiv = 'Content-Security-Policy';
  meta.content = policy(origin);
  const sheet = document.createElement('style');
  sheet.textContent = SHEET;
  // Until the page listens for clicks, a link would open in a new window, which the sandbox of the frame forbids; in the
  // frame itself it would end the picture.
  const base = document.createElement('base');
  base.target = '_blank';
  // The parser makes both of every text, each once.
  const [root, head] = all(parsed, ':root, :root > head') as [HTMLElement, HTMLElement];
  head.prepend(meta, base);
  head.append(sheet);
  const doctype = doctypeOf(parsed);
  return `${doctype ? new XMLSerializer().serializeToString(doctype) : ''}${outerHtmlOf(root)}`;
}

/** The browser complains of each handler that it would not run, even in a document that nothing runs in. */
function withoutHandlers(source: string): string {
  return source.replaceAll(/<[a-z][^>]*>/gi, (tag) => tag.replaceAll(/([\s"'/])on[a-z]+(\s*=)/gi, '$1data-handler$2'));
}

/** Places without line and column have a selector at best. */
function markBySelector(parsed: Document, places: readonly (Place | undefined)[]): void {
  const marked = new Set(all(parsed, `[${MARK}]`).flatMap((element) => attributeOf(element, MARK)!.split(' ')));
  places.forEach((place, number) => {
    if (!place?.selector || marked.has(String(number))) return;
    const element = find(parsed, place.selector);
    if (element) setAttribute(element, { name: MARK, value: `${attributeOf(element, MARK) ?? ''} ${number}`.trim() });
  });
}

function find(parsed: Document, selector: string): Element | undefined {
  try {
    return all(parsed, selector)[0];
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

const REFUSED_ATTRIBUTES = /^on|^(?:srcset|ping|target|autofocus|accesskey|formaction|action|poster|lowsrc|dynsrc)$/i;

function clean(element: Element, pictureAt: (url: string) => string | undefined): void {
  for (const name of attributeNamesOf(element)) if (REFUSED_ATTRIBUTES.test(name)) removeAttribute(element, name);
  for (const name of ['src', 'background', 'xlink:href']) {
    const url = attributeOf(element, name);
    if (url === null) continue;
    const picture = pictureAt(url);
    if (picture === undefined) removeAttribute(element, name);
    else setAttribute(element, { name, value: picture });
  }
  const style = attributeOf(element, 'style');
  if (style && /url\(/i.test(style)) setAttribute(element, { name: 'style', value: withPictures(style, pictureAt) });
}

function withPictures(css: string, pictureAt: (url: string) => string | undefined): string {
  return css.replaceAll(/url\(\s*(["']?)(.*?)\1\s*\)/gi, (_, _quote: string, url: string) => {
    const picture = pictureAt(url);
    return picture === undefined ? 'none' : `url("${picture}")`;
  });
}
