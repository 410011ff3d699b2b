// Figures of what was sent: the sandbox domain has sent a message by then.
import type { Bed, Calls, Request } from '../bed.ts';
import { sandboxOf } from './domains.ts';
import { invalid, unknown, withoutKey } from './wrong.ts';

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

const STATS = { event: 'accepted', duration: '7d' };
/** Of the sandbox domain, whose message has the tag `spring`. */
const ofSandbox =
  (query: Record<string, string> = {}) =>
  async (bed: Bed): Promise<Request> => ({ path: { domain: await counted(bed) }, query });
/** A tag of its own: it ends with the call. */
const newTag = async (bed: Bed, tag: string): Promise<Request> => {
  const domain = await counted(bed);
  const form = { from: `Ann <ann@${domain}>`, to: `delivered@${domain}`, subject: 'Tags', text: 'x', 'o:tag': [tag] };
  await bed.get('POST /v3/{domain_name}/messages', { path: { domain_name: domain }, form });
  const isThere = ({ items }: { items: unknown[] }): boolean => items.length > 0;
  await bed.until('POST /v1/analytics/tags', { json: { tag } }, isThere);
  return { path: { domain }, query: { tag } };
};

/**
 * The older forms: by the domain in the path, or of all domains. The sandbox domain delivers to itself: its recipients
 * are at no provider that is known, and nobody reads, so tables of providers, devices and countries are empty.
 */
const OLD_CALLS: Calls = {
  'GET /v3/{domain}/tags': { well: ofSandbox({ limit: '10' }), wrong: unknown('domain') },
  'GET /v3/{domain}/tag': { well: ofSandbox({ tag: 'spring' }), wrong: invalid(ofSandbox()) },
  'PUT /v3/{domain}/tag': {
    well: ofSandbox({ tag: 'spring', description: 'Flowers' }),
    wrong: invalid(ofSandbox()),
  },
  'DELETE /v3/{domain}/tag': { well: (bed) => newTag(bed, 'autumn'), wrong: invalid(ofSandbox()) },
  'GET /v3/{domain}/tag/stats': {
    well: ofSandbox({ ...STATS, tag: 'spring' }),
    wrong: invalid(ofSandbox({ tag: 'spring', event: 'sneezed' })),
  },
  'GET /v3/{domain}/tag/stats/aggregates': {
    well: ofSandbox({ tag: 'spring', type: 'provider' }),
    wrong: invalid(ofSandbox({ tag: 'spring', type: 'weather' })),
    mayBeEmpty: ['provider{}'],
  },
  'GET /v3/domains/{domain}/tag/devices': { well: ofSandbox(), wrong: unknown('domain') },
  'GET /v3/domains/{domain}/tag/providers': { well: ofSandbox(), wrong: unknown('domain') },
  'GET /v3/domains/{domain}/tag/countries': { well: ofSandbox(), wrong: unknown('domain') },
  'GET /v3/domains/{domain}/limits/tag': { well: ofSandbox(), wrong: unknown('domain') },
  'GET /v3/{domain}/stats/total': { well: ofSandbox(STATS), wrong: invalid(ofSandbox({ event: 'sneezed' })) },
  'GET /v3/stats/total': {
    well: async () => ({ query: STATS }),
    wrong: invalid({ query: { event: 'sneezed' } }),
  },
  'GET /v3/stats/total/domains': {
    well: async () => ({ query: { event: 'accepted', timestamp: new Date().toUTCString() } }),
    wrong: invalid({ query: { event: 'accepted', timestamp: 'soon' } }),
  },
  'GET /v3/stats/filter': {
    well: async (bed) => ({ query: { ...STATS, filter: `domain:${await counted(bed)}` } }),
    wrong: invalid({ query: { ...STATS, filter: 'weather:sunny' } }),
  },
  'GET /v3/{domain}/aggregates/providers': {
    well: ofSandbox(),
    wrong: unknown('domain'),
    mayBeEmpty: ['providers{}'],
  },
  'GET /v3/{domain}/aggregates/devices': {
    well: ofSandbox(),
    wrong: unknown('domain'),
    mayBeEmpty: ['devices{}'],
  },
  'GET /v3/{domain}/aggregates/countries': {
    well: ofSandbox(),
    wrong: unknown('domain'),
    mayBeEmpty: ['countries{}'],
  },
};

