// The sending domains as rows of a file.
import { api } from '../../../ground/api.ts';
import { csvTime } from '../../../ground/csv.ts';
import { skipPages, type ListExport } from '../../../shared/send/list-pages.ts';

export const domainsExport: ListExport = {
  columns: ['domain', 'type', 'state', 'added (UTC)', 'verified (UTC)', 'requires TLS', 'id'],
  pages: (signal) =>
    skipPages(
      async (page) => (await api.call('GET /v4/domains', { query: page }, { signal })).items,
      (one) => [
        one.name,
        one.type,
        one.state,
        csvTime(one.created_at),
        csvTime(one.verified_at),
        one.require_tls ? 'yes' : 'no',
        one.id,
      ],
    ),
};
