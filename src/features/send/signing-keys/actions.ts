import type { Outside } from '../../../platform/feature/index.ts';
import { randomHex } from '../../../platform/ids/index.ts';
import { findSealed, insertSealed, saveSealed } from './store.ts';

type Doors = Pick<Outside, 'db' | 'secrets' | 'clock'>;

const KEY_BYTES = 16;
const purposeOf = (accountId: string): string => `webhooks:${accountId}`;

/** The account's key, which is made when it is first asked for: 32 hexadecimal digits. */
export async function signingKeyOf({ db, secrets, clock }: Doors, accountId: string): Promise<string> {
  const purpose = purposeOf(accountId);
  const found = await findSealed(db, accountId);
  if (found !== undefined) return secrets.open(found, purpose);
  const sealed = secrets.seal(randomHex(KEY_BYTES), purpose);
  await insertSealed(db, accountId, { sealed, createdAt: clock.now() });
  return secrets.open((await findSealed(db, accountId)) as string, purpose);
}

/** Replaces the key; attempts from now on are signed with the new one. */
export async function rotateSigningKey({ db, secrets, clock }: Doors, accountId: string): Promise<string> {
  const key = randomHex(KEY_BYTES);
  await saveSealed(db, accountId, { sealed: secrets.seal(key, purposeOf(accountId)), createdAt: clock.now() });
  return key;
}
