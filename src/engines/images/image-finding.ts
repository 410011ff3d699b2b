// What a judgment of an image is made from, and the one way to write it down.
import type { Finding, Severity } from '../findings/index.ts';
import type { FoundImage } from './find-images.ts';
import type { ImageFacts, PixelFacts } from './types.ts';

/** How loading went; the feature makes it from what the guarded fetch answered. */
export interface ImageLoad {
  /** HTTP status of the last answer; null when there was none. */
  status: number | null;
  /** Why there was no answer, in words for the reader; undefined when there was one. */
  failure?: string;
  /** Redirects followed. */
  redirects: number;
  /** The address at which the redirects ended. */
  finalUrl?: string;
  /** The Content-Type header as sent. */
  contentType?: string;
  loadTimeMs?: number;
  /** It is a part of the message itself. */
  isCarried?: boolean;
}

/** Why an image was not checked, although no fault of it is known. */
export type SkipReason = 'merge_tag' | 'part_not_given' | 'too_many' | 'total_too_large' | 'no_time';

/** One image with all that is known of it; what is not known is left out, and the rules that need it say nothing. */
export interface ImageSubject {
  /** The URL as written, or the name of an uploaded file. */
  url: string;
  /** The place of the image in a message. */
  found?: FoundImage;
  load?: ImageLoad;
  skipped?: SkipReason;
  facts?: ImageFacts;
  pixels?: PixelFacts;
  /** A decoder gave up on it although its header is in order. */
  isUndecodable?: boolean;
}

/** How much it hurts the reader, in axe's words. */
type Impact = 'critical' | 'serious' | 'moderate' | 'minor';

export interface Verdict {
  /** The rule id without the prefix `images/`. */
  rule: string;
  severity: Severity;
  /** Left out for passes. */
  impact?: Impact;
  message: string;
  fix?: string;
  source?: string;
  clients?: string[];
  details?: Record<string, unknown>;
}

export type Rule = (subject: ImageSubject) => Verdict | Verdict[] | undefined;

const NAME_LENGTH_MAX = 60;

/** What the reader knows the image by: its file name, or where the address ends in numbers only, the address. */
export function nameOf({ url }: ImageSubject): string {
  if (/^data:/i.test(url)) return 'the inline image';
  const path = url.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  const last = path.slice(path.lastIndexOf('/') + 1);
  const name = /\p{L}{3}/u.test(last) && /[^/]\/[^/]/.test(path) ? last : path || url;
  return name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX)}…` : name || 'the image';
}

/** The finding of a verdict, with the place of the image. */
export function findingOf(subject: ImageSubject, { rule, impact, details, ...verdict }: Verdict): Finding {
  const { found } = subject;
  const where = found && {
    line: found.line,
    column: found.column,
    offset: found.offset,
    snippet: found.snippet,
    ...(found.selector !== undefined && { selector: found.selector }),
  };
  return {
    rule: `images/${rule}`,
    ...verdict,
    ...(where && { where }),
    ...((impact || details) && { details: { ...(impact && { impact }), ...details } }),
  };
}

/** `12 KB`, `1.4 MB`, in thousands as file managers count. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `1.5 s`, `320 ms`. */
export function timeText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Number((ms / 1000).toFixed(1))} s`;
}
