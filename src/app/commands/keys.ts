// `galley keys`: create, list and revoke API keys, on the database itself. With the embedded database Galley must not be running.
import { parseArgs } from 'node:util';
import { readConfig } from '../../platform/config/index.ts';
import { systemClock } from '../../platform/clock/index.ts';
import { openDataDir } from '../../platform/data-dir/index.ts';
import type { Outside } from '../../platform/feature/index.ts';
import { findFirstAccount } from '../../features/accounts/index.ts';
import { createKey, listKeys, revokeKey, type KeyRole } from '../../features/keys/index.ts';
import { openMigratedDatabase } from '../outside.ts';
import { UsageError } from './usage.ts';

const ROLES = ['admin', 'developer', 'support'];
const USAGE = 'galley keys list | create [--role admin|developer|support] [--description TEXT] [--expires-days N] [--account ID] | revoke ID';

function day(date: Date | null): string {
  return date ? date.toISOString().slice(0, 16).replace('T', ' ') : '–';
}

/** Prints what it did; the secret of a new key once. Exit code 0, or throws {@link UsageError}. */
export async function keys(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { role: { type: 'string', default: 'admin' }, description: { type: 'string', default: '' }, 'expires-days': { type: 'string' }, account: { type: 'string' } },
  });
  const [verb, id] = positionals;
  if (!verb || !['list', 'create', 'revoke'].includes(verb) || (verb === 'revoke') !== (id !== undefined)) throw new UsageError(USAGE);
  if (!ROLES.includes(values.role)) throw new UsageError(`--role must be one of ${ROLES.join(', ')}.`);
  const days = Number(values['expires-days'] ?? 0);
  if (!Number.isInteger(days) || days < 0) throw new UsageError('--expires-days must be a whole number of days.');
  const config = readConfig(process.env);
  process.umask(0o077);
  const warning = await openDataDir(config.dataDir);
  if (warning !== undefined) process.stderr.write(`${warning}\n`);
  const db = await openMigratedDatabase(config);
  try {
    const accountId = values.account ?? (await findFirstAccount(db))?.id;
    if (!accountId) throw new UsageError('There is no account yet: start Galley once.');
    const outside = { db, clock: systemClock } as Outside;
    if (verb === 'create') {
      const now = systemClock.now();
      const { key, secret } = await createKey(db, now, { accountId, role: values.role as KeyRole, description: values.description, expiresAt: days ? new Date(now.getTime() + days * 86_400_000) : null });
      process.stdout.write(`${secret}\n`);
      process.stderr.write(`Key ${key.id} (${key.role}) was made. It is shown this once.\n`);
    } else if (verb === 'revoke') {
      await revokeKey(outside, accountId, id as string);
      process.stdout.write(`Key ${id} is revoked.\n`);
    } else {
      for (const key of await listKeys(db, accountId)) process.stdout.write(`${key.id}  ${key.role.padEnd(9)}  expires ${day(key.expiresAt)}  last used ${day(key.lastUsedAt)}  ${key.description}\n`);
    }
    return 0;
  } finally {
    await db.close();
  }
}
