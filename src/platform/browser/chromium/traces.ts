// What a document would leave to the next one that is set into the same page, and how large photographs were drawn.
//
// `Page.setDocumentContent` opens the frame's document anew: elements, styles, fonts and scroll positions go with the
// old content, but what its `<meta>` elements said to the frame stays in force. And the browser scales a JPEG from the
// largest copy that it has decoded, where a fresh page would have decoded a smaller one: pixels differ by up to 5/255.
// Styles that were read in quirks mode are kept as they were read, and count for equal text in standards mode, too.
import type { CDPSession } from 'puppeteer-core';
import { SETTLE } from './settle.ts';

/** What a settled document says of itself. */
export interface Traces {
  /** It has told the frame something that stays in force. */
  staysInForce: boolean;
  photographs: Photograph[];
  /** `CSS1Compat`, or in quirks mode `BackCompat`. */
  mode: string;
  /** What a document that is wider than its viewport is shrunk by, where that is asked for. */
  shrink: number;
}

/** One place where a JPEG is drawn. */
type Photograph =
  /** As an `<img>`: the share of its natural size, the least and the most that it may be. */
  | { url: string; least: number; most: number }
  /** In any other way, in a box of so many device pixels. */
  | { url: string; way: string; width: number; height: number };

/** Of `<meta http-equiv>`, what says nothing to the frame; a policy, a language or a default style stays in force. */
const HARMLESS_EQUIVALENTS = ['content-type', 'x-ua-compatible', ''];
/** Of `<meta name>`, what does; the color scheme, too, which LEAVE takes back. */
const LASTING_NAMES = ['referrer', 'supports-reduced-motion', 'text-scale', 'responsive-embedded-sizing'];

/**
 * Runs in the page, like SETTLE. `photographs` names the JPEGs that the page was given. Only where one of them is not
 * in an `<img>`, every element is asked for the pictures of its styles (not for those of a first line or letter, which
 * are as good as never photographs).
 */
const TRACES = `(photographs) => {
  const get = (prototype, name) => (object) => Object.getOwnPropertyDescriptor(prototype, name).get.call(object);
  const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
  const all = (selector) => Array.from(Document.prototype.querySelectorAll.call(document, selector));
  const box = (element) => Element.prototype.getBoundingClientRect.call(element);
  const [source, naturalWidth, naturalHeight] = ['currentSrc', 'naturalWidth', 'naturalHeight']
    .map((name) => get(HTMLImageElement.prototype, name));
  const staysInForce = all('meta').some((meta) => {
    const equivalent = attribute(meta, 'http-equiv');
    const name = (attribute(meta, 'name') || '').trim().toLowerCase();
    return (equivalent !== null && !${JSON.stringify(HARMLESS_EQUIVALENTS)}.includes(equivalent.trim().toLowerCase()))
      || ${JSON.stringify(LASTING_NAMES)}.includes(name);
  }) || all('style[title], link[title]').length > 0; // the first title of a frame is the one of its preferred styles
  const found = [];
  const wanted = new Set(photographs);
  const rest = new Set(photographs);
  for (const image of wanted.size === 0 ? [] : all('img')) {
    if (!(image instanceof HTMLImageElement)) continue;
    const url = source(image).split('#', 1)[0];
    const { width, height } = box(image);
    if (!wanted.has(url) || !(width > 0) || !(height > 0) || !naturalWidth(image)) continue;
    rest.delete(url);
    const [x, y] = [width, height].map((size) => size * devicePixelRatio);
    const shares = [x / naturalWidth(image), y / naturalHeight(image)];
    const isFilled = getComputedStyle(image).objectFit === 'fill';
    found.push({ url, least: isFilled ? Math.max(...shares) : Math.min(...shares), most: Math.max(...shares) });
  }
  if (rest.size > 0) {
    const note = (url, way, element) => {
      const { width, height } = box(element);
      found.push({ url, way, width: width * devicePixelRatio, height: height * devicePixelRatio });
    };
    for (const element of all('*')) {
      for (const pseudo of [null, '::before', '::after']) {
        const style = getComputedStyle(element, pseudo);
        const pictures = [style.backgroundImage, style.borderImageSource, style.listStyleImage, style.content,
          style.maskImage, style.cursor].join(' ');
        if (!pictures.includes('url(')) continue;
        for (const url of wanted) {
          if (pictures.includes(url)) note(url, pseudo + ' ' + style.backgroundSize + ' ' + style.borderImage, element);
        }
      }
      if (element instanceof SVGImageElement || element instanceof HTMLInputElement ||
          element instanceof HTMLVideoElement) {
        for (const url of wanted) note(url, 'element', element);
      }
    }
  }
  const root = get(Document.prototype, 'scrollingElement')(document);
  const wide = root ? get(Element.prototype, 'scrollWidth')(root) : 0;
  const mode = get(Document.prototype, 'compatMode')(document);
  return { staysInForce, photographs: found, mode, shrink: Math.min(1, innerWidth / Math.max(1, wide)) };
}`;

