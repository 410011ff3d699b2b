// Where in its sources the HTML of an email comes from. An email is made twice: as it is, and from a source in which
// each start tag says its file and line. Tags of the two are the same, so the second says of each tag of the first where
// it was written.

/** The attribute that says it: `file:line`. */
export const SOURCE_MARK = 'data-galley-at';

/** From 1. */
export interface SourcePlace {
  file: string;
  line: number;
}

/**
 * Where the tag was written that stands at this offset of the HTML, or the last one before it that a source wrote.
 */
export type FindSource = (offset: number) => SourcePlace | undefined;

const START_TAG = /<([a-zA-Z][\w:.-]*)((?:"[^"]*"|'[^']*'|[^"'<>])*)>/g;
const AT = new RegExp(` ${SOURCE_MARK}="([^"]*):(\\d+)"`);
/** MJML hands no attribute on, but classes. */
const CLASS = /(?:^|[\s"'])galley-at-(\d+)(?:-outlook)?(?=[\s"'])/;

/** Parts of a template that are no HTML, or a start tag. */
const TEMPLATE = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|\{#[\s\S]*?#\}|<!--[\s\S]*?-->|\n|<([a-zA-Z][\w:.-]*)(?=[\s/>])/g;
const CSS_CLASS = /^((?:"[^"]*"|'[^']*'|[^"'<>])*?\scss-class=)(["'])/;

/**
 * The text of a template with a mark in each start tag. Elements of MJML are marked in the body alone: what stands in
 * its head speaks of others.
 */
export function markTags(text: string, file: string): string {
  const path = file.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  let marked = '';
  let from = 0;
  let line = 1;
  let isBody = false;
  for (const match of text.matchAll(TEMPLATE)) {
    const { 0: whole, 1: name, index } = match;
    if (name === undefined) {
      line += whole.split('\n').length - 1;
      continue;
    }
    const end = index + whole.length;
    const tag = name.toLowerCase();
    const isMjml = tag.startsWith('mj-') || tag === 'mjml';
    if (isMjml && !isBody) {
      isBody = tag === 'mj-body';
      continue;
    }
    marked += text.slice(from, end);
    from = end;
    if (!isMjml) marked += ` ${SOURCE_MARK}="${path}:${line}"`;
    else {
      const own = CSS_CLASS.exec(text.slice(end, end + 2000));
      if (own) {
        marked += `${own[0]}galley-at-${line} `;
        from = end + own[0].length;
      } else marked += ` css-class="galley-at-${line}"`;
    }
  }
  return marked + text.slice(from);
}

const unescaped = (file: string): string =>
  file.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');

/** What the tag says of itself. A class says the line alone: of the email's own file. */
function placeOf(attributes: string, ownFile: string): SourcePlace | undefined {
  const [, file, line] = AT.exec(attributes) ?? [];
  if (file !== undefined) return { file: unescaped(file), line: Number(line) };
  const [, ownLine] = CLASS.exec(attributes) ?? [];
  return ownLine === undefined ? undefined : { file: ownFile, line: Number(ownLine) };
}

/**
 * @param html the email as it is
 * @param marked the email made from a source with marks; undefined answers when its tags are not the same
 * @param ownFile the file that a mark without one means
 */
export function sourcesOf(html: string, marked: string, ownFile: string): FindSource | undefined {
  const tags = [...html.matchAll(START_TAG)];
  const others = [...marked.matchAll(START_TAG)];
  if (tags.length !== others.length || tags.some(([, name], index) => name !== others[index]![1])) return undefined;
  const places = tags.flatMap(({ index }, at) => {
    const place = placeOf(others[at]![2] ?? '', ownFile);
    return place ? [{ offset: index, place }] : [];
  });
  if (places.length === 0) return undefined;
  return (offset) => {
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[middle]!.offset <= offset) low = middle + 1;
      else high = middle;
    }
    return places[low - 1]?.place;
  };
}