const BOUNCES = '/v1/bounce-classification';
/** A recipient of the sandbox domain refused a message, and is in the figures of bounces. */
const bounced = (bed: Bed): Promise<string> =>
  bed.once('bounced', async () => {
    const domain = await counted(bed);
    const form = { from: `Ann <ann@${domain}>`, to: `bounced@${domain}`, subject: 'Notes', text: 'x' };
    await bed.get('POST /v3/{domain_name}/messages', { path: { domain_name: domain }, form });
    const isThere = ({ items }: { items: unknown[] }): boolean => items.length > 0;
    await bed.until('POST /v2/bounce-classification/metrics', { json: { dimensions: ['domain.name'] } }, isThere);
    return domain;
  });
const ofBounced =
  (rest: Record<string, string> = {}) =>
  async (bed: Bed): Promise<Request> => ({ path: { domain: await bounced(bed), ...rest } });

const BOUNCE_CALLS: Calls = {
  'POST /v2/bounce-classification/metrics': {
    well: async (bed) => ({
      json: {
        duration: '48h',
        resolution: 'day',
        dimensions: ['entity-name', 'group-id', 'category', 'timestamp'],
        metrics: ['critical_bounce_count', 'classified_failures_count'],
        filter: {
          AND: [{ ...ofDomain(await bounced(bed)), attribute: 'domain.name' }],
        },
        pagination: { sort: 'entity-name:asc', limit: 10 },
      },
    }),
    wrong: invalid({ json: { dimensions: ['weather'] } }),
  },
  [`GET ${BOUNCES}/stats`]: {
    well: async (bed) => {
      await bounced(bed);
      return { query: { group: 'entity-id', limit: '10' } };
    },
    wrong: invalid({ query: { group: 'weather' } }),
  },
  [`GET ${BOUNCES}/domains`]: {
    well: async (bed) => ({ query: { query: await bounced(bed), limit: '10' } }),
    wrong: invalid({ query: { limit: 'many' } }),
  },
  [`GET ${BOUNCES}/domains/{domain}/entities`]: { well: ofBounced(), wrong: unknown('domain') },
  [`GET ${BOUNCES}/domains/{domain}/entities/{entity-id}/rules`]: {
    well: ofBounced({ 'entity-id': 'other' }),
    wrong: unknown('domain', { path: { 'entity-id': 'other' } }),
  },
  [`GET ${BOUNCES}/domains/{domain}/events`]: { well: ofBounced(), wrong: unknown('domain') },
  [`GET ${BOUNCES}/config/entities`]: { well: async () => ({}), wrong: withoutKey() },
  [`GET ${BOUNCES}/config/rules`]: { well: async () => ({}), wrong: withoutKey() },
};

/** Metrics and what was used, stats, tags, bounces by class. */
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
  ...OLD_CALLS,
  ...BOUNCE_CALLS,
  'POST /v1/analytics/tags': {
    well: async (bed) => {
      await counted(bed);
      return { json: { include_metrics: true, pagination: { sort: 'tag:asc', skip: 0, limit: 10 } } };
    },
    wrong: invalid({ json: { pagination: { sort: 'weather' } } }),
  },
  'PUT /v1/analytics/tags': {
    well: async (bed) => {
      await counted(bed);
      return { json: { tag: 'spring', description: 'Flowers' } };
    },
    wrong: invalid({ json: { description: 'Of no tag' } }),
  },
  'DELETE /v1/analytics/tags': {
    well: async (bed) => {
      await newTag(bed, 'winter');
      return { json: { tag: 'winter' } };
    },
    wrong: invalid({ json: {} }),
  },
  'GET /v1/analytics/tags/limits': { well: async () => ({}), wrong: withoutKey() },
};
