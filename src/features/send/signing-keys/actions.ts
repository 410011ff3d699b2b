import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { randomHex } from '../../../platform/ids/index.ts';
import { UnreadableSecret } from '../../../platform/secrets/index.ts';
import { findSealed, insertSealed, saveSealed, type Purpose } from './store.ts';

type Doors = Pick<Outside, 'db' | 'secrets' | 'clock'>;

const KEY_BYTES = 16;
/** What a key is sealed for. */
const sealOf = (accountId: string, purpose: Purpose): string => `${purpose}:${accountId}`;

/** The account's key for webhooks or for alerts, made when it is first asked for: 32 hexadecimal digits. */
export async function signingKeyOf(
  { db, secrets, clock }: Doors,
  accountId: string,
  purpose: Purpose = 'webhooks',
): Promise<string> {
  const found = await findSealed(db, accountId, purpose);
  if (found !== undefined) return secrets.open(found, sealOf(accountId, purpose));
  const sealed = secrets.seal(randomHex(KEY_BYTES), sealOf(accountId, purpose));
  await insertSealed(db, accountId, { purpose, sealed, createdAt: clock.now() });
  return secrets.open((await findSealed(db, accountId, purpose)) as string, sealOf(accountId, purpose));
}

/** The same, for whoever asks: throws `invalid_request`, with what to do, where the key cannot be read. */
export async function getSigningKey(doors: Doors, accountId: string, purpose: Purpose = 'webhooks'): Promise<string> {
  try {
    return await signingKeyOf(doors, accountId, purpose);
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error;
    throw new AppError(
      'invalid_request',
      `could not get HSK for account: the signing key of ${purpose} cannot be read, because it was stored with another ` +
        'encryption key of this service. Replace the signing key, or ask the operator to bring GALLEY_SECRET_KEY back.',
      { cause: error },
    );
  }
}

/** Replaces a key; attempts from now on are signed with the new one. */
export async function rotateSigningKey(
  { db, secrets, clock }: Doors,
  accountId: string,
  purpose: Purpose = 'webhooks',
): Promise<string> {
  const key = randomHex(KEY_BYTES);
  const sealed = secrets.seal(key, sealOf(accountId, purpose));
  await saveSealed(db, accountId, { purpose, sealed, createdAt: clock.now() });
  return key;
}
