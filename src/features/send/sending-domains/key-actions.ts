import { createPrivateKey, type KeyObject } from 'node:crypto';
import { generateDkimKey } from '../../../engines/mail-authentication/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { isFile } from '../../../platform/http/index.ts';
import { getDomain } from './domains.ts';
import { deleteKey, insertKey, listKeys, saveKey, type StoredKey } from './key-store.ts';
import { keyRow, underSelector } from './keys.ts';
import { checkRecord, keyRecord, ownRecord } from './records.ts';
import type { SendingDomain } from './store.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'secrets' | 'clock' | 'dns'>;

/** Of one domain, active or not. */
export const KEYS_MAX = 10;
/** Each signs every message. */
const ACTIVE_MAX = 3;
const PEM_BYTES_MAX = 16_384;
const RSA_BITS_MIN = 1024;
/** Receivers need not read longer ones (RFC 8301 §3.2). */
const RSA_BITS_MAX = 4096;
const SELECTOR = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** A key and the domain that it signs for. */
interface DomainKey {
  domain: SendingDomain;
  key: StoredKey;
}

interface Named {
  domain: string;
  selector: string;
}

/** Changes of the keys of one domain follow each other. */
export const changingKeys = <Made>(
  { db }: Pick<Doors, 'db'>,
  domain: SendingDomain,
  run: (tx: Sql) => Promise<Made>,
): Promise<Made> =>
  db.tx(async (tx) => {
    await tx.lock(`keys of domain ${domain.id}`);
    return run(tx);
  });

function keyOf(keys: readonly StoredKey[], selector: string): StoredKey {
  const key = keys.find((one) => one.selector.toLowerCase() === selector.toLowerCase());
  if (!key) throw new AppError('not_found', 'domain key not found');
  return key;
}

/** The selector of a key as it is kept. Throws `invalid_request`. */
function selectorOf(field: string, given: unknown): string {
  const selector = typeof given === 'string' ? given.trim().toLowerCase() : '';
  if (!SELECTOR.test(selector))
    throw invalid(field, 'must be 1 to 63 letters, digits and hyphens, with a letter or digit at both ends.');
  return selector;
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new AppError(
      'invalid_request',
      'pem must be a private key in PEM without a passphrase: RSA of 1024 to 4096 bits, or Ed25519.',
      { details: { field: 'pem' }, cause },
    );
  }
}

