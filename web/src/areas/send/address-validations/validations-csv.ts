// Lists that were validated, as rows of a file.
import { api } from '../../../ground/api.ts';
import { csvTime } from '../../../ground/csv.ts';
import { fromUnix } from '../../../ground/words.ts';
import { pivotPages, type ListExport } from '../../../shared/send/list-pages.ts';
import { RESULTS, RISKS } from './validation-words.ts';
import type { Job } from './validations-api.ts';

/** As many as the service gives at once. */
const LIMIT = 500;

export const jobsExport: ListExport = {
  columns: [
    'name',
    'created (UTC)',
    'state',
    'addresses',
    'validated',
    ...RESULTS.map(({ value }) => value),
    ...RISKS.map(({ value }) => `risk ${value}`),
    'reason',
  ],
  pages: (signal) =>
    pivotPages<Job>(
      async (after, limit) => {
        const query = { limit, ...(after && { page: 'next' as const, pivot: after.id }) };
        return (await api.call('GET /v4/address/validate/bulk', { query }, { signal })).jobs;
      },
      ({ id, created_at: created, status, quantity, records_processed: done, summary, reason }) => [
        id,
        csvTime(fromUnix(created).toISOString()),
        status,
        quantity,
        done,
        ...RESULTS.map(({ value }) => summary.result[value]),
        ...RISKS.map(({ value }) => summary.risk[value]),
        reason ?? null,
      ],
      LIMIT,
    ),
};
