// The lists as files, with the columns that an import reads.
import { api } from '../../../ground/api.ts';
import type { CsvCell } from '../../../ground/csv.ts';
import { pivotPages, type ListExport } from '../../../shared/send/list-pages.ts';
import { named, type Reply } from './suppressions-api.ts';
import type { ListName } from './suppressions-search.ts';

type Column = readonly [name: string, cell: (reply: Reply) => CsvCell];

const addressOf = ({ address, value }: Reply): string => address ?? value ?? '';
const ADDRESS: Column = ['address', addressOf];
const SINCE: Column = ['created_at', (reply) => reply.created_at ?? reply.createdAt ?? null];
const COLUMNS: Readonly<Record<ListName, readonly Column[]>> = {
  bounces: [ADDRESS, ['code', ({ code = '' }) => code], ['error', ({ error = '' }) => error], SINCE],
  unsubscribes: [ADDRESS, ['tags', ({ tags = [] }) => tags.join(',')], SINCE],
  complaints: [ADDRESS, SINCE],
  whitelists: [ADDRESS, ['reason', ({ reason = '' }) => reason], SINCE],
};

/** The entries of a list of a domain whose addresses begin so. */
export function entriesExport(list: ListName, domain: string, term: string | undefined): ListExport {
  const columns = COLUMNS[list];
  return {
    columns: columns.map(([name]) => name),
    pages: (signal) =>
      pivotPages<Reply>(
        async (after, limit) => {
          const query = {
            limit,
            ...(term !== undefined && { term }),
            ...(after && { page: 'next' as const, address: addressOf(after) }),
          };
          const given = { path: { domain_name: domain }, query };
          return (await api.call(named('GET /v3/{domain_name}/bounces', list), given, { signal })).items as Reply[];
        },
        (reply) => columns.map(([, cell]) => cell(reply)),
      ),
  };
}
