// What a domain sends from when not from a dynamic pool: addresses, a shared one, or a dedicated pool; exactly one of
// them.
import type { Sql } from '../../../platform/db/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { plainIp } from '../../../platform/network/index.ts';
import { addDomainIps, getPool, linkDomain, unlinkDomain } from '../ip-pools/index.ts';
import { findIp, listAllIps, listMembers, type SendingIp } from '../sending-ips/index.ts';
import { textsOf } from './pools.ts';

/** As it is given, in the query or in a form. */
export interface Given {
  replacement_ip?: string | string[];
  replacement_pool_id?: string;
}

export type Replacement = { ips: readonly string[] } | { poolId: string };

type Doors = Pick<Context, 'db' | 'clock' | 'principal'>;
interface Domain {
  id: string;
  accountId: string;
}

const FIELD = 'replacement_ip';

/** A shared address that can be sent from now; which one depends on the domain, so that domains share them evenly. */
async function chooseShared({ db, clock }: Pick<Doors, 'db' | 'clock'>, domain: Domain): Promise<string> {
  const now = clock.now();
  const usable = (await listAllIps(db)).filter((one) => one.isShared && one.poolId === null && one.boundUntil > now);
  const known = usable.filter(({ rdnsState }) => rdnsState !== 'invalid');
  const from: readonly SendingIp[] = known.length > 0 ? known : usable;
  const place = [...domain.id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7);
  const chosen = from[place % Math.max(1, from.length)];
  if (!chosen) throw invalid(FIELD, 'cannot be "shared": this service has no shared address that can be sent from.');
  return chosen.ip;
}

async function findUsable(tx: Sql, accountId: string, text: string): Promise<string> {
  const ip = plainIp(text);
  const found = ip === undefined ? undefined : await findIp(tx, accountId, ip);
  const named = `"${text.slice(0, 64)}"`;
  if (!found)
    throw invalid(FIELD, `${named} is not an address of this account; give those of GET /v3/ips, or "shared".`);
  if (found.poolId !== null)
    throw invalid(FIELD, `${named} is in an IP pool; give addresses that are in no dedicated or dynamic pool.`);
  return found.ip;
}

/** Throws `invalid_request` naming the field. */
export async function readReplacement(doors: Doors, domain: Domain, given: Given): Promise<Replacement> {
  const { db, principal } = doors;
  const texts = textsOf(given.replacement_ip);
  const poolId = given.replacement_pool_id?.trim() ?? '';
  if (texts.length > 0 === (poolId !== ''))
    throw new AppError(
      'invalid_request',
      `Give exactly one of replacement_ip and replacement_pool_id; ${poolId === '' ? 'neither' : 'both'} was given.`,
      { details: { field: FIELD } },
    );
  // Addresses and pools are those of the key's account, which may be the parent of the domain's.
  if (poolId !== '') return { poolId: await ownPool(db, principal.ownAccountId, poolId) };
  if (texts.includes('shared')) {
    if (texts.length > 1) throw invalid(FIELD, 'is either "shared" or addresses, not both.');
    return { ips: [await chooseShared(doors, domain)] };
  }
  const ips = new Set<string>();
  for (const text of texts) ips.add(await findUsable(db, principal.ownAccountId, text));
  return { ips: [...ips] };
}

async function ownPool(db: Sql, accountId: string, poolId: string): Promise<string> {
  const named = `"${poolId.slice(0, 64)}"`;
  try {
    await getPool(db, accountId, poolId);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    throw invalid('replacement_pool_id', `${named} is not a dedicated IP pool of this account.`);
  }
  if ((await listMembers(db, [poolId])).size === 0)
    throw invalid('replacement_pool_id', `${named} has no addresses; add one first.`);
  return poolId;
}

/** The domain has it from now on. */
export async function putReplacement(
  tx: Sql,
  domain: Domain,
  { replacement, at }: { replacement: Replacement; at: Date },
): Promise<void> {
  if ('poolId' in replacement) return linkDomain(tx, domain, { poolId: replacement.poolId, at });
  await unlinkDomain(tx, domain);
  await addDomainIps(tx, [domain], { ips: replacement.ips, at });
}

/** In words. */
export const replacementWords = (replacement: Replacement): string =>
  'poolId' in replacement ? `the dedicated pool ${replacement.poolId}` : replacement.ips.join(', ');
