// Addresses and pools as rows of files.
import { api } from '../../../ground/api.ts';
import { onePage, skipPages, type ListExport } from '../../../shared/send/list-pages.ts';
import type { IpPool } from './ips-api.ts';

const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no');

export const ipsExport = (pools: readonly IpPool[]): ListExport => ({
  columns: [
    'address',
    'dedicated',
    'enabled',
    'warming up',
    'host name',
    'reverse DNS',
    'state of reverse DNS',
    'pool',
  ],
  pages: (signal) =>
    skipPages(
      async (page) => (await api.call('GET /v3/ips', { query: page }, { signal })).details,
      (one) => [
        one.ip,
        yesOrNo(one.dedicated),
        yesOrNo(one.enabled),
        yesOrNo(one.is_on_warmup),
        one.host_name,
        one.rdns,
        one.rdns_state,
        pools.find(({ pool_id: id }) => id === one.pool_id)?.name ?? one.pool_id,
      ],
    ),
});

export const poolsExport = (pools: readonly IpPool[]): ListExport => ({
  columns: ['pool', 'description', 'addresses', 'linked', 'delegated by the parent account', 'id'],
  pages: () =>
    onePage(
      pools.map((one) => [
        one.name,
        one.description,
        one.ips.join(' '),
        yesOrNo(one.is_linked),
        yesOrNo(one.is_inherited),
        one.pool_id,
      ]),
    ),
});
