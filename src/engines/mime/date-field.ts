/** No date takes more; comments count. */
const LENGTH_MAX = 1000;

/**
 * The time that a Date field names (RFC 5322 §3.3), read as tolerantly as mail clients do, in milliseconds of Unix
 * time; NaN for what is no date.
 */
export function timeOfDateField(value: string): number {
  if (value.length > LENGTH_MAX) return Number.NaN;
  return Date.parse(value.replace(/\s*\([^()]*\)\s*$/, ''));
}
