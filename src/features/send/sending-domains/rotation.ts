// Keys that take each other's place: the next one is made and published, signs once DNS has shown it long enough, and
// the one before it stays published until what it signed has arrived.
import { generateDkimKey } from '../../../engines/mail-authentication/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { randomHex } from '../../../platform/ids/index.ts';
import { DAY_MS } from '../../../platform/times/index.ts';
import { getDomain } from './domains.ts';
import { changingKeys, KEYS_MAX } from './key-actions.ts';
import { deleteKey, insertKey, listKeys, saveKey, type StoredKey } from './key-store.ts';
import { keyRow } from './keys.ts';
import { checkRecord, keyRecord } from './records.ts';
import { findRotation, saveRotation, setDue } from './rotation-store.ts';
import { freeSlot, hasSlots, isSlot } from './slots.ts';
import type { SendingDomain } from './store.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'secrets' | 'clock' | 'dns'>;

/** As long as resolvers may still say that the name is not there (RFC 2308 §5). */
const SEEN_MS = 3 * 3_600_000;
/** As long as mail is tried again (RFC 5321 §4.5.4.1), and what was signed may still be verified. */
const OVERLAP_MS = 5 * DAY_MS;
/** How often DNS is asked for a key that is to sign next. */
const LOOK_MS = 600_000;
const LOOK_LATER_MS = 3_600_000;
export const INTERVAL_DAYS = { min: 5, max: 365, default: 120 };

type RotationState = 'disabled' | 'wait_verify' | 'enabled';

export interface Rotating {
  domain: SendingDomain;
  keys: StoredKey[];
  isEnabled: boolean;
  intervalDays: number;
  state: RotationState;
}

function stateOf(domain: SendingDomain, { isEnabled, keys }: { isEnabled: boolean; keys: StoredKey[] }): RotationState {
  if (!isEnabled) return 'disabled';
  // With slots, the next key is there all the time.
  const isUnderWay = hasSlots(domain)
    ? !keys.some(({ isActive, selector }) => isActive && isSlot(selector))
    : keys.some(({ isNext }) => isNext);
  return domain.state === 'active' && !isUnderWay ? 'enabled' : 'wait_verify';
}

/** Throws `not_found`. */
async function ownDomain(doors: Doors, accountId: string, name: string): Promise<SendingDomain> {
  try {
    return await getDomain(doors, accountId, name);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') throw new AppError('not_found', 'domain not found');
    throw error;
  }
}

/** `120d`. Throws `invalid_request`. */
function daysOf(given: unknown): number | undefined {
  if (given === undefined || given === '') return undefined;
  const days = typeof given === 'string' ? Number(/^(\d{1,4})d$/.exec(given.trim())?.[1]) : NaN;
  const { min, max } = INTERVAL_DAYS;
  if (!(days >= min && days <= max))
    throw invalid('rotation_interval', `must be a number of days such as 120d, from ${min}d to ${max}d.`);
  return days;
}

/** Throws `not_found`, and `invalid_request` where the domain has no keys of its own in DNS, or for a wrong field. */
export async function setRotation(
  doors: Doors,
  accountId: string,
  { name, isEnabled, interval }: { name: string; isEnabled: boolean; interval: unknown },
): Promise<Rotating> {
  const domain = await ownDomain(doors, accountId, name);
  const days = daysOf(interval);
  if (days !== undefined && !isEnabled)
    throw new AppError('invalid_request', 'rotation_interval is not allowed unless also enabling DKIM rotation', {
      details: { field: 'rotation_interval' },
    });
  if (isEnabled && domain.type === 'sandbox')
    throw invalid('rotation_enabled', 'must be false for a sandbox domain, whose keys are in no DNS.');
  if (isEnabled && domain.authorityId !== null)
    throw invalid(
      'rotation_enabled',
      'must be false where the keys of another domain sign; rotate the keys of that one.',
    );
  const saved = await saveRotation(doors.db, domain, {
    isEnabled,
    intervalDays: days,
    defaultDays: INTERVAL_DAYS.default,
    dueAt: doors.clock.now(),
  });
  const keys = await listKeys(doors.db, domain);
  return { domain, keys, isEnabled, intervalDays: saved.intervalDays, state: stateOf(domain, { isEnabled, keys }) };
}

/** Adds the key that is to sign next; undefined when there is one, or no room for one. */
async function startNext(tx: Sql, doors: Doors, domain: SendingDomain): Promise<StoredKey | undefined> {
  const keys = await listKeys(tx, domain);
  if (keys.some(({ isNext }) => isNext) || keys.length >= KEYS_MAX) return undefined;
  const selector = hasSlots(domain) ? freeSlot(keys) : `galley${randomHex(4)}`;
  if (selector === undefined) return undefined;
  const privateKey = await generateDkimKey('rsa-2048');
  const key = {
    ...keyRow(doors, domain, { selector, privateKey, isActive: false, at: doors.clock.now() }),
    isNext: true,
  };
  await insertKey(tx, key);
  return key;
}

const isSeenLong = ({ seenAt }: StoredKey, now: Date): boolean =>
  seenAt !== null && now.getTime() - seenAt.getTime() >= SEEN_MS;

