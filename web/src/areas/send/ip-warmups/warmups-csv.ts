// Warm-ups as rows of a file.
import { api } from '../../../ground/api.ts';
import { csvTime } from '../../../ground/csv.ts';
import { onePage, skipPages, type ListExport } from '../../../shared/send/list-pages.ts';
import type { Decision } from './warmups-api.ts';

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

const SIGNALS = ['bounces', 'complaints', 'reputation'] as const;

/** The stages of an address that ended, and what decided about the next. */
export const decisionsExport = (decisions: readonly Decision[]): ListExport => ({
  columns: [
    'ended (UTC)',
    'stage',
    'volume',
    'sent',
    'verdict',
    'next stage',
    'why',
    ...SIGNALS.flatMap((name) => [name, `${name} of`]),
  ],
  pages: () =>
    onePage(
      decisions.map(({ signals, ...one }) => [
        csvTime(one.ended_at),
        one.stage,
        one.volume,
        one.sent,
        one.verdict,
        one.next_stage,
        one.why,
        ...SIGNALS.flatMap((name) => {
          const signal = signals.find((found) => found.name === name);
          return [signal?.count ?? null, signal?.of ?? null];
        }),
      ]),
    ),
});
