// What the gate holds or checked, as rows of a file.
import { api } from '../../../ground/api.ts';
import { csvTime } from '../../../ground/csv.ts';
import { skipPages, type ListExport } from '../../../shared/send/list-pages.ts';
import type { HeldSearch } from './held-search.ts';

const COLUMNS = ['accepted (UTC)', 'domain', 'mode', 'state', 'verdict', 'reason', 'recipients', 'waiting'];
const MORE = ['held until (UTC)', 'decided (UTC)', 'decided by', 'subject', 'from', 'message id', 'gate'];

/** What the service is asked for by a search. */
export const queryOf = ({ show, domain }: HeldSearch) => ({
  ...(show !== 'all' && { state: 'waiting' as const }),
  ...(domain !== undefined && { domain }),
});

/** The messages that a search asks for, newest first. */
export const heldExport = (search: HeldSearch): ListExport => ({
  columns: [...COLUMNS, ...MORE],
  pages: (signal) =>
    skipPages(
      async (page) =>
        (await api.call('GET /v1/galley/gate/messages', { query: { ...queryOf(search), ...page } }, { signal })).items,
      ({ message, verdict, ...one }) => [
        csvTime(one.created_at),
        one.domain,
        one.mode,
        one.state,
        verdict.state,
        one.reason,
        one.recipients,
        one.waiting,
        csvTime(one.held_until),
        csvTime(one.decided_at),
        one.decided_by,
        message.subject,
        message.from,
        message.id,
        verdict.gate_id,
      ],
    ),
});
