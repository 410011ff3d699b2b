// What to call an email, without parsing all of it.
import { parseFragment } from 'parse5';

/** A title stands at the beginning. */
const LOOKED_AT_MAX = 100_000;
export const NAME_LENGTH_MAX = 200;
export const UNTITLED = 'Untitled email';
const TITLE = /<title(?:\s[^<>]{0,500})?>([^<]{0,2000})<\/title\s{0,20}>/i;

interface NamedBy {
  /** What somebody called it. */
  given?: string | null | undefined;
  subject?: string | null | undefined;
  html?: string | undefined;
  fileName?: string | null | undefined;
  url?: string | null | undefined;
}

/** The text of `<title>`; empty where there is none near the beginning. */
function titleOf(html: string): string {
  const written = TITLE.exec(html.slice(0, LOOKED_AT_MAX))?.[0];
  const [title] = written ? parseFragment(written).childNodes : [];
  const [text] = title && 'childNodes' in title ? title.childNodes : [];
  return lineOf(text && 'value' in text ? text.value : '');
}

/** The first of these that says something: the given name, the subject, the title, the file's name, host and path. */
export function nameOfEmail({ given, subject, html = '', fileName, url }: NamedBy): string {
  return lineOf(given) || lineOf(subject) || titleOf(html) || lineOf(fileName) || placeOf(url) || UNTITLED;
}

function lineOf(text: string | null | undefined): string {
  const line = (text ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line.length <= NAME_LENGTH_MAX) return line;
  const characters = Array.from(line);
  return characters.length > NAME_LENGTH_MAX ? `${characters.slice(0, NAME_LENGTH_MAX - 1).join('')}…` : line;
}

/** `shop.example/may`, without what a query may give away. */
function placeOf(url: string | null | undefined): string {
  if (!url || !URL.canParse(url)) return '';
  const { host, pathname } = new URL(url);
  return lineOf(host + pathname.replace(/\/$/, ''));
}
