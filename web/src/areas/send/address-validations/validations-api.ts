// What the page of address validation asks of the service.
import type { Reply } from '@galley/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';
import { pollMs } from '../../../ground/polling.ts';

export type Validation = Reply<'POST /v4/address/validate'>;
export type Check = Validation['checks'][number];
export type Job = Reply<'GET /v4/address/validate/bulk'>['jobs'][number];
export type Result = Validation['result'];
export type Risk = Validation['risk'];

export const JOBS_PER_PAGE = 25;
const POLL_MS = 1500;

const isUnderWay = ({ status }: Job): boolean => status === 'created' || status === 'processing';

/** A page of lists by name; `after` is the last name of the page before. */
export function jobsQuery(after: string | undefined) {
  return queryOptions({
    queryKey: ['validation-jobs', after],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v4/address/validate/bulk',
        { query: { limit: JOBS_PER_PAGE, ...(after !== undefined && { page: 'next' as const, pivot: after }) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: (query) => pollMs(query, ({ jobs }) => jobs.some(isUnderWay), POLL_MS),
  });
}

export function startList(name: string, file: File) {
  const form = new FormData();
  form.append('file', file);
  const given = { path: { list_id: name }, body: form };
  return api.call('POST /v4/address/validate/bulk/{list_id}', given);
}
