// Events as rows of a file.
import { csvTime, type CsvCell } from '../../../ground/csv.ts';
import type { ListExport, RowPages } from '../../../shared/send/list-pages.ts';
import { replyOf } from '../../../shared/send/event-words.ts';
import { readEvents, type LogsBody, type SendEvent } from '../../../shared/send/send-api.ts';

/** What readers' events have of their own. */
type Told = SendEvent & {
  url?: string;
  geolocation?: { country?: string };
  'client-info'?: { 'client-name'?: string; 'device-type'?: string; bot?: string };
  'recipient-provider'?: string;
};

type Column = readonly [name: string, cell: (event: Told) => CsvCell | undefined];

const COLUMNS: readonly Column[] = [
  ['time (UTC)', (event) => csvTime(event['@timestamp'])],
  ['event', ({ event }) => event],
  ['severity', ({ severity }) => severity],
  ['reason', ({ reason }) => reason],
  ['recipient', ({ recipient }) => recipient],
  ['domain', ({ domain }) => domain.name],
  ['from', ({ message }) => message?.headers?.from],
  ['subject', ({ message }) => message?.headers?.subject],
  ['message id', ({ message }) => message?.headers?.['message-id']],
  ['tags', ({ tags }) => tags?.join(' ')],
  ['provider', (event) => event['recipient-provider']],
  ['code', (event) => event['delivery-status']?.code],
  ['reply', (event) => (event['delivery-status'] ? replyOf(event['delivery-status']) : undefined)],
  ['link', ({ url }) => url],
  ['country', ({ geolocation }) => geolocation?.country],
  ['device', (event) => event['client-info']?.['device-type']],
  ['client', (event) => event['client-info']?.['client-name']],
  ['program', (event) => event['client-info']?.bot],
  ['id', ({ id }) => id],
];

async function* pagesOf(body: LogsBody, signal: AbortSignal): RowPages {
  for (let token: string | undefined; ;) {
    const { items, pagination } = await readEvents(body, { sort: 'desc', token, limit: 100 }, signal);
    if (items.length > 0) yield items.map((event) => COLUMNS.map(([, cell]) => cell(event as Told) ?? null));
    // The end answers its own place again; a page that ended early answers where it goes on.
    if (items.length === 0 && (token === undefined || pagination.next === token)) return;
    token = pagination.next;
  }
}

/** The events that a query asks for, newest first. */
export const eventsExport = (body: LogsBody): ListExport => ({
  columns: COLUMNS.map(([name]) => name),
  pages: (signal) => pagesOf(body, signal),
});
