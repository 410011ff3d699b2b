// Single addresses of an account that its subaccounts send from, too.
import type { Sql } from '../../../platform/db/index.ts';
import { invalid, notFound } from '../../../platform/errors/index.ts';
import { plainIp } from '../../../platform/network/index.ts';
import { findUse, giveIps, listOwnIps, listReceivers, takeIpsBack } from '../sending-ips/index.ts';
import { changeRoutes, type Doors } from './pools.ts';

/** Addresses times subaccounts, in one call. */
const PAIRS_MAX = 100_000;

interface Change {
  subaccountIds: readonly string[];
  isForAll: boolean;
  give: readonly string[];
  takeBack: readonly string[];
}

/** The subaccounts that a change names; all of them are undefined. Throws `not_found`, `invalid_request`. */
async function readReceivers(
  tx: Sql,
  parentId: string,
  { subaccountIds, isForAll, give, takeBack }: Change,
): Promise<readonly string[] | undefined> {
  if (isForAll && subaccountIds.length > 0)
    throw invalid('subaccount_id', 'cannot be given together with all_subaccounts.');
  if (!isForAll && subaccountIds.length === 0) throw invalid('subaccount_id', 'or all_subaccounts is required.');
  if (give.length + takeBack.length === 0) throw invalid('link_ip', 'or unlink_ip is required.');
  const known = new Set(await listReceivers(tx, { parentId, subaccountIds: isForAll ? undefined : subaccountIds }));
  const missing = subaccountIds.find((id) => !known.has(id));
  if (missing !== undefined) throw notFound('subaccount', missing);
  if (known.size * (give.length + takeBack.length) > PAIRS_MAX)
    throw invalid('subaccount_id', `times the addresses must be ${PAIRS_MAX} at most; give fewer in one call.`);
  return isForAll ? undefined : [...known];
}

/** The addresses as they are kept. Throws `invalid_request`. */
function readIps(field: string, given: readonly string[]): string[] {
  return given.map((text) => {
    const ip = plainIp(text.trim());
    if (ip === undefined) throw invalid(field, `"${text.slice(0, 64)}" is not an IP address.`);
    return ip;
  });
}

/** Single addresses of the account's own. Throws `invalid_request`. */
async function readGivable(tx: Sql, accountId: string, given: readonly string[]): Promise<string[]> {
  const ips = readIps('link_ip', given);
  const own = new Map((await listOwnIps(tx, accountId, ips)).map((one) => [one.ip, one]));
  for (const ip of ips) {
    const one = own.get(ip);
    if (!one) throw invalid('link_ip', `"${ip}" is not an address of this account; GET /v3/ips lists those.`);
    if (one.isShared) throw invalid('link_ip', `"${ip}" is shared: every account sends from it anyway.`);
    if (one.poolId !== null)
      throw invalid('link_ip', `"${ip}" is in an IP pool; take it out first, or delegate the pool to the subaccount.`);
  }
  return ips;
}

/** All of it or nothing. Throws `not_found`, and `invalid_request` naming the field. */
export async function changeGiven(doors: Doors, parentId: string, change: Change): Promise<void> {
  const at = doors.clock.now();
  await changeRoutes(doors, parentId, async (tx) => {
    const subaccountIds = await readReceivers(tx, parentId, change);
    const ofThem = { parentId, subaccountIds };
    const both = readIps('unlink_ip', change.takeBack);
    const used = await findUse(tx, { ...ofThem, ips: both });
    if (used)
      throw invalid(
        'unlink_ip',
        `"${used.ip}" cannot be taken back: ${used.name} of the subaccount ${used.accountId} sends from it; take it ` +
          'from that domain first.',
      );
    const ips = await readGivable(tx, parentId, change.give);
    const twice = ips.find((ip) => both.includes(ip));
    if (twice !== undefined) throw invalid('link_ip', `"${twice}" is in unlink_ip, too.`);
    const count = await takeIpsBack(tx, { ...ofThem, ips: both });
    if (both.length > 0 && count === 0)
      throw invalid('unlink_ip', 'names no address that these subaccounts were given.');
    await giveIps(tx, { ...ofThem, ips, at });
  });
}
