// Lists and their members as files; those of members have the columns that an upload reads.
import { api } from '../../../ground/api.ts';
import { csvTime } from '../../../ground/csv.ts';
import { pivotPages, skipPages, type ListExport } from '../../../shared/send/list-pages.ts';
import type { MailingList, Member } from './lists-api.ts';

export const listsExport: ListExport = {
  columns: ['address', 'name', 'description', 'who may write', 'answers', 'members', 'created (UTC)'],
  pages: (signal) =>
    skipPages<MailingList>(
      async (page) => (await api.call('GET /v3/lists', { query: page }, { signal })).items,
      (list) => [
        list.address,
        list.name,
        list.description,
        list.access_level,
        list.reply_preference,
        list.members_count,
        csvTime(list.created_at),
      ],
    ),
};

export const membersExport = (address: string, subscribed: 'yes' | 'no' | undefined): ListExport => ({
  columns: ['address', 'name', 'subscribed', 'vars'],
  pages: (signal) =>
    pivotPages<Member>(
      async (after, limit) => {
        const query = {
          limit,
          ...(subscribed !== undefined && { subscribed }),
          ...(after && { page: 'next' as const, address: after.address }),
        };
        const given = { path: { list_address: address }, query };
        return (await api.call('GET /v3/lists/{list_address}/members/pages', given, { signal })).items;
      },
      (member) => [member.address, member.name, member.subscribed ? 'yes' : 'no', JSON.stringify(member.vars)],
    ),
});
