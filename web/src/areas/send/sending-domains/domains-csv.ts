// The sending domains, and who logs in to send from one, as rows of files.
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

/** The logins of a domain; their passwords are told once, when they are made. */
export const credentialsExport = (domain: string): ListExport => ({
  columns: ['login', 'created (UTC)'],
  pages: (signal) =>
    skipPages(
      async (page) => {
        const given = { path: { domain_name: domain }, query: page };
        return (await api.call('GET /v3/domains/{domain_name}/credentials', given, { signal })).items;
      },
      (one) => [one.login, csvTime(one.created_at)],
    ),
});
