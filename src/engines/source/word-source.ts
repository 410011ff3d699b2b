// Office's own markup in the source text: `<xml>` settings, VML tags, web fonts. Read while conditional comments are
// resolved, because an HTML parser loses or misplaces all of it.

/** What is met on the way through one message. */
export interface OfficeFacts {
  /** Conditional comments that a line break or a wrong end made void. */
  brokenConditions: number;
  /** Text of `<o:PixelsPerInch>`; 96 makes Word scale the whole message alike on a 120-dpi display. */
  pixelsPerInch: string | undefined;
  /** Family, lower case -> what its `@font-face` says to use instead. */
  webFonts: Map<string, WebFont>;
  /** Open VML shapes and text boxes. */
  shapeDepth: number;
  textboxDepth: number;
}

export interface WebFont {
  family: string;
  /** `mso-generic-font-family`: swiss, roman, modern, script, decorative. */
  generic: string;
  /** `mso-font-alt`. */
  alternative: string;
}

const WEB_FONTS_MAX = 32;

/** Blocks that carry settings, never content. */
const OFFICE_BLOCKS = new Set([
  'xml',
  'o:officedocumentsettings',
  'o:documentproperties',
  'o:customdocumentproperties',
  'o:shapedefaults',
  'o:shapelayout',
  'w:worddocument',
  'w:latentstyles',
  'm:mathpr',
]);

/** An office block without an end tag stops at the end of its comment, the head, or the start of the body. */
const BLOCK_END = /<\/([a-z:]+)\s*>|<!\[endif\]|<body[\s>]/gi;

/** Whether an element, by its lower-case name, holds settings. */
export function isOfficeBlock(name: string): boolean {
  return OFFICE_BLOCKS.has(name);
}

/** The offset after a settings block whose start tag ends at `from`. Notes the block's pixels per inch. */
export function readOfficeBlock(
  html: string,
  { name, from }: { name: string; from: number },
  facts: OfficeFacts,
): number {
  if (html[from - 2] === '/') return from;
  BLOCK_END.lastIndex = from;
  let end = html.length;
  let next = html.length;
  for (let found = BLOCK_END.exec(html); found; found = BLOCK_END.exec(html)) {
    const closed = found[1]?.toLowerCase();
    if (closed !== undefined && closed !== name && closed !== 'head') continue;
    end = found.index;
    next = closed === name ? end + found[0].length : end;
    break;
  }
  facts.pixelsPerInch ??= /<o:PixelsPerInch[^<>]{0,200}>\s{0,50}(\d{1,4})/i.exec(html.slice(from, end))?.[1];
  return next;
}

/** One attribute of a tag's source; the bounds keep long runs of spaces linear. */
const ATTRIBUTE = /\s([^\s=>"'/]+)(?:\s{0,64}=\s{0,64}("[^"]*"|'[^']*'|[^\s"'>]+))?/g;

/**
 * Rewrites a tag that an HTML parser would get wrong; undefined leaves it as it is. `name` is lower case.
 * A `<center>` straight inside a shape would end the paragraph around the shape: it becomes `<vml-center>`.
 */
export function openTag(tag: string, name: string, facts: OfficeFacts): string | undefined {
  const isEnd = tag[1] === '/';
  if (name === 'center' && facts.shapeDepth > 0 && facts.textboxDepth === 0) {
    return isEnd ? '</vml-center>' : `<vml-center${tag.slice(1 + name.length)}`;
  }
  if (!name.includes(':')) return tag.includes('url(') ? withoutBackground(tag) : undefined;
  const isSelfClosing = /\/\s*>$/.test(tag);
  if (!isSelfClosing) countDepth(name, isEnd ? -1 : 1, facts);
  if (isEnd || (!isSelfClosing && !name.startsWith('v:'))) return undefined;
  let attributes = isSelfClosing ? tag.slice(1 + name.length).replace(/\/\s*>$/, '') : tag.slice(1 + name.length, -1);
  if (name.startsWith('v:')) attributes = attributes.replace(ATTRIBUTE, renameStyle);
  return `<${name}${attributes}>${isSelfClosing ? `</${name}>` : ''}`;
}

