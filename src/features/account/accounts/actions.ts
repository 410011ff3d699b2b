import type { Clock } from '../../../platform/clock/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { invalid, notFound } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { changeAccess, recallAccess } from './access.ts';
import { findAccount, findFirstAccount, insertAccount, setStatus, type Account } from './store.ts';

export async function startSubaccount(
  ctx: Pick<Context, 'config' | 'db' | 'clock' | 'principal'>,
  name: string | undefined,
): Promise<Account> {
  if (!name) throw invalid('name', 'is required.');
  const parent = await findAccount(ctx.db, ctx.principal.accountId);
  if (parent?.parentId) throw invalid('name', 'cannot be given: a subaccount has no subaccounts of its own.');
  const now = ctx.clock.now();
  const account: Account = {
    id: newId(),
    parentId: ctx.principal.accountId,
    name,
    region: ctx.config.region,
    status: 'open',
    createdAt: now,
    updatedAt: now,
    disabledAt: null,
  };
  await insertAccount(ctx.db, account);
  return account;
}

export async function getSubaccount(ctx: Pick<Context, 'db' | 'principal'>, id: string): Promise<Account> {
  const account = await findAccount(ctx.db, id);
  if (account?.parentId !== ctx.principal.accountId) throw notFound('subaccount', id);
  return account;
}

export async function changeStatus(
  ctx: Pick<Context, 'db' | 'clock' | 'principal'>,
  id: string,
  status: 'open' | 'disabled',
): Promise<Account> {
  const account = await getSubaccount(ctx, id);
  if (account.status === status) throw invalid('subaccount_id', `names a subaccount that is already ${status}.`);
  const changed = await changeAccess(ctx, (tx) =>
    setStatus(tx, { id, parentId: ctx.principal.accountId }, { status, at: ctx.clock.now() }),
  );
  if (!changed) throw notFound('subaccount', id);
  return changed;
}

/** The account as it is now, or was seconds ago while no access changed: for what every request asks. */
export function recallAccount(outside: Pick<Outside, 'db'>, id: string): Promise<Account | undefined> {
  return recallAccess(outside, `account ${id}`, () => findAccount(outside.db, id));
}

/**
 * Whether what the account has published (shares, pictures, files, addresses that take mail) still answers: it is open,
 * and so is its parent.
 */
export async function isAccountOpen(outside: Pick<Outside, 'db'>, id: string): Promise<boolean> {
  const account = await recallAccount(outside, id);
  if (account?.status !== 'open') return false;
  return account.parentId === null || (await recallAccount(outside, account.parentId))?.status === 'open';
}

/** The deployment's first account, made when there is none yet. */
export async function ensureFirstAccount(
  tx: Sql,
  clock: Clock,
  region: 'us' | 'eu',
): Promise<{ account: Account; isNew: boolean }> {
  const found = await findFirstAccount(tx);
  if (found) return { account: found, isNew: false };
  const now = clock.now();
  const account: Account = {
    id: newId(),
    parentId: null,
    name: 'Galley',
    region,
    status: 'open',
    createdAt: now,
    updatedAt: now,
    disabledAt: null,
  };
  await insertAccount(tx, account);
  return { account, isNew: true };
}
