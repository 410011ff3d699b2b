// What a deployment gets at its first start: an account, and one key.
import type { Outside } from '../platform/feature/index.ts';
import { ensureFirstAccount } from '../features/account/accounts/index.ts';
import { authenticateSecret, createKey } from '../features/account/keys/index.ts';

const LOCK = 'first start';

/** Makes the first account and its key when there is none. The key is returned only then. */
export async function ensureAccount({
  db,
  clock,
  config,
}: Pick<Outside, 'config' | 'db' | 'clock'>): Promise<{ accountId: string; newKey: string | undefined }> {
  return db.tx(async (tx) => {
    await tx.lock(LOCK);
    const { account, isNew } = await ensureFirstAccount(tx, clock, config.region);
    if (!isNew) return { accountId: account.id, newKey: undefined };
    const { secret } = await createKey(tx, clock.now(), {
      accountId: account.id,
      role: 'admin',
      description: 'Created on first start',
      expiresAt: null,
      ...(config.apiKey && { secret: config.apiKey }),
    });
    return { accountId: account.id, newKey: secret };
  });
}

/** True when `GALLEY_API_KEY` is set but opens nothing, because the first start is long past. */
export async function isApiKeyIgnored(outside: Pick<Outside, 'config' | 'db' | 'clock' | 'log'>): Promise<boolean> {
  const { apiKey } = outside.config;
  return (
    apiKey !== undefined &&
    (await authenticateSecret(outside, apiKey).then(
      () => false,
      () => true,
    ))
  );
}
