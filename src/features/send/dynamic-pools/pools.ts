// The three dynamic pools of an account, and their addresses.
import { BANDS, type Band } from '../../../engines/reputation-bands/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { plainIp } from '../../../platform/network/index.ts';
import { changeRoutes, deletePool, freeIps, insertPool } from '../ip-pools/index.ts';
import { listAllIps, listHeldBack, listMembers, putIntoPool } from '../sending-ips/index.ts';
import { admitPools, bandNamed, findPools, POOL_NAMES } from './names.ts';
import { countEnrolled } from './store.ts';
import { poolName } from './view.ts';

type Doors = Pick<Context, 'config' | 'db' | 'clock' | 'log' | 'lists' | 'principal'>;

/** Addresses, given one by one or with commas between them. */
export const textsOf = (given: string | readonly string[] | undefined): string[] =>
  [given ?? []]
    .flat()
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');

const FIELDS = { good: 'good_reputation', poor: 'poor_reputation', new: 'new_senders' } as const;

/** A pool all of whose addresses are being warmed up could not take the mail of its domains. */
const tooCold = (field: string): AppError =>
  invalid(field, 'must leave the pool an address that is not being warmed up.');

/** Asked before a transaction: it reads by itself. */
async function listWarming(doors: Doors): Promise<ReadonlySet<string>> {
  const all = await listAllIps(doors.db);
  return listHeldBack(
    doors,
    all.map(({ ip }) => ip),
  );
}

async function ensurePool(tx: Sql, accountId: string, { band, at }: { band: Band; at: Date }): Promise<string> {
  const found = (await findPools(tx, accountId)).get(band);
  if (found) return found.id;
  const id = newId();
  const description = { good: 'Good reputation.', poor: 'Poor reputation.', new: 'New senders.' }[band];
  const pool = { id, accountId, kind: 'dynamic' as const, name: poolName(band), description };
  await insertPool(tx, { ...pool, createdAt: at, updatedAt: at });
  return id;
}

/** Throws `invalid_request` naming the field, and `forbidden`. */
export async function setPools(
  doors: Doors,
  given: Readonly<Record<(typeof FIELDS)[Band], string | string[]>>,
): Promise<void> {
  const accountId = await admitPools(doors);
  const warming = await listWarming(doors);
  const at = doors.clock.now();
  await changeRoutes(doors, accountId, async (tx) => {
    const before = await findPools(tx, accountId);
    const ids = [...before.values()].map(({ id }) => id);
    const members = [...(await listMembers(tx, ids)).values()].flat();
    await putIntoPool(tx, accountId, { ips: members, poolId: null });
    for (const band of BANDS) {
      const field = FIELDS[band];
      const texts = textsOf(given[field]);
      if (texts.length === 0) throw invalid(field, 'must name an address.');
      const poolId = await ensurePool(tx, accountId, { band, at });
      const ips = await freeIps(tx, accountId, { field, given: texts, poolId });
      if (ips.every((ip) => warming.has(ip))) throw tooCold(field);
      await putIntoPool(tx, accountId, { ips, poolId });
    }
  });
}

/** Throws `conflict` while domains are in them, and `forbidden`. */
export async function deletePools(doors: Doors): Promise<void> {
  const accountId = await admitPools(doors);
  await changeRoutes(doors, accountId, async (tx) => {
    const enrolled = await countEnrolled(tx, accountId);
    if (enrolled > 0)
      throw new AppError(
        'conflict',
        `${enrolled} ${enrolled === 1 ? 'domain is' : 'domains are'} in the dynamic pools; take them out first.`,
      );
    for (const pool of (await findPools(tx, accountId)).values()) {
      const members = await listMembers(tx, [pool.id]);
      await putIntoPool(tx, accountId, { ips: members.get(pool.id) ?? [], poolId: null });
      await deletePool(tx, pool);
    }
  });
}

/** The same address in the spelling that it is kept in. */
const spelled = (text: string): string => plainIp(text) ?? text;

/** Adds addresses to a pool, and takes others out. Throws `invalid_request`, `not_found` and `forbidden`. */
export async function changePool(
  doors: Doors,
  name: string,
  { add, remove, field }: { add: readonly string[]; remove: readonly string[]; field: 'add_ip' | 'ip' },
): Promise<void> {
  const accountId = await admitPools(doors);
  const band = bandNamed(name);
  if (!band) throw new AppError('not_found', `No dynamic pool is named "${name}"; there are ${POOL_NAMES}.`);
  if (add.length + remove.length === 0) throw invalid('add_ip, remove_ip:', 'give one of them at least.');
  const warming = await listWarming(doors);
  await changeRoutes(doors, accountId, async (tx) => {
    const pool = (await findPools(tx, accountId)).get(band);
    if (!pool) throw notSetUp('not_found');
    const members = (await listMembers(tx, [pool.id])).get(pool.id) ?? [];
    const gone = remove.map(spelled);
    const foreign = gone.find((ip) => !members.includes(ip));
    if (foreign !== undefined) throw invalid('remove_ip', `"${foreign.slice(0, 64)}" is not in the pool ${name}.`);
    const added = await freeIps(tx, accountId, { field, given: add, poolId: pool.id });
    const left = [...new Set([...members, ...added])].filter((ip) => !gone.includes(ip));
    if (left.every((ip) => warming.has(ip))) throw tooCold(remove.length > 0 ? 'remove_ip' : field);
    await putIntoPool(tx, accountId, { ips: added, poolId: pool.id });
    await putIntoPool(tx, accountId, { ips: gone, poolId: null });
  });
}

/** The pools have to be there before domains are put into them. */
export const notSetUp = (code: 'invalid_request' | 'not_found'): AppError =>
  new AppError(code, 'The dynamic pools are not set up yet: POST /v3/dynamic_pools/all with their addresses first.');

/** The pools of an account as the wire shows them. */
export async function showPools({ db, clock, principal }: Pick<Doors, 'db' | 'clock' | 'principal'>) {
  const { accountId } = principal;
  const pools = await findPools(db, accountId);
  const members = await listMembers(
    db,
    [...pools.values()].map(({ id }) => id),
  );
  const now = clock.now();
  const alive = new Set((await listAllIps(db)).filter(({ boundUntil }) => boundUntil > now).map(({ ip }) => ip));
  const ipsOf = (band: Band): string[] => members.get(pools.get(band)?.id ?? '') ?? [];
  return {
    good_reputation: ipsOf('good'),
    poor_reputation: ipsOf('poor'),
    new_senders: ipsOf('new'),
    pools: [...pools].map(([band, { id, name }]) => ({
      account_id: accountId,
      id,
      name,
      enabled: ipsOf(band).some((ip) => alive.has(ip)),
      ips: ipsOf(band),
    })),
  };
}
