import type { Reply } from '@galley/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';

export type Trap = Reply<'GET /v1/spamtraps/traps'>['items'][number];
export type Hit = Reply<'GET /v1/spamtraps/hits'>['items'][number];
export type Feed = Reply<'GET /v1/spamtraps/feeds'>['items'][number];
export type TrapType = Trap['type'];

/** What each type says of a list. */
export const TYPES: Readonly<Record<TrapType, string>> = {
  pristine: 'Never used by anybody: a hit says that addresses were bought or guessed.',
  recycled: 'Given up long ago: a hit says that a list is not cleaned.',
  typo: 'A mistyped provider: a hit says that addresses are not confirmed.',
  harvested: 'Collected from web pages: a hit says that addresses were scraped.',
};

const DAYS_SHOWN = 30;
const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

export interface TrapDay extends Record<TrapType, number> {
  date: string;
  total: number;
}

export const daysQuery = queryOptions({
  queryKey: ['traps', 'days'],
  queryFn: async ({ signal }) => {
    const query = { start: dayAgo(DAYS_SHOWN - 1), end: dayAgo(0) };
    const { items } = await api.call('GET /v1/spamtraps', { query }, { signal });
    return items as TrapDay[];
  },
});

export const hitsQuery = queryOptions({
  queryKey: ['traps', 'hits'],
  queryFn: ({ signal }) => api.call('GET /v1/spamtraps/hits', { query: { limit: 50 } }, { signal }),
});

export const trapsQuery = queryOptions({
  queryKey: ['traps', 'traps'],
  queryFn: ({ signal }) => api.call('GET /v1/spamtraps/traps', { query: { limit: 1000 } }, { signal }),
});

export const findingsQuery = queryOptions({
  queryKey: ['traps', 'findings'],
  queryFn: ({ signal }) => api.call('GET /v1/spamtraps/findings', {}, { signal }),
});

export const feedsQuery = queryOptions({
  queryKey: ['traps', 'feeds'],
  queryFn: ({ signal }) => api.call('GET /v1/spamtraps/feeds', {}, { signal }),
});
