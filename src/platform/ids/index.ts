// Ids and other words that nobody guesses.
import { randomBytes, randomUUID } from 'node:crypto';

/** 24 hexadecimal digits: the form of the ids of accounts, tests and most other things on the wire. */
export function newId(): string {
  return randomHex(12);
}

/** A UUID, version 4 (RFC 9562 §5.4). */
export function newUuid(): string {
  return randomUUID();
}

/** The same in fewer letters (base64url). */
export function randomText(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/** Two hexadecimal digits a byte. From 16 bytes on, there is nothing to guess. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
