// What the list of messages asks of the logs.
import { KINDS } from '../../../shared/send/event-words.ts';
import { condition, type LogsBody } from '../../../shared/send/send-api.ts';
import { DAYS, type MessagesSearch } from './messages-search.ts';

/** Midnight in the reader's zone, some days on, as RFC 2822 has it. */
function midnight(date: string, daysOn: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(year, month - 1, day + daysOn).toUTCString();
}

function startOf({ from, to }: MessagesSearch): string {
  if (from) return midnight(from, 0);
  if (to) return midnight(to, 1 - DAYS);
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS).toUTCString();
}

/** The query of the logs, but for the page. */
export function bodyOf(search: MessagesSearch): LogsBody {
  const { q, by = 'recipient', event, domain, to } = search;
  const kind = event && KINDS[event];
  const words = by === 'message_id' ? q?.trim().replace(/^<(.*)>$/, '$1') : q?.trim();
  const isWhole = by === 'message_id' || by === 'tag';
  return {
    start: startOf(search),
    ...(to && { end: midnight(to, 1) }),
    ...(kind && { events: [...kind.events] }),
    filter: {
      AND: [
        ...(words ? [condition(by, words, isWhole ? '=' : 'contains')] : []),
        ...(kind?.severity ? [condition('severity', kind.severity)] : []),
        ...(domain ? [condition('domain', domain)] : []),
      ],
    },
    include_subaccounts: false,
    include_totals: false,
  };
}
