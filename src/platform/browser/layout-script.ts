// What a loaded document shows to an eye that looks for faults: a script that runs in the page, beside the picture.

/** Bounds of what one measure walks over and answers. */
const LAYOUT_BOUNDS = { texts: 4_000, lines: 8_000, clips: 20, suspects: 120, places: 40 } as const;

/**
 * Runs in the page (by the protocol; the page's own scripts are off) and takes everything from the prototypes, because a
 * document can hide its own properties behind names of elements. Sizes and places are CSS pixels from the document's
 * top left corner. What it walks over is counted: it says when there was more.
 *
 * Text that nobody is meant to see (a hidden preheader: no size, no opacity, clipped to nothing) counts for nothing.
 */
export const LAYOUT = `((doc) => {
  const BOUNDS = ${JSON.stringify(LAYOUT_BOUNDS)};
  const getter = (prototype, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    return (object) => get.call(object);
  };
  const parentOf = getter(Node.prototype, 'parentElement');
  const dataOf = getter(CharacterData.prototype, 'data');
  const nameOf = getter(Element.prototype, 'localName');
  const idOf = getter(Element.prototype, 'id');
  const previousOf = getter(Element.prototype, 'previousElementSibling');
  const scrollWidthOf = getter(Element.prototype, 'scrollWidth');
  const root = getter(Document.prototype, 'documentElement')(doc);
  const scroller = getter(Document.prototype, 'scrollingElement')(doc);
  const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
  const all = (selector) => Array.from(Document.prototype.querySelectorAll.call(doc, selector));
  const view = { x: scrollX, y: scrollY, width: innerWidth };
  const round = (value) => Math.round(value * 10) / 10;
  const placed = ({ left, top, right, bottom }) =>
    ({ left: left + view.x, top: top + view.y, right: right + view.x, bottom: bottom + view.y });
  const boxOf = (element) => placed(Element.prototype.getBoundingClientRect.call(element));
  const asList = ({ left, top, right, bottom }) => [left, top, right - left, bottom - top].map(round);
  const selectorOf = (element) => {
    const parts = [];
    for (let one = element; one && parts.length < 5; one = parentOf(one)) {
      const id = idOf(one);
      if (/^[a-z][\\w-]{0,40}$/i.test(id)) { parts.unshift('#' + id); break; }
      let nth = 1;
      const name = nameOf(one).slice(0, 30);
      for (let before = previousOf(one); before && nth < 1000; before = previousOf(before))
        if (nameOf(before) === nameOf(one)) nth += 1;
      parts.unshift(nth > 1 ? name + ':nth-of-type(' + nth + ')' : name);
      if (name === 'body') break;
    }
    return parts.join(' > ').slice(0, 300);
  };
  const colorOf = (text) => {
    const found = /^rgba?\\(([\\d.]+), ([\\d.]+), ([\\d.]+)(?:, ([\\d.]+))?\\)$/.exec(text);
    return found ? [+found[1], +found[2], +found[3], found[4] === undefined ? 1 : +found[4]] : undefined;
  };
  const over = (front, behind) =>
    behind && [0, 1, 2].map((n) => front[n] * front[3] + behind[n] * (1 - front[3])).concat(1);

  // ---- What holds of an element and all that is in it
  const known = new Map();
  const plain = { opacity: 1, isHidden: false, clips: [], behind: undefined, isUncertain: false, fixed: false };
  const ofElement = (element, style, above) => {
    const own = { ...above };
    own.opacity *= Number(style.opacity);
    if (own.opacity < 0.1) own.isHidden = true;
    const background = colorOf(style.backgroundColor);
    if (!background) { own.behind = undefined; own.isUncertain = true; }
    else if (background[3] > 0) {
      own.behind = background[3] === 1 ? background : over(background, own.behind);
      if (background[3] === 1) own.isUncertain = false;
    }
    if (style.backgroundImage !== 'none') own.isUncertain = true;
    if (style.position === 'absolute' || style.position === 'fixed' || style.transform !== 'none' ||
        style.filter !== 'none' || style.mixBlendMode !== 'normal' || parseFloat(style.marginTop) < 0)
      own.isUncertain = true;
    const isRoot = nameOf(element) === 'html' || nameOf(element) === 'body';
    const cuts = (value) => value === 'hidden' || value === 'clip';
    const box = !isRoot && (cuts(style.overflowX) || cuts(style.overflowY)) && boxOf(element);
    if (box) {
      if (box.right - box.left < 2 || box.bottom - box.top < 2) own.isHidden = true;
      const isMeant = style.textOverflow === 'ellipsis' || style.webkitLineClamp > 0 || style.clip !== 'auto';
      own.clips = [...own.clips.slice(1 - BOUNDS.clips), { element, box, x: cuts(style.overflowX), y: cuts(style.overflowY), isMeant,
        seen: 0, lost: [] }];
    }
    if (style.clip && /rect\\(0px,? 0px,? 0px,? 0px\\)|rect\\(1px,? 1px,? 1px,? 1px\\)/.test(style.clip)) own.isHidden = true;
    return own;
  };
  const about = (element) => {
    const path = [];
    let at = element;
    for (; at && !known.has(at); at = parentOf(at)) path.push(at);
    let info = at ? known.get(at) : plain;
    for (const one of path.reverse()) {
      info = ofElement(one, getComputedStyle(one), info);
      known.set(one, info);
    }
    return info;
  };

  // ---- Texts
  const luminance = (color) => {
    const [r, g, b] = color.slice(0, 3).map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrastOf = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const styles = new Map();
  const textStyle = (element) => {
    let style = styles.get(element);
    if (!style) {
      const computed = getComputedStyle(element);
      style = {
        color: colorOf(computed.webkitTextFillColor || computed.color),
        size: parseFloat(computed.fontSize),
        isShown: computed.visibility === 'visible',
        hasShadow: computed.textShadow !== 'none',
      };
      styles.set(element, style);
    }
    return style;
  };
  const texts = [];
  const suspects = [];
  let isComplete = true;
  let counted = 0;
  let lineCount = 0;
  const range = Document.prototype.createRange.call(doc);
  const walker = Document.prototype.createTreeWalker.call(doc, root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = dataOf(node);
    if (!/[\\p{L}\\p{N}]/u.test(text)) continue;
    counted += 1;
    if (counted > BOUNDS.texts || lineCount > BOUNDS.lines) { isComplete = false; break; }
    const element = parentOf(node);
    const style = textStyle(element);
    const info = about(element);
    if (!style.isShown || info.isHidden || style.size < 6 || (style.color && style.color[3] < 0.1)) continue;
    range.selectNodeContents(node);
    const boxes = [];
    for (const rect of range.getClientRects()) {
      if (rect.width < 2 || rect.height < 4) continue;
      const box = placed(rect);
      if (box.right <= 0 || box.bottom <= 0) continue; // moved out of the page, as preheaders are
      let isSeen = true;
      for (const clip of info.clips) {
        const high = Math.min(box.bottom, clip.box.bottom) - Math.max(box.top, clip.box.top);
        const wide = Math.min(box.right, clip.box.right) - Math.max(box.left, clip.box.left);
        const isOut = (clip.y && high < 1) || (clip.x && wide < 1);
        const isPart = (clip.y && high < 0.6 * rect.height) ||
          (clip.x && rect.width - wide > Math.max(6, 0.4 * style.size) && wide < rect.width - 6);
        if (isOut || isPart) clip.lost.push({ text, box: { ...box } });
        if (isOut) isSeen = false;
        else clip.seen += 1;
      }
      for (const { box: frame, x, y } of info.clips) {
        if (y) [box.top, box.bottom] = [Math.max(box.top, frame.top), Math.min(box.bottom, frame.bottom)];
        if (x) [box.left, box.right] = [Math.max(box.left, frame.left), Math.min(box.right, frame.right)];
      }
      if (isSeen && box.bottom - box.top > 2) boxes.push(box);
      if (boxes.length > 40) break;
    }
    lineCount += boxes.length;
    if (boxes.length === 0) continue;
    const front = style.color && info.behind ? over([...style.color.slice(0, 3), style.color[3] * info.opacity], info.behind)
      : style.color;
    const isClear = front && info.behind && !info.isUncertain && contrastOf(front, info.behind) >= 3.2;
    const shown = { text: text.trim().replace(/\\s+/g, ' ').slice(0, 80), element, boxes, size: style.size };
    texts.push(shown);
    if (!isClear && suspects.length < BOUNDS.suspects)
      suspects.push({ ...shown, front: style.color && info.opacity > 0.95 && style.color[3] === 1 ? style.color : front });
  }
  const told = ({ text, element }) => ({ text, selector: selectorOf(element) });

  // ---- Texts that lie over each other
  const lines = texts.flatMap((text) => text.boxes.map((box) => ({ ...text, box }))).sort((a, b) => a.box.top - b.box.top);
  const overlaps = [];
  let open = [];
  for (const line of lines) {
    if (overlaps.length >= BOUNDS.places) break;
    open = open.filter(({ box }) => box.bottom > line.box.top);
    for (const other of open) {
      if (other.element === line.element) continue;
      const high = Math.min(other.box.bottom, line.box.bottom) - line.box.top;
      const wide = Math.min(other.box.right, line.box.right) - Math.max(other.box.left, line.box.left);
      const least = Math.min(other.box.bottom - other.box.top, line.box.bottom - line.box.top);
      if (high < 0.55 * least || wide < Math.max(4, 0.5 * least)) continue;
      overlaps.push({ ...told(line), other: other.text, box: asList({
        left: Math.max(other.box.left, line.box.left), right: Math.min(other.box.right, line.box.right),
        top: line.box.top, bottom: Math.min(other.box.bottom, line.box.bottom) }) });
      break;
    }
    open.push(line);
    if (open.length > 200) open.shift();
  }

  // ---- Texts that are cut off
  const clips = new Set([...known.values()].flatMap((info) => info.clips));
  const cuts = [];
  for (const { seen, lost, isMeant, element } of clips) {
    if (isMeant || seen === 0 || lost.length === 0 || cuts.length >= BOUNDS.places) continue;
    const [first] = lost;
    cuts.push({ text: first.text.trim().replace(/\\s+/g, ' ').slice(0, 80), selector: selectorOf(element),
      lines: lost.length, box: asList(first.box) });
  }

  // ---- Images
  const source = getter(HTMLImageElement.prototype, 'currentSrc');
  const [naturalWidth, naturalHeight, isDone] = ['naturalWidth', 'naturalHeight', 'complete']
    .map((name) => getter(HTMLImageElement.prototype, name));
  const images = [];
  for (const image of all('img').slice(0, 500)) {
    if (images.length >= BOUNDS.places) break;
    if (!(image instanceof HTMLImageElement) || !(attribute(image, 'src') || attribute(image, 'srcset'))) continue;
    const style = getComputedStyle(image);
    const box = boxOf(image);
    const [width, height] = [box.right - box.left, box.bottom - box.top];
    if (style.display === 'none' || style.visibility !== 'visible' || about(image).isHidden) continue;
    const alt = (attribute(image, 'alt') || '').slice(0, 80);
    const place = { selector: selectorOf(image), url: (source(image) || attribute(image, 'src') || '').slice(0, 200), alt,
      box: asList(box) };
    const natural = [naturalWidth(image), naturalHeight(image)];
    if (!isDone(image) || natural[0] === 0) {
      if ((width > 3 && height > 3) || (alt && Number(attribute(image, 'width') || 9) > 2))
        images.push({ ...place, fault: 'missing' });
      continue;
    }
    const inner = [
      width - ['paddingLeft', 'paddingRight', 'borderLeftWidth', 'borderRightWidth'].reduce((sum, one) => sum + parseFloat(style[one]), 0),
      height - ['paddingTop', 'paddingBottom', 'borderTopWidth', 'borderBottomWidth'].reduce((sum, one) => sum + parseFloat(style[one]), 0),
    ];
    if (style.objectFit !== 'fill' || Math.min(...natural, ...inner) < 16) continue;
    const share = inner[0] / inner[1] / (natural[0] / natural[1]);
    const off = Math.abs(inner[1] - inner[0] * natural[1] / natural[0]);
    if (Math.abs(Math.log(share)) > 0.08 && off > 4)
      images.push({ ...place, fault: 'stretched', natural, shown: inner.map(round) });
  }

  // ---- Wider than the screen
  const width = Math.max(...[root, scroller].filter(Boolean).map(scrollWidthOf));
  let widest;
  if (width > view.width + 1) {
    let least = Infinity;
    for (const element of all('table,td,img,div,pre,p,h1,h2,h3,a,span').slice(0, 3000)) {
      const { left, right } = boxOf(element);
      // The smallest one that reaches so far is the cause, not those that it widens.
      if (right >= width - 2 && right - left > 0 && right - left < least) {
        least = right - left;
        widest = { selector: selectorOf(element), width: round(least) };
      }
    }
  }
  return {
    isComplete, width, viewportWidth: view.width, widest, overlaps, cuts, images,
    suspects: suspects.map((one) => ({ ...told(one), boxes: one.boxes.slice(0, 4).map(asList), size: one.size, color: one.front })),
  };
})(document)`;
