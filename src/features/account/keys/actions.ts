import { createHash } from 'node:crypto';
import type { Config } from '../../../platform/config/index.ts';
import { AppError, notFound } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { Principal } from '../../../platform/http/index.ts';
import { randomHex } from '../../../platform/ids/index.ts';
import { changeAccess, recallAccess, recallAccount } from '../accounts/index.ts';
import { recallUser } from '../users/index.ts';
import {
  findKeyByDigest,
  findKeyById,
  insertKey,
  lockAdminKeys,
  revokeKey as markRevoked,
  savePublicKey,
  touchKey,
  type ApiKey,
  type KeyKind,
  type KeyRole,
} from './store.ts';

/** `last_used_at` is written at most this often, so that reading stays cheap. */
const TOUCH_MS = 60_000;
const ACCOUNT_ID_LENGTH = 24;

/** Keys have 160 random bits: a fast hash is enough, there is nothing to guess. */
function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** A new secret, such as `key-4f0c…`. */
function newSecret(): string {
  return `key-${randomHex(20)}`;
}

interface NewKey {
  accountId: string;
  role: KeyRole;
  description: string;
  expiresAt: Date | null;
  kind?: KeyKind;
  domainName?: string | null;
  userId?: string | null;
  userName?: string | null;
  email?: string | null;
  /** Given by the operator instead of made here. */
  secret?: string;
}

/** Makes a key; the secret is returned here and never again. */
export async function createKey(
  db: Sql,
  now: Date,
  { secret = newSecret(), ...wanted }: NewKey,
): Promise<{ key: ApiKey; secret: string }> {
  const key: ApiKey = {
    kind: 'user',
    domainName: null,
    userId: null,
    userName: null,
    email: null,
    ...wanted,
    id: `${randomHex(4)}-${randomHex(4)}`,
    createdAt: now,
    updatedAt: now,
    lastUsedAt: null,
    revokedAt: null,
  };
  await insertKey(db, key, digestOf(secret));
  return { key, secret };
}

/** Makes the public key of an account anew; what it was before is worth nothing from now on. */
export async function renewPublicKey({ db, clock }: Pick<Outside, 'db' | 'clock'>, accountId: string): Promise<string> {
  const key = `pubkey-${randomHex(16)}`;
  await savePublicKey(db, accountId, { digest: digestOf(key), createdAt: clock.now() });
  return key;
}

/** Revokes a key at once. Refuses to revoke the last admin key, because only an admin key can create keys. */
export async function revokeKey(outside: Pick<Outside, 'db' | 'clock'>, accountId: string, id: string): Promise<void> {
  const now = outside.clock.now();
  await changeAccess(outside, async (tx) => {
    const admins = await lockAdminKeys(tx, accountId, now);
    if (admins.length === 1 && admins[0] === id)
      throw new AppError('conflict', 'This is the last admin key; create another before revoking it.');
    if (!(await markRevoked(tx, { id, accountId }, now))) throw notFound('key', id);
  });
}

function isUsable(key: ApiKey | undefined, now: Date): key is ApiKey {
  return key !== undefined && !key.revokedAt && (!key.expiresAt || key.expiresAt > now);
}

/** Who makes a request with a key. */
type KeyPrincipal = Principal & { keyId: string };

/** Refuses calls for an account of the other region, with that region's address. Throws `not_found`. */
type AuthenticationDoors = Pick<Outside, 'config' | 'db' | 'clock' | 'log'>;

function checkRegion({ config }: Pick<Outside, 'config'>, region: Config['region']): void {
  const url = config.regionUrls[region];
  if (region !== config.region && url !== undefined)
    throw new AppError('not_found', `This account, with its domains, is in the region ${region}: call ${url}.`);
}

/** Own account or own subaccount; anything else is refused without saying whether it exists. */
export async function accountFor(
  outside: Pick<Outside, 'config' | 'db'>,
  { accountId }: { accountId: string },
  wanted: string | undefined,
): Promise<string> {
  const own = await recallAccount(outside, accountId);
  if (own?.status !== 'open') throw new AppError('unauthorized', 'Invalid private key');
  if (!wanted || wanted === accountId) {
    checkRegion(outside, own.region);
    return accountId;
  }
  // The id comes from the request: a text longer than an id is neither looked up nor kept.
  const account = wanted.length <= ACCOUNT_ID_LENGTH ? await recallAccount(outside, wanted) : undefined;
  if (account?.parentId !== accountId || account.status !== 'open')
    throw new AppError('forbidden', 'This key may not act for that account.');
  checkRegion(outside, account.region);
  return account.id;
}

/** The user whose key it is, if it is one's. Throws `unauthorized` where that user may do nothing any more. */
async function ownerOf(outside: Pick<Outside, 'db'>, key: ApiKey): Promise<{ userId?: string }> {
  // Other programs write what they want here.
  const user = key.userId === null ? undefined : await recallUser(outside, key.userId);
  if (user?.accountId !== key.accountId) return {};
  if (user.disabledAt) throw new AppError('unauthorized', 'Invalid private key');
  return { userId: user.id };
}

/** Notes that the key was used. What fails here fails no request. */
async function touch({ db, log }: Pick<Outside, 'db' | 'log'>, key: ApiKey, now: Date): Promise<void> {
  if (key.lastUsedAt && now.getTime() - key.lastUsedAt.getTime() <= TOUCH_MS) return;
  // The key is shared by all who recall it: the others need not write too.
  key.lastUsedAt = now;
  await touchKey(db, key.id, now).catch((error: unknown) =>
    log.warn({ err: error, keyId: key.id }, 'the last use of a key was not noted'),
  );
}

async function principalOf(
  outside: AuthenticationDoors,
  key: ApiKey | undefined,
  accountId: string | undefined,
): Promise<KeyPrincipal> {
  const now = outside.clock.now();
  if (!isUsable(key, now)) throw new AppError('unauthorized', 'Invalid private key');
  const { id: keyId, role, domainName } = key;
  const owner = await ownerOf(outside, key);
  const principal = {
    keyId,
    ...owner,
    role,
    domainName,
    ownAccountId: key.accountId,
    accountId: await accountFor(outside, key, accountId),
  };
  await touch(outside, key, now);
  return principal;
}

/**
 * Who holds this secret. Throws `unauthorized`, `forbidden` for a foreign account, or `not_found` for one of another
 * region.
 */
export async function authenticateSecret(
  outside: AuthenticationDoors,
  secret: string,
  accountId?: string,
): Promise<KeyPrincipal> {
  const digest = digestOf(secret);
  return principalOf(
    outside,
    await recallAccess(outside, `secret ${digest.toString('base64')}`, () => findKeyByDigest(outside.db, digest)),
    accountId,
  );
}

/** A key as it is now, or was seconds ago while no access changed. */
export function recallKey(outside: Pick<Outside, 'db'>, keyId: string): Promise<ApiKey | undefined> {
  return recallAccess(outside, `key ${keyId}`, () => findKeyById(outside.db, keyId));
}

/** Who holds a key that was proven before and is named by its id; throws as {@link authenticateSecret}. */
export async function authenticateKeyId(
  outside: AuthenticationDoors,
  keyId: string,
  accountId?: string,
): Promise<KeyPrincipal> {
  return principalOf(outside, await recallKey(outside, keyId), accountId);
}
