import { queryOptions } from '@tanstack/react-query';
import { api } from '../../ground/api.ts';

/** How people may sign in here. */
export const waysQuery = queryOptions({
  queryKey: ['sign-in-ways'],
  queryFn: ({ signal }) => api.call('GET /v1/session/ways', {}, { signal }),
  staleTime: 300_000,
});
