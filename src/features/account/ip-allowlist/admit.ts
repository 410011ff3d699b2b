// Whether somebody may use an account from where they are.
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { isInNetwork } from '../../../platform/fetch/index.ts';
import { recallAccess, recallAccount } from '../accounts/index.ts';
import { listAllowlist, type AllowlistEntry } from './store.ts';

/** Whether a list lets an address in; one without entries lets everybody in. */
export function admits(entries: readonly Pick<AllowlistEntry, 'address'>[], address: string): boolean {
  return entries.length === 0 || entries.some((entry) => isInNetwork(address, entry.address));
}

/**
 * Whether the keys, users and logins of an account are taken from an address: its own list lets it in, and that of its
 * parent. What is asked is kept in memory until somebody's access changes.
 */
export async function isAdmittedFrom(
  outside: Pick<Outside, 'db'>,
  { accountId, address }: { accountId: string; address: string },
): Promise<boolean> {
  const own = await recallAccount(outside, accountId);
  for (const id of [accountId, own?.parentId ?? null]) {
    if (id === null) continue;
    const entries = await recallAccess(outside, `ip allowlist ${id}`, () => listAllowlist(outside.db, id));
    if (!admits(entries ?? [], address)) return false;
  }
  return true;
}

/** Throws `forbidden` where {@link isAdmittedFrom} says no. */
export async function admitFrom(
  outside: Pick<Outside, 'db'>,
  { ownAccountId, address }: { ownAccountId: string; address: string },
): Promise<void> {
  if (await isAdmittedFrom(outside, { accountId: ownAccountId, address })) return;
  throw new AppError('forbidden', `The IP allowlist of this account does not contain ${address}.`);
}
