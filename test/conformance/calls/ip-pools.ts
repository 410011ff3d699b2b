// Addresses to send from, which the service has on loopback, and pools of them.
import type { Bed, Calls, Request } from '../bed.ts';
import { domainOf } from './domains.ts';
import { invalid, unknown, withoutKey } from './wrong.ts';

const subaccountOf = (bed: Bed): Promise<string> =>
  bed.once('subaccount of pools', async () => {
    const { subaccount } = await bed.get('POST /v5/accounts/subaccounts', { form: { name: 'pools' } });
    return subaccount.id as string;
  });

const POOLS = '/v3/ip_pools';
const POOL = '/v3/ip_pools/{pool_id}';
const MEMBER = '/v3/ip_pools/{pool_id}/ips/{ip}';
const DOMAINS = '/v3/ips/{ip}/domains';
const OWN = '/v5/accounts/subaccounts/{subaccountId}/ip_pool';

const poolOf = (bed: Bed, name: string, ips: readonly string[] = []): Promise<string> =>
  bed.once(`pool ${name}`, async () => {
    const form = { name, description: '', ...(ips.length > 0 && { ip: ips }) };
    return (await bed.get(`POST ${POOLS}`, { form })).pool_id as string;
  });
/** The pool that domains send from. */
const shown = async (bed: Bed): Promise<string> => {
  const id = await poolOf(bed, 'shown', ['127.0.0.2']);
  const name = await domainOf(bed, 'pooled.example.com');
  await bed.once('a domain of the pool', () =>
    bed.get(`PATCH ${POOL}`, { path: { pool_id: id }, form: { link_domain: name } }),
  );
  return id;
};
const ofShown = async (bed: Bed): Promise<Request> => ({ path: { pool_id: await shown(bed) } });
const noPool = unknown('pool_id');
const delegated = async (bed: Bed): Promise<{ subaccountId: string; poolId: string }> => {
  const [subaccountId, poolId] = [await subaccountOf(bed), await shown(bed)];
  await bed.get(`PUT ${OWN}`, { path: { subaccountId }, query: { pool_id: poolId } });
  return { subaccountId, poolId };
};
const withOwnIp = async (bed: Bed, name: string): Promise<string> => {
  const domain = await domainOf(bed, name);
  await bed.get('POST /v3/domains/{name}/ips', { path: { name: domain }, form: { ip: '127.0.0.3' } });
  return domain;
};

/** Addresses, pools, and what domains and subaccounts have of them. */
export const IP_CALLS: Calls = {
  'GET /v5/accounts/subaccounts/ip_pools/all': {
    well: async (bed) => (await delegated(bed), {}),
    wrong: withoutKey(),
  },
  [`PUT ${OWN}`]: {
    well: async (bed) => ({ path: { subaccountId: await subaccountOf(bed) }, query: { pool_id: await shown(bed) } }),
    wrong: unknown('subaccountId', { query: { pool_id: 'none' } }),
  },
  [`DELETE ${OWN}`]: {
    well: async (bed) => {
      const { subaccountId, poolId } = await delegated(bed);
      return { path: { subaccountId }, query: { pool_id: poolId } };
    },
    wrong: unknown('subaccountId', { query: { pool_id: 'none' } }),
  },
  'DELETE /v3/domains/{name}/ips/{ip}': {
    well: async (bed) => ({ path: { name: await withOwnIp(bed, 'ip-a.example.com'), ip: '127.0.0.3' } }),
    wrong: unknown('name', { path: { ip: '127.0.0.3' } }),
  },
  'DELETE /v3/domains/{name}/pool/{ip}': {
    well: async (bed) => ({ path: { name: await withOwnIp(bed, 'ip-b.example.com'), ip: 'all' } }),
    wrong: unknown('name', { path: { ip: 'all' } }),
  },
  'GET /v3/ips': { well: () => ({}), wrong: invalid({ query: { limit: 'many' } }) },
  'GET /v3/ips/{ip}': { well: () => ({ path: { ip: '127.0.0.3' } }), wrong: unknown('ip') },
  [`GET ${DOMAINS}`]: {
    well: async (bed) => (await withOwnIp(bed, 'ip-c.example.com'), { path: { ip: '127.0.0.3' } }),
    wrong: unknown('ip'),
  },
  [`POST ${DOMAINS}`]: { well: () => ({ path: { ip: '127.0.0.4' } }), wrong: unknown('ip') },
  [`DELETE ${DOMAINS}`]: {
    well: () => ({ path: { ip: '127.0.0.4' }, query: { alternative: '127.0.0.3' } }),
    wrong: unknown('ip'),
  },
  'POST /v3/ips/{addr}/ip_band': {
    well: () => ({ path: { addr: '127.0.0.7' }, form: { ip_band: 'good' } }),
    wrong: invalid({ path: { addr: '127.0.0.7' }, form: { ip_band: 'gold' } }),
  },
  'GET /v3/ips/request/new': { well: () => ({}), wrong: withoutKey() },
  'POST /v3/ips/request/new': { well: () => ({}), wrong: withoutKey() },
  [`GET ${POOLS}`]: { well: async (bed) => (await shown(bed), {}), wrong: withoutKey() },
  [`POST ${POOLS}`]: {
    well: () => ({ form: { name: 'new', description: 'A new one' } }),
    wrong: invalid({ form: { name: 'x', description: '', ip: 'none' } }),
  },
  [`GET ${POOL}`]: { well: ofShown, wrong: noPool },
  [`DELETE ${POOL}`]: { well: async (bed) => ({ path: { pool_id: await poolOf(bed, 'short') } }), wrong: noPool },
  [`PATCH ${POOL}`]: {
    well: async (bed) => ({ ...(await ofShown(bed)), form: { description: 'Changed' } }),
    wrong: unknown('pool_id', { form: { description: 'Changed' } }),
  },
  [`GET ${POOL}/domains`]: { well: ofShown, wrong: noPool },
  [`PUT ${MEMBER}`]: {
    well: async (bed) => ({ path: { pool_id: await poolOf(bed, 'members'), ip: '127.0.0.5' } }),
    wrong: unknown('pool_id', { path: { ip: '127.0.0.5' } }),
  },
  [`DELETE ${MEMBER}`]: {
    well: async (bed) => ({ path: { pool_id: await poolOf(bed, 'leaving', ['127.0.0.6']), ip: '127.0.0.6' } }),
    wrong: unknown('pool_id', { path: { ip: '127.0.0.6' } }),
  },
  [`POST ${POOL}/ips.json`]: {
    well: async (bed) => ({ path: { pool_id: await poolOf(bed, 'members') }, json: { ips: ['127.0.0.5'] } }),
    wrong: unknown('pool_id', { json: { ips: ['127.0.0.5'] } }),
  },
};
