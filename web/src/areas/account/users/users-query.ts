import type { Reply } from '@galley/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';

export type AccountUser = Reply<'GET /v5/users'>['users'][number];
export type UserRole = AccountUser['role'];

export const USERS_KEY = ['users'];
export const USERS_PER_PAGE = 100;

export const usersQuery = (page: number) =>
  queryOptions({
    queryKey: [...USERS_KEY, page],
    queryFn: ({ signal }) =>
      api.call('GET /v5/users', { query: { limit: USERS_PER_PAGE, skip: (page - 1) * USERS_PER_PAGE } }, { signal }),
  });

export const ROLES = [
  { value: 'admin', label: 'Admin' },
  { value: 'developer', label: 'Developer' },
  { value: 'support', label: 'Support' },
  { value: 'billing', label: 'Billing' },
  { value: 'basic', label: 'Basic' },
] as const satisfies readonly { value: UserRole; label: string }[];

/** What a person is called. */
export const nameOf = ({ name, email }: Pick<AccountUser, 'name' | 'email'>): string => name || email;
