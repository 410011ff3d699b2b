// What bands are called on the wire, and whose pools they are.
import { BANDS, type Band } from '../../../engines/reputation-bands/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { callerName } from '../../../platform/http/index.ts';
import { findAccount } from '../../account/accounts/index.ts';
import { listPools, type IpPool } from '../ip-pools/index.ts';
import { poolName } from './view.ts';

/** Undefined for what names no dynamic pool. */
export const bandNamed = (pool: string): Band | undefined => BANDS.find((band) => poolName(band) === pool);

export const POOL_NAMES = BANDS.map(poolName).join(', ');

/** Throws `invalid_request` naming the field. */
export function readBand(field: string, pool: string | undefined): Band | undefined {
  if (pool === undefined || pool === '') return undefined;
  const band = bandNamed(pool);
  if (!band) throw invalid(field, `must be one of ${POOL_NAMES}.`);
  return band;
}

/** Whose pools the domains of an account are in: its parent's, or its own. */
async function ownerOf(db: Sql, accountId: string): Promise<string> {
  return (await findAccount(db, accountId))?.parentId ?? accountId;
}

type Asker = Pick<Context, 'db' | 'principal'>;

/** The owner of the pools. Throws `forbidden` when a subaccount asks by itself: addresses are its parent's. */
export async function admitOwner({ db, principal }: Asker): Promise<string> {
  const ownerId = await ownerOf(db, principal.accountId);
  if (principal.ownAccountId !== ownerId)
    throw new AppError('forbidden', 'The dynamic pools belong to the parent account; this needs one of its keys.');
  return ownerId;
}

/** The account itself, when it may have pools. Throws `forbidden` when the call acts for a subaccount. */
export async function admitPools(ctx: Asker): Promise<string> {
  const ownerId = await admitOwner(ctx);
  if (ctx.principal.accountId !== ownerId)
    throw new AppError(
      'forbidden',
      'A subaccount has no dynamic pools of its own; its domains are in those of its parent.',
    );
  return ownerId;
}

/** The dynamic pools of an account, by their bands; empty where they are not set up. */
export async function findPools(db: Sql, ownerId: string): Promise<ReadonlyMap<Band, IpPool>> {
  const pools = await listPools(db, ownerId, 'dynamic');
  return new Map(
    BANDS.flatMap((band) => {
      const pool = pools.find(({ name }) => name === poolName(band));
      return pool ? [[band, pool] as const] : [];
    }),
  );
}

/** Whom the history names: who asked, as the caller says, and otherwise by what it was let in. */
export function initiatedBy({
  requestorClient,
  ...caller
}: Pick<Context, 'requestor' | 'requestorClient' | 'principal'>): string {
  const who = callerName(caller);
  return requestorClient === null ? who : `${who} (${requestorClient})`;
}
