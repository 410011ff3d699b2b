/** A file is no report that can be counted. The message says why, in one sentence. */
export class ReportRefusal extends Error {}

/** A text of a stranger, in one line and no longer than `lengthMax`. */
export function shortText(value: unknown, lengthMax = 300): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return text
    .slice(0, lengthMax * 4)
    .replaceAll(/[\s\p{Cc}\uFFFD]+/gu, ' ')
    .trim()
    .slice(0, lengthMax);
}

/** A domain in lower case, without the dot at its end; empty when it is none. */
export function domainIn(value: unknown): string {
  const name = shortText(value, 255).toLowerCase().replace(/\.$/, '');
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name) || /^[^\s@/\\<>"']+\.[^\s@/\\<>"']+$/u.test(name) ? name : '';
}
