// Webhooks of a domain, of both versions, with a page on loopback as their address.
import type { Bed, Calls, Request } from '../bed.ts';
import { domainOf } from './domains.ts';
import { invalid, unknown, withoutKey } from './wrong.ts';

const V3 = '/v3/domains/{domain}/webhooks';
const V3_ONE = '/v3/domains/{domain_name}/webhooks/{webhook_name}';
const V4 = '/v4/domains/{domain}/webhooks';

const urlOf = ({ site }: Bed): string => `${site.url}/page`;
const make = (bed: Bed, name: string): Promise<string> =>
  bed.once(`webhook ${name}`, async () => {
    const domain = await domainOf(bed, 'hooks.example.com');
    await bed.get(`POST ${V3}`, { path: { domain }, form: { id: name, url: urlOf(bed) } });
    return domain;
  });
const one =
  (name: string, request: (bed: Bed) => Request = () => ({})) =>
  async (bed: Bed): Promise<Request> => ({
    path: { domain_name: await make(bed, name), webhook_name: name },
    ...request(bed),
  });
const withUrl = (bed: Bed): Request => ({ form: { url: urlOf(bed) } });
/** A domain for each, since an address may stand once for an event. */
const byTypes =
  (name: string) =>
  async (bed: Bed): Promise<Request> => ({
    path: { domain: await domainOf(bed, name) },
    form: { url: urlOf(bed), event_types: ['opened', 'clicked'] },
  });
const made =
  (name: string) =>
  async (bed: Bed): Promise<Request> => {
    const request = await byTypes(name)(bed);
    await bed.once(`types of ${name}`, () => bed.get(`POST ${V4}`, request));
    return request;
  };
const unknownDomain = unknown('domain_name', { path: { webhook_name: 'delivered' } });

/** Those of domains, and the key that signs them. */
export const WEBHOOK_CALLS: Calls = {
  [`GET ${V3}`]: {
    well: async (bed) => ({ path: { domain: await make(bed, 'delivered') } }),
    wrong: unknown('domain'),
  },
  [`POST ${V3}`]: {
    well: async (bed) => ({
      path: { domain: await domainOf(bed, 'new-hooks.example.com') },
      form: { id: 'accepted', url: urlOf(bed) },
    }),
    wrong: invalid(async (bed) => ({
      path: { domain: await domainOf(bed, 'new-hooks.example.com') },
      form: { id: 'unheard', url: urlOf(bed) },
    })),
  },
  [`GET ${V3_ONE}`]: { well: one('delivered'), wrong: unknownDomain },
  [`PUT ${V3_ONE}`]: {
    well: one('delivered', withUrl),
    wrong: invalid(async (bed) => ({ ...(await one('delivered')(bed)), form: { url: 'no address' } })),
  },
  [`DELETE ${V3_ONE}`]: { well: one('complained'), wrong: unknownDomain },
  [`PUT ${V4}`]: {
    well: made('changed-hooks.example.com'),
    wrong: async (bed) => ({ ...unknown('domain')(), form: { url: urlOf(bed), event_types: ['opened'] } }),
  },
  [`POST ${V4}`]: {
    well: byTypes('typed-hooks.example.com'),
    wrong: invalid(async (bed) => ({
      path: { domain: await domainOf(bed, 'typed-hooks.example.com') },
      form: { url: urlOf(bed), event_types: 'unheard' },
    })),
  },
  [`DELETE ${V4}`]: {
    well: async (bed) => {
      const { path } = await made('deleted-hooks.example.com')(bed);
      return { path: path!, query: { url: urlOf(bed) } };
    },
    wrong: unknown('domain', { query: { url: 'https://shop.example/hook' } }),
  },
  'GET /v5/accounts/http_signing_key': { well: () => ({}), wrong: withoutKey() },
  'POST /v5/accounts/http_signing_key': { well: () => ({}), wrong: withoutKey() },
};
