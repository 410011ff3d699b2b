// Domains in dynamic pools, and how they came there, as rows of files.
import { api } from '../../../ground/api.ts';
import { csvTime } from '../../../ground/csv.ts';
import { skipPages, type ListExport } from '../../../shared/send/list-pages.ts';

export const domainsExport: ListExport = {
  columns: [
    'domain',
    'account',
    'pool',
    'kept there',
    'processed',
    'bounce rate',
    'complaint rate',
    'reason',
    'since (UTC)',
  ],
  pages: (signal) =>
    skipPages(
      async (page) => (await api.call('GET /v1/dynamic_pools/domains', { query: page }, { signal })).items,
      (one) => [
        one.name,
        one.account_name,
        one.pool,
        one.override ? 'yes' : 'no',
        one.processed_count,
        one.bounce_rate,
        one.complaint_rate,
        one.reason,
        csvTime(one.pool_since),
      ],
    ),
};

export const historyExport: ListExport = {
  columns: [
    'time (UTC)',
    'domain',
    'account',
    'from',
    'to',
    'processed',
    'bounce rate',
    'complaint rate',
    'reason',
    'by',
  ],
  pages: (signal) =>
    skipPages(
      async (page) => {
        const query = { ...page, include_subaccounts: true };
        return (await api.call('GET /v1/dynamic_pools/history', { query }, { signal })).items;
      },
      (one) => [
        csvTime(one.timestamp),
        one.domain_name,
        one.account_name,
        one.prev_band,
        one.new_band,
        one.processed_count,
        one.bounce_rate,
        one.complaint_rate,
        one.reason,
        one.initiated_by,
      ],
    ),
};
