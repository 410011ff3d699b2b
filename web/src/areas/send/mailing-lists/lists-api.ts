// What the pages of mailing lists ask of the service.
import type { Reply } from '@galley/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';
import type { ListSearch } from './lists-search.ts';

export type MailingList = Reply<'GET /v3/lists'>['items'][number];
export type Member = Reply<'GET /v3/lists/{list_address}/members'>['items'][number];
export type Upload = Reply<'GET /v1/galley/lists/{list_address}/uploads/{task_id}'>;

/** Rows of a page, of lists and of members. */
export const ROWS = 50;
const POLL_MS = 700;

export type Settings = Pick<MailingList, 'address' | 'name' | 'description' | 'access_level' | 'reply_preference'>;

export function listsQuery(page: number) {
  return queryOptions({
    queryKey: ['mailing-lists', page],
    queryFn: ({ signal }) => api.call('GET /v3/lists', { query: { limit: ROWS, skip: (page - 1) * ROWS } }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function listQuery(address: string) {
  return queryOptions({
    queryKey: ['mailing-list', address],
    queryFn: async ({ signal }) =>
      (await api.call('GET /v3/lists/{list_address}', { path: { list_address: address } }, { signal })).list,
  });
}

interface Members {
  items: Member[];
  /** Undefined: as many as there are. */
  total: number | undefined;
  /** More of those that begin so than are shown. */
  hasMore: boolean;
}

/** The members whose addresses begin so, in one page: those that stand behind that text, and the text itself. */
async function find(address: string, { term = '', subscribed }: ListSearch, signal: AbortSignal): Promise<Members> {
  const begin = term.trim().toLowerCase();
  const path = { list_address: address };
  const only = subscribed === undefined ? {} : { subscribed };
  const [{ items: own }, { items: behind }] = await Promise.all([
    api.call('GET /v3/lists/{list_address}/members', { path, query: { address: begin, ...only } }, { signal }),
    api.call(
      'GET /v3/lists/{list_address}/members/pages',
      { path, query: { page: 'next', address: begin, limit: ROWS, ...only } },
      { signal },
    ),
  ]);
  const found = behind.filter((member) => member.address.startsWith(begin));
  return { items: [...own, ...found], total: undefined, hasMore: found.length === ROWS };
}

export function membersQuery(address: string, search: ListSearch) {
  const { page = 1, term, subscribed } = search;
  return queryOptions({
    queryKey: ['list-members', address, { page, term, subscribed }],
    queryFn: async ({ signal }): Promise<Members> => {
      if (term !== undefined) return find(address, search, signal);
      const query = { limit: ROWS, skip: (page - 1) * ROWS, ...(subscribed !== undefined && { subscribed }) };
      const given = { path: { list_address: address }, query };
      const reply = await api.call('GET /v3/lists/{list_address}/members', given, { signal });
      return { items: reply.items, total: reply.total_count, hasMore: false };
    },
    placeholderData: keepPreviousData,
  });
}

/** What became of an upload; asked again until it is finished. */
export function uploadQuery(address: string, taskId: string) {
  return queryOptions({
    queryKey: ['list-upload', address, taskId],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v1/galley/lists/{list_address}/uploads/{task_id}',
        { path: { list_address: address, task_id: taskId } },
        { signal },
      ),
    refetchInterval: ({ state }) => (state.data?.state === 'finished' ? false : POLL_MS),
  });
}

export const createList = (settings: Settings): Promise<{ list: MailingList }> =>
  api.call('POST /v3/lists', { body: settings });

export const changeList = (address: string, settings: Settings): Promise<{ list: MailingList }> =>
  api.call('PUT /v3/lists/{list_address}', { path: { list_address: address }, body: settings });

export const removeList = (address: string): Promise<unknown> =>
  api.call('DELETE /v3/lists/{list_address}', { path: { list_address: address } });

export interface MemberFields {
  address: string;
  name: string;
  vars: string;
}

export const addMember = (address: string, fields: MemberFields): Promise<unknown> =>
  api.call('POST /v3/lists/{list_address}/members', { path: { list_address: address }, body: fields });

const pathOf = (address: string, member: string) => ({ list_address: address, member_address: member });

export const changeMember = (address: string, member: string, fields: MemberFields): Promise<unknown> =>
  api.call('PUT /v3/lists/{list_address}/members/{member_address}', { path: pathOf(address, member), body: fields });

export const subscribe = (address: string, member: string, isSubscribed: boolean): Promise<unknown> =>
  api.call('PUT /v3/lists/{list_address}/members/{member_address}', {
    path: pathOf(address, member),
    body: { subscribed: isSubscribed ? 'yes' : 'no' },
  });

export const removeMember = (address: string, member: string): Promise<unknown> =>
  api.call('DELETE /v3/lists/{list_address}/members/{member_address}', { path: pathOf(address, member) });

/** Adds what a file holds, or a text as if it were one; answers the task that writes it. */
export async function uploadMembers(address: string, file: File, isUpsert: boolean): Promise<string> {
  const form = new FormData();
  form.append('upsert', isUpsert ? 'yes' : 'no');
  form.append('members', file);
  const given = { path: { list_address: address }, body: form };
  return (await api.call('POST /v3/lists/{list_address}/members.csv', given))['task-id'];
}
