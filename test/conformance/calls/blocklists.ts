// Domains and addresses that are watched on blocklists.
import type { Bed, Calls } from '../bed.ts';
import { invalid, unknown } from './wrong.ts';

const DOMAINS = '/v1/optimize/domains';
const IPS = '/v1/optimize/ip_addresses';
const IP = `${IPS}/{ip}`;
const MONITORING = '/v1/monitoring/domains';
const OF_DOMAIN = `${MONITORING}/{domain}`;

const added = (bed: Bed, domain: string): Promise<string> =>
  bed.once(`monitored ${domain}`, async () => {
    await bed.get(`POST ${DOMAINS}`, { query: { domain } });
    return domain;
  });
/** One that is verified, and so watched. */
const watched = (bed: Bed): Promise<string> =>
  bed.once('watched domain', async () => {
    const domain = await added(bed, 'watched.example.com');
    const { items } = await bed.get(`GET ${DOMAINS}`, { query: { domain } });
    bed.names.add(`${domain} TXT`, [items[0].txt_record]);
    await bed.get(`PUT ${DOMAINS}/verify`, { query: { domain } });
    await bed.until(`GET ${MONITORING}`, {}, ({ domains }) => domains.length > 0);
    return domain;
  });
const ip = (bed: Bed, address: string): Promise<string> =>
  bed.once(`monitored ${address}`, async () => {
    await bed.get(`POST ${IPS}`, { json: { ip: address, ip_pool: 'main', description: 'mail1' } });
    return address;
  });

/** Blocklists that nobody is on answer empty lists. */
export const BLOCKLIST_CALLS: Calls = {
  [`GET ${DOMAINS}`]: {
    well: async (bed) => ({ query: { domain: await added(bed, 'listed.example.com') } }),
    wrong: invalid({ query: { limit: '0' } }),
  },
  [`POST ${DOMAINS}`]: {
    well: () => ({ query: { domain: 'new.example.com' } }),
    wrong: invalid({ query: { domain: 'no domain' } }),
  },
  [`DELETE ${DOMAINS}`]: {
    well: async (bed) => ({ query: { domain: await added(bed, 'gone.example.com') } }),
    wrong: () => ({ query: { domain: 'never-added.example.com' }, status: 404 }),
  },
  [`PUT ${DOMAINS}/verify`]: {
    well: async (bed) => ({ query: { domain: await added(bed, 'verify.example.com') } }),
    wrong: () => ({ query: { domain: 'never-added.example.com' }, status: 404 }),
  },
  [`GET ${IPS}`]: {
    well: async (bed) => {
      await ip(bed, '192.0.2.10');
      return {};
    },
    wrong: invalid({ query: { limit: '0' } }),
    mayBeEmpty: ['items[].listed[]'],
  },
  [`POST ${IPS}`]: {
    well: () => ({ json: { ip: '192.0.2.11', ip_pool: 'main', description: 'mail2' } }),
    wrong: invalid({ json: { ip: '10.0.0.1', ip_pool: 'main', description: '' } }),
    mayBeEmpty: ['listed[]'],
  },
  [`GET ${IP}`]: {
    well: async (bed) => ({ path: { ip: await ip(bed, '192.0.2.12') } }),
    wrong: unknown('ip'),
    mayBeEmpty: ['listed[]'],
  },
  [`PUT ${IP}`]: {
    well: async (bed) => ({ path: { ip: await ip(bed, '192.0.2.13') }, json: { description: 'moved' } }),
    wrong: unknown('ip', { json: { description: 'moved' } }),
    mayBeEmpty: ['listed[]'],
  },
  [`DELETE ${IP}`]: {
    well: async (bed) => ({ path: { ip: await ip(bed, '192.0.2.14') } }),
    wrong: unknown('ip'),
  },
  [`GET ${MONITORING}`]: {
    well: async (bed) => {
      await watched(bed);
      return {};
    },
    wrong: () => ({ isOpen: true, status: 401 }),
    mayBeEmpty: ['domains[].listed[]'],
  },
  [`GET ${MONITORING}/events`]: {
    well: () => ({}),
    wrong: invalid({ query: { limit: '0' } }),
    mayBeEmpty: ['events[]'],
  },
  [`GET ${OF_DOMAIN}/blocklists`]: {
    well: async (bed) => ({ path: { domain: await watched(bed) } }),
    wrong: unknown('domain'),
    mayBeEmpty: ['blocklists[]'],
  },
  [`GET ${OF_DOMAIN}/events`]: {
    well: async (bed) => ({ path: { domain: await watched(bed) } }),
    wrong: unknown('domain'),
    mayBeEmpty: ['events[]'],
  },
};
