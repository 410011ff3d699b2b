// What waits, as rows of a file.
import { api } from '../../../ground/api.ts';
import { csvTime } from '../../../ground/csv.ts';
import { skipPages, type ListExport } from '../../../shared/send/list-pages.ts';
import type { QueueSearch } from './queue-search.ts';

const COLUMNS = ['recipient', 'domain', 'destination', 'state', 'reason', 'attempts', 'next attempt (UTC)'];
const MORE = ['given up (UTC)', 'last code', 'last reply', 'subject', 'from', 'message id', 'id'];

/** The deliveries that a search asks for, next first. */
export const queueExport = ({ page: _page, ...search }: QueueSearch): ListExport => ({
  columns: [...COLUMNS, ...MORE],
  pages: (signal) =>
    skipPages(
      async (page) =>
        (await api.call('GET /v1/galley/queue/deliveries', { query: { ...search, ...page } }, { signal })).items,
      ({ message, last_attempt: last, ...one }) => [
        one.recipient,
        one.domain,
        one.destination,
        one.state,
        one.reason,
        one.attempts,
        csvTime(one.next_attempt_at),
        csvTime(one.give_up_at),
        last?.code ?? null,
        last?.message ?? null,
        message.subject,
        message.from,
        message.id,
        one.id,
      ],
    ),
});
