// What a fetched page says about where it leads and what places it has.
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';

/** A page that loads itself again after a while is not a redirect. */
const REFRESH_SECONDS_MAX = 30;

interface Page {
  /** Absolute; undefined when the page stays. */
  refreshUrl: string | undefined;
  /** The wanted names that the page has as an id or an anchor. */
  places: Set<string>;
}

/** True for types that browsers read as HTML. */
export function isHtml(contentType: string | null): boolean {
  return contentType === 'text/html' || contentType === 'application/xhtml+xml';
}

/**
 * Reads the beginning of an HTML page: its meta refresh (HTML §4.2.5.3) and which of `wanted` (decoded fragments) are
 * places in it. `charset` is that of the content type; without one the text is read as UTF-8, which is right for ASCII
 * names.
 */
export function readPage(
  body: Buffer,
  page: { url: string; charset: string | undefined; wanted: readonly string[] },
): Page {
  const html = decode(body, page.charset);
  const result: Page = { refreshUrl: undefined, places: new Set() };
  // Most pages have neither, and parsing costs a hundred times this test.
  if (page.wanted.length === 0 && !/http-equiv/i.test(html)) return result;
  const wanted = new Set(page.wanted);
  let base = page.url;
  for (const element of elementsOf(html)) {
    const attributes = new Map(element.attrs.map(({ name, value }) => [name, value]));
    const anchor = element.tagName === 'a' ? attributes.get('name') : undefined;
    for (const name of [attributes.get('id'), anchor])
      if (name !== undefined && wanted.has(name)) result.places.add(name);
    const href = element.tagName === 'base' && base === page.url ? attributes.get('href') : undefined;
    if (href !== undefined && URL.canParse(href, page.url)) base = new URL(href, page.url).href;
    if (element.tagName === 'meta' && attributes.get('http-equiv')?.toLowerCase() === 'refresh') {
      result.refreshUrl ??= refreshOf(attributes.get('content') ?? '', base);
    }
  }
  return result;
}

function decode(body: Buffer, charset: string | undefined): string {
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(body);
  } catch (error) {
    // Servers name encodings that do not exist.
    if (error instanceof RangeError) return body.toString('utf8');
    throw error;
  }
}

/** With scripting, as in a browser, what stands in noscript is text. */
function* elementsOf(html: string): Generator<Tree.Element> {
  const stack: Tree.Node[] = [parse(html)];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if ('tagName' in node) yield node;
    if ('childNodes' in node)
      for (let index = node.childNodes.length - 1; index >= 0; index--) stack.push(node.childNodes[index]!);
  }
}

function refreshOf(content: string, base: string): string | undefined {
  const match = /^\s*(\d+)(?:\.[\d.]*)?\s*[;,\s]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))/is.exec(content);
  const target = (match?.[2] ?? match?.[3] ?? match?.[4])?.trim();
  if (!match || !target || Number(match[1]) > REFRESH_SECONDS_MAX || !URL.canParse(target, base)) return undefined;
  return new URL(target, base).href;
}
