import type { Reply } from '@galley/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';

export type HealthTotal = Reply<'GET /v1/health-score/total'>;
export type HealthGroup = Reply<'GET /v1/health-score/grouped'>['items'][number];
export type GroupName = 'domain' | 'ip' | 'subaccount' | 'timestamp';

const GROUPS_SHOWN = 100;

export const totalQuery = queryOptions({
  queryKey: ['health', 'total'],
  queryFn: ({ signal }) => api.call('GET /v1/health-score/total', {}, { signal }),
});

/** Small groups, too: each says how sure its score is. */
export const groupsQuery = (group: GroupName) =>
  queryOptions({
    queryKey: ['health', 'groups', group],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v1/health-score/grouped',
        {
          query: {
            group,
            minimum_sent: 0,
            limit: GROUPS_SHOWN,
            sort: group === 'timestamp' ? 'timestamp:asc' : 'delivered:desc',
          },
        },
        { signal },
      ),
  });
