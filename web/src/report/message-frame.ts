// A message as a document that may be shown: nothing in it runs, loads from its sender, or leads away.
import { MARK, markSource } from './place-marks.ts';
import type { Place } from './report-api.ts';

/** Files that the image check keeps lie here; nothing else may be loaded. */
const FILES_PATH = '/files/images/';

/** Elements that load, run, submit or redirect, and mean nothing for how a message looks. */
const TAKEN_OUT = 'script, iframe, frame, frameset, object, embed, applet, portal, base, link, audio, video, meta[http-equiv]';

const SHEET = `
[${MARK}] { cursor: pointer; }
[data-galley-on] { outline: 3px solid #d2391b !important; outline-offset: 2px !important; box-shadow: 0 0 0 2px #fff, 0 0 0 6px rgb(210 57 27 / 28%) !important; }
`;

function policy(origin: string): string {
  return `default-src 'none'; style-src 'unsafe-inline'; img-src data: ${origin}${FILES_PATH}; font-src data:; form-action 'none'; base-uri 'none'`;
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
  for (const element of parsed.querySelectorAll(TAKEN_OUT)) element.remove();
  markBySelector(parsed, places);
  const pictureAt = (url: string): string | undefined => pictures?.get(url.trim()) ?? (pictures && /^data:image\//i.test(url) ? url : undefined);
  for (const element of parsed.querySelectorAll('*')) clean(element, pictureAt);
  for (const style of parsed.querySelectorAll('style')) style.textContent = withPictures(style.textContent, pictureAt);
  const meta = parsed.createElement('meta');
  meta.httpEquiv = 'Content-Security-Policy';
  meta.content = policy(origin);
  const sheet = parsed.createElement('style');
  sheet.textContent = SHEET;
  parsed.head.prepend(meta);
  parsed.head.append(sheet);
  const doctype = parsed.doctype ? new XMLSerializer().serializeToString(parsed.doctype) : '';
  return `${doctype}${parsed.documentElement.outerHTML}`;
}

/** The browser complains of each handler that it would not run, even in a document that nothing runs in. */
function withoutHandlers(source: string): string {
  return source.replaceAll(/<[a-z][^>]*>/gi, (tag) => tag.replaceAll(/([\s"'/])on[a-z]+(\s*=)/gi, '$1data-handler$2'));
}

/** Places without line and column have a selector at best. */
function markBySelector(parsed: Document, places: readonly (Place | undefined)[]): void {
  const marked = new Set([...parsed.querySelectorAll(`[${MARK}]`)].flatMap((element) => element.getAttribute(MARK)!.split(' ')));
  places.forEach((place, number) => {
    if (!place?.selector || marked.has(String(number))) return;
    const element = find(parsed, place.selector);
    element?.setAttribute(MARK, `${element.getAttribute(MARK) ?? ''} ${number}`.trim());
  });
}

function find(parsed: Document, selector: string): Element | null {
  try {
    return parsed.querySelector(selector);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

function clean(element: Element, pictureAt: (url: string) => string | undefined): void {
  for (const name of element.getAttributeNames()) if (/^on|^(?:srcset|ping|target|autofocus|accesskey|formaction|action|poster|lowsrc|dynsrc)$/i.test(name)) element.removeAttribute(name);
  for (const name of ['src', 'background', 'xlink:href']) {
    const url = element.getAttribute(name);
    if (url === null) continue;
    const picture = pictureAt(url);
    if (picture === undefined) element.removeAttribute(name);
    else element.setAttribute(name, picture);
  }
  const style = element.getAttribute('style');
  if (style && /url\(/i.test(style)) element.setAttribute('style', withPictures(style, pictureAt));
}

function withPictures(css: string, pictureAt: (url: string) => string | undefined): string {
  return css.replaceAll(/url\(\s*(["']?)(.*?)\1\s*\)/gi, (_, _quote: string, url: string) => {
    const picture = pictureAt(url);
    return picture === undefined ? 'none' : `url("${picture}")`;
  });
}
