// Inboxes and their messages as rows of files.
import { api } from '../../../ground/api.ts';
import { csvTime } from '../../../ground/csv.ts';
import { skipPages, type ListExport } from '../../../shared/send/list-pages.ts';

export const inboxesExport: ListExport = {
  columns: ['inbox', 'login', 'messages', 'unread', 'bytes', 'most messages', 'kept days', 'created (UTC)'],
  pages: (signal) =>
    skipPages(
      async (page) => (await api.call('GET /v1/sandbox', { query: page }, { signal })).items,
      (one) => [
        one.name,
        one.smtp_user,
        one.message_count,
        one.unread_count,
        one.size_bytes,
        one.messages_max,
        one.retention_days,
        csvTime(one.created_at),
      ],
    ),
};

const COLUMNS = [
  'received (UTC)',
  'from',
  'to',
  'subject',
  'recipients',
  'bytes',
  'attachments',
  'method',
  'tags',
  'read',
];

/** The messages of an inbox that a search finds, newest first. */
export const messagesExport = (inbox: string, search: string | undefined): ListExport => ({
  columns: [...COLUMNS, 'address of the program', 'expires (UTC)', 'id'],
  pages: (signal) =>
    skipPages(
      async (page) => {
        const query = { ...page, ...(search !== undefined && { search }) };
        return (await api.call('GET /v1/sandbox/{inbox}/messages', { path: { inbox }, query }, { signal })).items;
      },
      (one) => [
        csvTime(one.received_at),
        one.from,
        one.to,
        one.subject,
        one.recipients.join(' '),
        one.size_bytes,
        one.attachment_count,
        one.method,
        one.tags.join(', '),
        one.is_read ? 'yes' : 'no',
        one.remote_address,
        csvTime(one.expires_at),
        one.id,
      ],
    ),
});
