// Keys that this installation changes by itself: begun for a new domain, turned on or off for another.
import { generateDkimKey } from '../../../engines/mail-authentication/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { changingKeys, KEYS_MAX } from './key-actions.ts';
import { deleteKey, insertKey, listKeys, saveKey, type StoredKey } from './key-store.ts';
import { keyRow } from './keys.ts';
import { INTERVAL_DAYS } from './rotation.ts';
import { saveRotation } from './rotation-store.ts';
import { isSlot, SLOTS } from './slots.ts';
import { changeSettings, type SendingDomain } from './store.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'secrets' | 'clock'>;

/** A key for a slot. */
async function slotKey(
  { secrets, clock }: Pick<Doors, 'secrets' | 'clock'>,
  domain: SendingDomain,
  { selector, isActive }: { selector: string; isActive: boolean },
): Promise<StoredKey> {
  const privateKey = await generateDkimKey('rsa-2048');
  return { ...keyRow({ secrets }, domain, { selector, privateKey, isActive, at: clock.now() }), isNext: !isActive };
}

/** The key that follows the first one of a new domain. */
export const nextOf = (doors: Pick<Doors, 'secrets' | 'clock'>, domain: SendingDomain): Promise<StoredKey> =>
  slotKey(doors, domain, { selector: SLOTS[1], isActive: false });

/** Keeps it, and lets the keys of the domain change from now on. */
export async function startSlots(
  tx: Sql,
  domain: SendingDomain,
  { next, at }: { next: StoredKey | undefined; at: Date },
) {
  if (next) await insertKey(tx, next);
  const { default: defaultDays } = INTERVAL_DAYS;
  await saveRotation(tx, domain, { isEnabled: true, intervalDays: undefined, defaultDays, dueAt: at });
}

/**
 * Puts keys into the slots. Where the domain is verified, its keys go on signing until DNS has shown the first of them
 * for long enough; else that one signs at once.
 */
async function fillSlots(tx: Sql, domain: SendingDomain, made: { first: StoredKey; second: StoredKey; at: Date }) {
  const keys = await listKeys(tx, domain);
  if (keys.some(({ selector }) => isSlot(selector))) return startSlots(tx, domain, { next: undefined, at: made.at });
  if (keys.length + SLOTS.length > KEYS_MAX)
    throw new AppError('invalid_request', `A domain may have ${KEYS_MAX} keys; delete some that sign no longer.`);
  for (const { id, isNext } of keys) if (isNext) await deleteKey(tx, domain.accountId, id);
  if (domain.state === 'active') {
    await insertKey(tx, { ...made.first, isActive: false, isNext: true });
    return startSlots(tx, domain, { next: undefined, at: made.at });
  }
  for (const { id, isActive } of keys)
    if (isActive) await saveKey(tx, domain.accountId, { id, change: { isActive: false } });
  await insertKey(tx, made.first);
  return startSlots(tx, domain, { next: made.second, at: made.at });
}

/**
 * Turns it on or off. Off, the records of keys are the domain's own again; CNAME records that are there go on leading to
 * them. Throws `invalid_request` for a domain that has no keys of its own in DNS.
 */
export async function setAutomatic(doors: Doors, domain: SendingDomain, isAutomatic: boolean): Promise<void> {
  if ((domain.settings.isAutomatic ?? false) === isAutomatic) return;
  const at = doors.clock.now();
  const field = 'use_automatic_sender_security';
  if (isAutomatic && domain.type === 'sandbox')
    throw invalid(field, 'must be false for a sandbox domain, whose keys are in no DNS.');
  if (isAutomatic && domain.authorityId !== null)
    throw invalid(field, 'must be false where the keys of another domain sign; set it for that one.');
  const [first, second] = isAutomatic
    ? [await slotKey(doors, domain, { selector: SLOTS[0], isActive: true }), await nextOf(doors, domain)]
    : [];
  await changingKeys(doors, domain, async (tx) => {
    if (first && second) await fillSlots(tx, domain, { first, second, at });
    await changeSettings(tx, domain, { change: { isAutomatic }, at });
  });
}
