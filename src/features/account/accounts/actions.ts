import type { Clock } from '../../../platform/clock/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import { SERVICE, type Context, type Outside } from '../../../platform/feature/index.ts';
import { headerOf, notEnabled, type Principal, type Product } from '../../../platform/http/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { changeAccess, recallAccess } from './access.ts';
import { accountChanged } from './facts.ts';
import { erase } from './jobs.ts';
import { readSwitches } from './products.ts';
import { admitStored } from './quota.ts';
import {
  countSubaccounts,
  findAccount,
  findFirstAccount,
  insertAccount,
  lockAccount,
  setStatus,
  updateAccount,
  type Account,
} from './store.ts';

export async function startSubaccount(
  ctx: Pick<Context, 'config' | 'db' | 'clock' | 'principal'>,
  name: string | undefined,
): Promise<Account> {
  if (!name) throw invalid('name', 'is required.');
  const parent = await findAccount(ctx.db, ctx.principal.accountId);
  if (parent?.parentId) throw invalid('name', 'cannot be given: a subaccount has no subaccounts of its own.');
  const parentId = ctx.principal.accountId;
  await admitStored(ctx, parentId, { quota: 'subaccounts', count: () => countSubaccounts(ctx.db, parentId) });
  const now = ctx.clock.now();
  const { region } = ctx.config;
  return insertAccount(ctx.db, { id: newId(), parentId, name, region, createdAt: now, updatedAt: now });
}

export async function getSubaccount(ctx: Pick<Context, 'db' | 'principal'>, id: string): Promise<Account> {
  const account = await findAccount(ctx.db, id);
  if (account?.parentId !== ctx.principal.accountId) throw notFound('subaccount', id);
  return account;
}

export async function changeStatus(
  ctx: Pick<Context, 'db' | 'clock' | 'principal' | 'facts' | 'jobs'>,
  id: string,
  { status, ...why }: { status: 'open' | 'disabled'; reason?: string | undefined; note?: string | undefined },
): Promise<Account> {
  const account = await getSubaccount(ctx, id);
  // The published text, letter for letter.
  if (account.status === status) throw new AppError('invalid_request', `subaccount is already ${status}`);
  if (account.status === 'closed')
    throw invalid('subaccount_id', 'names a subaccount that is closed; it cannot be opened again.');
  const changed = await changeAccess(ctx, async (tx) => {
    const row = await setStatus(tx, account as Account & { parentId: string }, { status, at: ctx.clock.now(), why });
    if (!row) throw notFound('subaccount', id);
    await ctx.facts.tell(tx, accountChanged, { account: id, payload: { accountId: id, status } });
    return row;
  });
  ctx.jobs.wake();
  return changed;
}

/** Switches products on and off. Throws `not_found`, `invalid_request`. */
export async function changeFeatures(
  ctx: Pick<Context, 'db' | 'clock' | 'principal'>,
  id: string,
  given: Readonly<Record<string, unknown>>,
): Promise<Account> {
  await getSubaccount(ctx, id);
  const updatedAt = ctx.clock.now();
  const changed = await changeAccess(ctx, async (tx) => {
    // Two changes at once each keep what the other says.
    const account = await lockAccount(tx, id);
    return account && updateAccount(tx, id, { switchedOff: readSwitches(given, account), updatedAt });
  });
  if (!changed) throw notFound('subaccount', id);
  return changed;
}

/**
 * Closes the subaccount that a header names, for good: from now on nothing answers for it, and what it had is deleted.
 * Throws `invalid_request` without the header, `forbidden` where it names no subaccount of the caller's account.
 */
export async function closeSubaccount(
  ctx: Pick<Context, 'db' | 'clock' | 'principal' | 'headers' | 'facts' | 'jobs'>,
): Promise<void> {
  const id = headerOf(ctx.headers, 'x-service-account-id');
  if (!id) throw invalid('X-Mailgun-On-Behalf-Of', 'is required: the header names the subaccount to close.');
  const account = await getSubaccount(ctx, id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found')
      throw new AppError('forbidden', 'Forbidden: the header names no subaccount of this account.');
    throw error;
  });
  if (account.status === 'closed')
    throw invalid('X-Mailgun-On-Behalf-Of', 'names a subaccount that is already closed.');
  await changeAccess(ctx, async (tx) => {
    const at = ctx.clock.now();
    await setStatus(tx, account as Account & { parentId: string }, { status: 'closed', at });
    await ctx.facts.tell(tx, accountChanged, { account: id, payload: { accountId: id, status: 'closed' } });
    await ctx.jobs.enqueue(tx, erase, { payloads: [{ accountId: id }], account: SERVICE });
  });
  ctx.jobs.wake();
}

/** The account as it is now, or was seconds ago while no access changed: for what every request asks. */
export function recallAccount(outside: Pick<Outside, 'db'>, id: string): Promise<Account | undefined> {
  return recallAccess(outside, `account ${id}`, () => findAccount(outside.db, id));
}

/** Throws `forbidden` where the account has the product switched off. */
export async function requireProduct(outside: Pick<Outside, 'db'>, accountId: string, product: Product): Promise<void> {
  if ((await recallAccount(outside, accountId))?.switchedOff.includes(product)) throw notEnabled(product);
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

/** Whether the caller is the operator: a key or user with the role `admin` of the first account. */
export async function isOperator(
  { db }: Pick<Outside, 'db'>,
  { role, ownAccountId }: Pick<Principal, 'role' | 'ownAccountId'>,
): Promise<boolean> {
  return role === 'admin' && (await findFirstAccount(db))?.id === ownAccountId;
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
  const row = { id: newId(), parentId: null, name: 'Galley', region, createdAt: now, updatedAt: now };
  return { account: await insertAccount(tx, row), isNew: true };
}
