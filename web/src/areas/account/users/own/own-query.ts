import type { Reply } from '@galley/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../../ground/api.ts';

export type OwnUser = Reply<'GET /v5/users/me'>;

export const OWN_USER_KEY = ['own-user'];

export const ownUserQuery = queryOptions({
  queryKey: OWN_USER_KEY,
  queryFn: ({ signal }) => api.call('GET /v5/users/me', {}, { signal }),
});

export const secondFactorQuery = queryOptions({
  queryKey: [...OWN_USER_KEY, 'second-factor'],
  queryFn: ({ signal }) => api.call('GET /v5/users/me/second-factor', {}, { signal }),
});

export type Passkey = Reply<'GET /v5/users/me/passkeys'>['items'][number];

export const PASSKEYS_KEY = [...OWN_USER_KEY, 'passkeys'];

export const passkeysQuery = queryOptions({
  queryKey: PASSKEYS_KEY,
  queryFn: ({ signal }) => api.call('GET /v5/users/me/passkeys', {}, { signal }),
});

export const OWN_SESSIONS_KEY = ['own-sessions'];

export const ownSessionsQuery = queryOptions({
  queryKey: OWN_SESSIONS_KEY,
  queryFn: async ({ signal }) => (await api.call('GET /v1/sessions', { query: { own: true } }, { signal })).items,
});
