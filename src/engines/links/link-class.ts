// What sort of thing a link leads to, before anything is asked.
import { mergeTagIn } from '../merge-tags/index.ts';

export type LinkClass =
  | 'empty'
  | 'anchor'
  | 'script'
  | 'merge-tag'
  | 'mailto'
  | 'phone'
  | 'web'
  | 'relative'
  | 'local'
  | 'app'
  | 'invalid';

const LOCAL = /^(?:file|data|blob|about|cid|mid|view-source|chrome|ms-appx):/i;

/** Sorts a link as written; a link that holds a merge tag is nothing else, since nobody knows where it leads. */
export function classOf(url: string): LinkClass {
  const text = url.trim();
  if (text === '') return 'empty';
  if (mergeTagIn(text) !== undefined) return 'merge-tag';
  if (text.startsWith('#')) return 'anchor';
  if (/^(?:java|vb)script:/i.test(text)) return 'script';
  if (/^mailto:/i.test(text)) return 'mailto';
  if (/^(?:tel|sms|smsto|mms):/i.test(text)) return 'phone';
  if (/^https?:/i.test(text) || text.startsWith('//'))
    return URL.canParse(text, 'https://base.invalid') ? 'web' : 'invalid';
  if (LOCAL.test(text)) return 'local';
  // "example.com:8080/" is a host and not a scheme.
  if (/^[a-z][a-z0-9+-]*:(?!\d)/i.test(text)) return 'app';
  return 'relative';
}

/** True when following the link can tell something: a web address without merge tags. */
export function isFollowable(url: string): boolean {
  return classOf(url) === 'web';
}

/** Shown in sentences. */
export function shortUrl(url: string): string {
  return url.length > 80 ? `${url.slice(0, 79)}…` : url;
}

/** The host without port; undefined for what has none. */
export function hostOf(url: string): string | undefined {
  const base = url.startsWith('//') ? 'https://base.invalid' : undefined;
  return URL.canParse(url, base) ? new URL(url, base).hostname || undefined : undefined;
}
