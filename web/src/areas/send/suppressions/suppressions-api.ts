// What the page of suppressions asks of the service: four lists that are alike but for what an entry says.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';
import type { ListName, SuppressionsSearch } from './suppressions-search.ts';

/** An entry of any of the lists. */
export interface Reply {
  address?: string;
  value?: string;
  code?: string;
  error?: string;
  tags?: string[];
  reason?: string;
  created_at?: string;
  createdAt?: string;
}

export interface Entry {
  /** An address; on the allowlist, a domain too. */
  name: string;
  since: Date;
  /** What the list says of it, as words. */
  about: string;
}

export const ENTRIES_PER_PAGE = 50;

/** The operations of the lists differ by the name alone. */
export const named = <Operation extends string>(operation: Operation, list: ListName): Operation =>
  operation.replace('bounces', list) as Operation;

function aboutOf(list: ListName, { code = '', error = '', tags = [], reason = '' }: Reply): string {
  if (list === 'bounces') return `${error.startsWith(code) ? '' : code} ${error}`.trim();
  if (list === 'unsubscribes') return tags.includes('*') ? 'Every message' : `Messages tagged ${tags.join(', ')}`;
  return list === 'whitelists' ? reason : '';
}

function entryOf(list: ListName, reply: Reply): Entry {
  return {
    name: reply.address ?? reply.value ?? '',
    since: new Date(reply.created_at ?? reply.createdAt ?? 0),
    about: aboutOf(list, reply),
  };
}

/** A page of a list of a domain. */
export function entriesQuery(list: ListName, domain: string, { term, page, address }: SuppressionsSearch) {
  return queryOptions({
    queryKey: ['suppressions', list, domain, { term, page, address }],
    queryFn: async ({ signal }) => {
      const query = {
        limit: ENTRIES_PER_PAGE,
        ...(term !== undefined && { term }),
        ...(page !== undefined && { page, address }),
      };
      const { items } = await api.call(
        named('GET /v3/{domain_name}/bounces', list),
        { path: { domain_name: domain }, query },
        { signal },
      );
      return (items as Reply[]).map((item) => entryOf(list, item));
    },
    placeholderData: keepPreviousData,
  });
}

/** Adds one entry. */
export function addEntry(list: ListName, domain: string, fields: Record<string, string>): Promise<{ message: string }> {
  const given = { path: { domain_name: domain }, body: fields as { address: string } };
  return api.call(named('POST /v3/{domain_name}/bounces', list), given);
}

export function removeEntry(list: ListName, domain: string, name: string): Promise<{ message: string }> {
  const key = list === 'whitelists' ? 'value' : 'address';
  const operation = named('DELETE /v3/{domain_name}/bounces/{address}', list).replace('{address}', `{${key}}`);
  const path = { domain_name: domain, [key]: name };
  return api.call(operation as 'DELETE /v3/{domain_name}/bounces/{address}', {
    path: path as { domain_name: string; address: string },
  });
}

/** Adds what a spreadsheet holds; it is written after the answer. */
export function importFile(list: ListName, domain: string, file: File) {
  const form = new FormData();
  form.append('file', file);
  const given = { path: { domain_name: domain }, body: form };
  return api.call(named('POST /v3/{domain_name}/bounces/import', list), given);
}