/**
 * Runs before the next content is set. The color scheme of a `<meta>` and the link colors of a `<body>` stay in force
 * unless they are taken out; and a page without elements changes its size for nothing.
 */
const LEAVE = `(() => {
  const all = (selector) => Array.from(Document.prototype.querySelectorAll.call(document, selector));
  for (const meta of all('meta')) Element.prototype.remove.call(meta);
  for (const body of all('body')) {
    for (const name of ['link', 'vlink', 'alink']) Element.prototype.removeAttribute.call(body, name);
  }
  for (const root of all(':root')) Element.prototype.remove.call(root);
})()`;

/** Brings the document to rest. */
export async function settle(session: CDPSession): Promise<void> {
  await session.send('Runtime.evaluate', { expression: SETTLE, awaitPromise: true });
}

/** Brings the document to rest and reads its traces. */
export async function settleWithTraces(session: CDPSession, photographs: Iterable<string>): Promise<Traces> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: `${SETTLE.trim()}.then(() => (${TRACES})(${JSON.stringify([...photographs])}))`,
    awaitPromise: true,
    returnByValue: true,
  });
  // A document that can't be read is drawn all the same, and leaves who knows what.
  return exceptionDetails ? { staysInForce: true, photographs: [], mode: '', shrink: 1 } : (result.value as Traces);
}

/** Takes the content out. Not to be waited for: what is sent next comes after it. */
export async function leave(session: CDPSession): Promise<void> {
  await session.send('Runtime.evaluate', { expression: LEAVE });
}

/** The largest decoding of each JPEG that a page has. */
export interface Decoded {
  /** Whether one of them would be scaled from a larger decoding than a fresh page has. */
  isLargerThan(traces: Traces): boolean;
  note(traces: Traces): void;
}

/** JPEGs are decoded at an eighth, a quarter, half or all of their size: the least that is not less than what is drawn. */
function stepOf(share: number): number {
  return [1 / 8, 1 / 4, 1 / 2].find((step) => share <= step) ?? 1;
}

interface Largest {
  step: number;
  /** By the way that it is drawn. */
  boxes: Map<string, { width: number; height: number }>;
}

/** Nothing yet. */
export function nothingDecoded(): Decoded {
  const largest = new Map<string, Largest>();
  const isSmaller = (one: Photograph, shrink: number): boolean => {
    const before = largest.get(one.url);
    if (before === undefined) return false;
    if ('least' in one) return before.boxes.size > 0 || stepOf(one.least * shrink) < before.step;
    const box = before.boxes.get(one.way);
    // Which of two ways decodes more is not known.
    if (box === undefined || before.boxes.size > 1 || before.step > 0) return true;
    return one.width * shrink < box.width || one.height * shrink < box.height;
  };
  return {
    isLargerThan: ({ photographs, shrink }) => photographs.some((one) => isSmaller(one, shrink)),
    note({ photographs }) {
      for (const one of photographs) {
        const known = largest.get(one.url) ?? { step: 0, boxes: new Map() };
        largest.set(one.url, known);
        if ('most' in one) {
          known.step = Math.max(known.step, stepOf(one.most));
          continue;
        }
        const { width = 0, height = 0 } = known.boxes.get(one.way) ?? {};
        known.boxes.set(one.way, { width: Math.max(width, one.width), height: Math.max(height, one.height) });
      }
    },
  };
}
