/** JSON that a `jsonb` column takes: no NUL, no half of a surrogate pair. A hostile message may hold both. */
export function jsonb(value: unknown): string {
  return JSON.stringify(value, (_key, held: unknown) => (typeof held === 'string' ? held.toWellFormed().replaceAll('\0', '\uFFFD') : held));
}
