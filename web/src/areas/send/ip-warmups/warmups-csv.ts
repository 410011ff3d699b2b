// Warm-ups as rows of a file.
import { api } from '../../../ground/api.ts';
import { csvTime } from '../../../ground/csv.ts';
import { skipPages, type ListExport } from '../../../shared/send/list-pages.ts';

export const warmupsExport: ListExport = {
  columns: [
    'address',
    'state',
    'started (UTC)',
    'stage',
    'stages',
    'sent in the stage',
    'stage ends (UTC)',
    'warm (UTC)',
  ],
  pages: (signal) =>
    skipPages(
      async (page) => (await api.call('GET /v1/galley/ip_warmups', { query: page }, { signal })).items,
      (one) => [
        one.ip,
        one.state,
        csvTime(one.started_at),
        one.stage,
        one.stages.join(' '),
        one.sent,
        csvTime(one.stage_ends_at),
        csvTime(one.warm_at),
      ],
    ),
};
