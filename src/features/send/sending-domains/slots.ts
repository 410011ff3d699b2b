// Keys whose records their domain leaves to the operator: two names that lead, by CNAME, into a zone of the operator's.
// While the key of one signs, the next one is published under the other, so that keys change without the domain's owner.
import type { StoredKey } from './key-store.ts';
import type { SendingDomain } from './store.ts';

/** Selectors. */
export const SLOTS = ['galley-a', 'galley-b'] as const;

export const isSlot = (selector: string): boolean => SLOTS.some((slot) => slot === selector);

export const hasSlots = ({ settings }: Pick<SendingDomain, 'settings'>): boolean => settings.isAutomatic === true;

/** Where the CNAME record of a slot leads. The id of the domain names no customer, and stays. */
export const slotHost = ({ id }: Pick<SendingDomain, 'id'>, selector: string, keysZone: string): string =>
  `${selector}.${id}.${keysZone}`;

/** A slot without a key; undefined: both have one. */
export const freeSlot = (keys: readonly StoredKey[]): string | undefined =>
  SLOTS.find((slot) => !keys.some(({ selector }) => selector === slot));