const BACKGROUND =
  /(^|;)\s{0,64}background\s{0,64}:[^;(]{0,500}url\((?:"[^"]{0,8000}"|'[^']{0,8000}'|[^)]{0,8000})\)[^;]*/gi;

/**
 * Word reads `background` only when it is a color (caniemail css-background#3): with an image in it the color is lost
 * too. mjmlio/mjml issue 502 reports the lost color (2017-01), and pull request 2202 (2021-03) shows sections whose
 * text box repeats `background:<color> url()` over the VML image, which stays visible. It is done on the source
 * because the support filter would leave the color.
 */
function withoutBackground(tag: string): string {
  return tag.replace(ATTRIBUTE, (attribute: string, name: string, value: string | undefined) => {
    if (name.toLowerCase() !== 'style' || !value || !/^["']/.test(value)) return attribute;
    const css = value.slice(1, -1).replace(/&quot;/gi, value[0] === "'" ? '"' : "'");
    return ` ${name}=${value[0]}${css.replace(BACKGROUND, '$1')}${value[0]}`;
  });
}

function renameStyle(attribute: string, name: string): string {
  return name.toLowerCase() === 'style' ? attribute.replace(/style/i, 'vml-style') : attribute;
}

function countDepth(name: string, change: 1 | -1, facts: OfficeFacts): void {
  if (name === 'v:textbox') facts.textboxDepth = Math.max(0, facts.textboxDepth + change);
  else if (/^v:(?:rect|roundrect|oval|shape|group)$/.test(name)) {
    facts.shapeDepth = Math.max(0, facts.shapeDepth + change);
  }
}

// ---- Web fonts ------------------------------------------------------------------------------------------------

const FONT_SERVICE = /fonts\.googleapis\.com\/(?:css2?|icon)\?([^"'\s)>]{1,2000})/gi;

/** Notes the families that a `<link>` to a font service loads. */
export function collectLink(tag: string, facts: OfficeFacts): void {
  if (/stylesheet/i.test(tag)) collectService(tag.slice(0, 4000), facts);
}

/** Notes the families of a style sheet's own `@font-face` and `@import` rules; those inside `@media` don't count. */
export function collectStyle(css: string, facts: OfficeFacts): void {
  for (const rule of css.matchAll(/@import\s[^;{}]{0,2000}/gi)) collectService(rule[0], facts);
  if (!/@font-face/i.test(css)) return;
  let depth = 0;
  for (const part of withoutComments(css).matchAll(/@font-face\s*\{([^{}]*)\}|[{}]/gi)) {
    if (part[0] === '{') depth++;
    else if (part[0] === '}') depth = Math.max(0, depth - 1);
    else if (part[1] !== undefined && depth === 0) collectFontFace(part[1], facts);
  }
}

function withoutComments(css: string): string {
  let text = '';
  for (let at = 0; at < css.length;) {
    const start = css.indexOf('/*', at);
    if (start < 0) return text + css.slice(at);
    text += css.slice(at, start);
    const end = css.indexOf('*/', start + 2);
    if (end < 0) return text;
    at = end + 2;
  }
  return text;
}

function collectFontFace(body: string, facts: OfficeFacts): void {
  const value = (property: string): string => {
    const found = new RegExp(`(?:^|[;\\s])${property}\\s*:\\s*["']?([^;"']{1,100})`, 'i').exec(body);
    return found?.[1]!.trim() ?? '';
  };
  // A face without a source is Word's own font table: it names an installed font.
  if (!/(?:^|[;\s])src\s*:/i.test(body)) return;
  addWebFont(
    {
      family: value('font-family'),
      generic: value('mso-generic-font-family').toLowerCase(),
      alternative: value('mso-font-alt'),
    },
    facts,
  );
}

function collectService(text: string, facts: OfficeFacts): void {
  for (const query of text.matchAll(FONT_SERVICE)) {
    for (const family of query[1]!.matchAll(/(?:^|[&;])family=([^&]{1,1000})/gi)) {
      for (const one of family[1]!.split('|')) {
        const name = one
          .split(':')[0]!
          .replace(/\+|%20/g, ' ')
          .trim();
        addWebFont({ family: name, generic: '', alternative: '' }, facts);
      }
    }
  }
}

function addWebFont(font: WebFont, facts: OfficeFacts): void {
  const key = font.family.toLowerCase();
  if (!key || facts.webFonts.size >= WEB_FONTS_MAX) return;
  const known = facts.webFonts.get(key);
  if (known && (known.generic || known.alternative)) return;
  facts.webFonts.set(key, font);
}

/** The facts as `<meta>` elements for the end of the text. */
export function officeMarkers(facts: OfficeFacts): string {
  const escape = (text: string): string => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
  let markers = '';
  if (facts.brokenConditions) markers += `<meta name="office-broken-conditions" content="${facts.brokenConditions}">`;
  if (facts.pixelsPerInch) markers += `<meta name="office-pixels-per-inch" content="${facts.pixelsPerInch}">`;
  for (const font of facts.webFonts.values()) {
    markers +=
      `<meta name="office-web-font" content="${escape(font.family)}"` +
      ` data-generic="${escape(font.generic)}" data-alternative="${escape(font.alternative)}">`;
  }
  return markers;
}