/** The operator's own key, as PKCS #8. Throws `invalid_request`. */
function ownKey(given: unknown): string {
  const pem = isFile(given) ? given.bytes.toString('latin1') : given;
  if (typeof pem !== 'string') throw invalid('pem', 'must be one text or one file.');
  if (pem.length > PEM_BYTES_MAX) throw invalid('pem', `must have at most ${PEM_BYTES_MAX} bytes.`);
  const key = readKey(pem);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  const isRsa = key.asymmetricKeyType === 'rsa' && bits >= RSA_BITS_MIN && bits <= RSA_BITS_MAX;
  if (!isRsa && key.asymmetricKeyType !== 'ed25519')
    throw invalid('pem', 'must be an RSA key of 1024 to 4096 bits, or an Ed25519 key.');
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The key of a request: given, or made now. Throws `invalid_request`. */
async function privateKeyOf({ bits, pem }: { bits: 1024 | 2048 | undefined; pem: unknown }): Promise<string> {
  if (pem !== undefined && pem !== '') return ownKey(pem);
  return generateDkimKey(bits === 1024 ? 'rsa-1024' : 'rsa-2048');
}

/**
 * Adds a key, which signs nothing until it is activated. Throws `not_found`, and `invalid_request` naming the field.
 */
export async function createKey(
  doors: Doors,
  accountId: string,
  wanted: { domain: unknown; selector: unknown; bits: 1024 | 2048 | undefined; pem: unknown },
): Promise<DomainKey> {
  if (typeof wanted.domain !== 'string' || wanted.domain.trim() === '')
    throw invalid('signing_domain', 'is required: a sending domain of this account.');
  const selector = selectorOf('selector', wanted.selector);
  const domain = await getDomain(doors, accountId, wanted.domain.trim());
  refuseTaken(await listKeys(doors.db, domain), selector);
  const key = keyRow(doors, domain, {
    selector,
    privateKey: await privateKeyOf(wanted),
    isActive: false,
    at: doors.clock.now(),
  });
  await changingKeys(doors, domain, async (tx) => {
    refuseTaken(await listKeys(tx, domain), selector);
    await insertKey(tx, key);
  });
  return { domain, key };
}

function refuseTaken(keys: readonly StoredKey[], selector: string): void {
  if (keys.some((key) => key.selector.toLowerCase() === selector))
    throw invalid('selector', `must be another one: the domain has a key ${selector}.`);
  if (keys.length >= KEYS_MAX)
    throw new AppError('invalid_request', `A domain may have ${KEYS_MAX} keys; delete one that signs no longer.`);
}

/** The keys of a domain. Throws `not_found`. */
export async function keysOfDomain(
  doors: Pick<Doors, 'config' | 'db' | 'secrets' | 'clock'>,
  accountId: string,
  name: string,
): Promise<DomainKey[]> {
  const domain = await getDomain(doors, accountId, name);
  return (await listKeys(doors.db, domain)).map((key) => ({ domain, key }));
}

/** DNS was just asked for the record of a key, and held it. */
const seen = ({ type }: SendingDomain, { record }: StoredKey) =>
  type === 'sandbox' ? {} : { checked: { valid: 'valid' as const, found: [record] } };

/** Throws `invalid_request` with the record where DNS does not hold it. The records of a sandbox are in no DNS. */
async function requirePublished({ config, dns }: Doors, { domain, key }: DomainKey, what: string): Promise<void> {
  if (domain.type === 'sandbox') return;
  const record = keyRecord(domain.name, key);
  const check = await checkRecord(record, dns);
  if (check.valid === 'valid') return;
  const why = check.valid === 'unknown' ? 'DNS did not answer' : 'its record is not in DNS';
  const { type, name, value } = ownRecord(domain, key, config.dns.keysZone);
  throw new AppError('invalid_request', `${what}: ${why}. Publish ${type} ${name} "${value}".`);
}

/** From now on the key signs, too. Throws `not_found`, and `invalid_request` where DNS does not show its record. */
export async function activateKey(doors: Doors, accountId: string, named: Named): Promise<DomainKey> {
  const domain = await getDomain(doors, accountId, named.domain);
  const key = keyOf(await listKeys(doors.db, domain), named.selector);
  if (key.isActive) return { domain, key };
  await requirePublished(doors, { domain, key }, 'domain key cannot be activated');
  return changingKeys(doors, domain, async (tx) => {
    const keys = await listKeys(tx, domain);
    keyOf(keys, named.selector);
    if (keys.filter(({ isActive }) => isActive).length >= ACTIVE_MAX)
      throw new AppError(
        'invalid_request',
        `domain key cannot be activated: ${ACTIVE_MAX} keys are active, and each signs every message.`,
      );
    const saved = await saveKey(tx, accountId, {
      id: key.id,
      change: { isActive: true, isNext: false, retiresAt: null, signsSince: doors.clock.now(), ...seen(domain, key) },
    });
    return { domain, key: saved ?? key };
  });
}

function refuseLast(keys: readonly StoredKey[], key: StoredKey, what: string): void {
  if (!keys.some(({ id, isActive }) => isActive && id !== key.id))
    throw new AppError('invalid_request', `cannot ${what} domain key: must have at least one active domain key`);
}

/** From now on the key signs nothing. Throws `not_found`, and `invalid_request` for the last active one. */
export async function deactivateKey(doors: Doors, accountId: string, named: Named): Promise<DomainKey> {
  const domain = await getDomain(doors, accountId, named.domain);
  return changingKeys(doors, domain, async (tx) => {
    const keys = await listKeys(tx, domain);
    const key = keyOf(keys, named.selector);
    refuseLast(keys, key, 'deactivate');
    const saved = await saveKey(tx, accountId, { id: key.id, change: { isActive: false } });
    return { domain, key: saved ?? key };
  });
}

/** Throws `not_found`, and `invalid_request` for the last active one. */
export async function removeKey(doors: Doors, accountId: string, named: Named): Promise<void> {
  const domain = await getDomain(doors, accountId, named.domain);
  await changingKeys(doors, domain, async (tx) => {
    const keys = await listKeys(tx, domain);
    const key = keyOf(keys, named.selector);
    refuseLast(keys, key, 'delete');
    await deleteKey(tx, accountId, key.id);
  });
}

/**
 * The domain signs under this selector from now on: with the key that it has there, or, where it has none, with the
 * key that signed so far. Throws `invalid_request` where the domain is verified and DNS does not show the record.
 */
export async function changeSelector(
  doors: Doors,
  accountId: string,
  wanted: { domain: string; selector: unknown },
): Promise<void> {
  const selector = selectorOf('dkim_selector', wanted.selector);
  const domain = await getDomain(doors, accountId, wanted.domain);
  const keys = await listKeys(doors.db, domain);
  const before = keys.find(({ isActive }) => isActive);
  const there = keys.find((key) => key.selector.toLowerCase() === selector);
  if (!before || there?.isActive) return;
  const moved = there ?? { ...before, ...underSelector(doors, domain, { key: before, selector }) };
  if (domain.state === 'active') await requirePublished(doors, { domain, key: moved }, 'DKIM selector was not changed');
  await changingKeys(doors, domain, async (tx) => {
    const now = await listKeys(tx, domain);
    const isSame = (key: StoredKey) => now.some(({ id, selector: its }) => id === key.id && its === key.selector);
    if (!isSame(before) || (there && !isSame(there)))
      throw new AppError('conflict', 'The keys of the domain were changed meanwhile; read them and try again.');
    if (!there) {
      await saveKey(tx, accountId, { id: before.id, change: underSelector(doors, domain, { key: before, selector }) });
      return;
    }
    await saveKey(tx, accountId, { id: there.id, change: { isActive: true, isNext: false, retiresAt: null } });
    await saveKey(tx, accountId, { id: before.id, change: { isActive: false } });
  });
}
