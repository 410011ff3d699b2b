// Figures of what was sent: the sandbox domain has sent a message by then.
import type { Bed, Calls, Request } from '../bed.ts';
import { sandboxOf } from './domains.ts';
import { invalid } from './wrong.ts';

/** A message was delivered, and is in the figures. */
const counted = (bed: Bed): Promise<string> =>
  bed.once('counted', async () => {
    const domain = await sandboxOf(bed);
    const form = {
      from: `Ann <ann@${domain}>`,
      to: `delivered@${domain}`,
      subject: 'Garden notes',
      text: 'The roses are in flower.',
      'o:tag': ['spring'],
    };
    await bed.get('POST /v3/{domain_name}/messages', { path: { domain_name: domain }, form });
    const json = { metrics: ['delivered_count'], filter: { AND: [ofDomain(domain)] } };
    await bed.until('POST /v1/analytics/metrics', { json }, ({ items }) => items[0]?.metrics.delivered_count > 0);
    return domain;
  });
const ofDomain = (domain: string) => ({
  attribute: 'domain',
  comparator: '=',
  values: [{ label: domain, value: domain }],
});

const metricsQuery = async (bed: Bed): Promise<Request> => ({
  json: {
    start: new Date(Date.now() - 86_400_000).toUTCString(),
    resolution: 'day',
    dimensions: ['time', 'domain'],
    metrics: ['accepted_count', 'delivered_count', 'delivered_rate', 'unique_opened_rate'],
    filter: { AND: [ofDomain(await counted(bed))] },
    include_aggregates: true,
  },
});

/** Metrics and what was used. */
export const FIGURE_CALLS: Calls = {
  'POST /v1/analytics/metrics': {
    well: metricsQuery,
    wrong: invalid({ json: { metrics: ['sneezed_count'] } }),
  },
  'POST /v1/analytics/usage/metrics': {
    well: async () => ({
      json: {
        duration: '7d',
        dimensions: ['time'],
        metrics: ['email_preview_count', 'processed_count'],
        include_aggregates: true,
      },
    }),
    wrong: invalid({ json: { dimensions: ['weather'] } }),
  },
};