/** The key of the other slot signs now. Throws `invalid_request` where DNS has not shown it for long enough. */
async function takeNext(tx: Sql, doors: Doors, domain: SendingDomain): Promise<void> {
  const now = doors.clock.now();
  const keys = await listKeys(tx, domain);
  const next = keys.find(({ isNext, checked }) => isNext && checked?.valid === 'valid');
  if (!next || !isSeenLong(next, now))
    throw new AppError(
      'invalid_request',
      'The next key can sign when DNS has shown it for three hours; the key that signed before it is published for five ' +
        'days, and its place is needed.',
    );
  await takeOver(tx, { domain, keys, next }, now);
  await setDue(tx, domain, now);
}

/** Makes the next key now. Throws `not_found`, and `invalid_request` where the state does not allow it. */
export async function rotateNow(doors: Doors, accountId: string, name: string): Promise<void> {
  const domain = await ownDomain(doors, accountId, name);
  const isEnabled = (await findRotation(doors.db, domain))?.isEnabled ?? false;
  await changingKeys(doors, domain, async (tx) => {
    const state = stateOf(domain, { isEnabled, keys: await listKeys(tx, domain) });
    if (state !== 'enabled')
      throw new AppError('invalid_request', `only domains in enabled can rotate their keys. Current state: ${state}`);
    if (hasSlots(domain)) return takeNext(tx, doors, domain);
    if (!(await startNext(tx, doors, domain)))
      throw new AppError('invalid_request', `A domain may have ${KEYS_MAX} keys; delete one that signs no longer.`);
    await setDue(tx, domain, doors.clock.now());
  });
}

const dueOf = (keys: readonly StoredKey[], intervalDays: number): number =>
  Math.max(
    0,
    ...keys.filter(({ isActive }) => isActive).map(({ signsSince, createdAt }) => (signsSince ?? createdAt).getTime()),
  ) +
  intervalDays * DAY_MS;

/** The next key signs from now on; those that signed so far are published a while longer. */
async function takeOver(
  tx: Sql,
  { domain, keys, next }: { domain: SendingDomain; keys: StoredKey[]; next: StoredKey },
  now: Date,
) {
  const retiresAt = new Date(now.getTime() + OVERLAP_MS);
  for (const key of keys.filter(({ isActive }) => isActive))
    await saveKey(tx, domain.accountId, { id: key.id, change: { isActive: false, retiresAt } });
  await saveKey(tx, domain.accountId, { id: next.id, change: { isActive: true, isNext: false, signsSince: now } });
}

/** Looks for the next key in DNS; it takes over when it was seen for long enough. Answers whether it did. */
async function lookForNext(
  doors: Doors,
  domain: SendingDomain,
  { next, mayTakeOver }: { next: StoredKey; mayTakeOver: boolean },
): Promise<boolean> {
  const checked = await checkRecord(keyRecord(domain.name, next), doors.dns);
  const now = doors.clock.now();
  // DNS that does not answer says neither that the record is there nor that it is gone.
  const seenAt = checked.valid === 'invalid' ? null : (next.seenAt ?? (checked.valid === 'valid' ? now : null));
  const isDue = mayTakeOver && checked.valid === 'valid' && isSeenLong({ ...next, seenAt }, now);
  return changingKeys(doors, domain, async (tx) => {
    const keys = await listKeys(tx, domain);
    if (!keys.some(({ id, isNext }) => id === next.id && isNext)) return false;
    await saveKey(tx, domain.accountId, { id: next.id, change: { checked, seenAt } });
    if (isDue) await takeOver(tx, { domain, keys, next }, now);
    return isDue;
  });
}

/** Does what is due for the keys of a domain, and says when somebody looks again. Safe to run twice. */
export async function rotate(doors: Doors, accountId: string, name: string): Promise<void> {
  const domain = await getDomain(doors, accountId, name);
  const rotation = await findRotation(doors.db, domain);
  if (!rotation) return;
  const now = doors.clock.now();
  const isRotating = rotation.isEnabled && domain.state === 'active' && domain.authorityId === null;
  const isDue = (all: readonly StoredKey[]): boolean => dueOf(all, rotation.intervalDays) <= now.getTime();
  const keys = await changingKeys(doors, domain, async (tx) => {
    const all = await listKeys(tx, domain);
    for (const { id, isActive, retiresAt } of all)
      if (!isActive && retiresAt !== null && retiresAt <= now) await deleteKey(tx, accountId, id);
    if (isRotating && (hasSlots(domain) || isDue(all))) await startNext(tx, doors, domain);
    return listKeys(tx, domain);
  });
  const next = keys.find(({ isNext }) => isNext);
  // In slots, the next key waits for its day, but where the keys before them still sign.
  const isInSlots = keys.some(({ isActive, selector }) => isActive && isSlot(selector));
  const mayTakeOver = !hasSlots(domain) || !isInSlots || isDue(keys);
  const isDone = isRotating && next !== undefined && (await lookForNext(doors, domain, { next, mayTakeOver }));
  const look = next && !isDone ? (now.getTime() - next.createdAt.getTime() < DAY_MS ? LOOK_MS : LOOK_LATER_MS) : DAY_MS;
  const retiring = keys.flatMap(({ retiresAt }) => retiresAt?.getTime() ?? []);
  await setDue(doors.db, domain, new Date(Math.min(now.getTime() + look, ...retiring)));
}
