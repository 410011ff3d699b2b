// One hit, whoever tells it.
import { createHash } from 'node:crypto';
import type { TrapType } from './store.ts';

export const TYPES: readonly TrapType[] = ['pristine', 'recycled', 'typo', 'harvested'];

const TEXT_MAX = 998;

/** Texts of strangers: bounded, without what a database or a terminal stumbles over. */
export function plain(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, TEXT_MAX);
}

/** The same hit has the same. */
export function fingerprintOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** Behind the last @, in lower case. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}
