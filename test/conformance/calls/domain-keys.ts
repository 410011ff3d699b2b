// Keys of domains, and whose sign; the name server holds the records that calls need.
import type { Bed, Calls } from '../bed.ts';
import { domainOf } from './domains.ts';
import { unknown, withoutKey } from './wrong.ts';

const KEYS = '/v1/dkim/keys';
const ACTIVATE = '/v4/domains/{authority_name}/keys/{selector}/activate';
const DEACTIVATE = '/v4/domains/{authority_name}/keys/{selector}/deactivate';
const ROTATION = '/v1/dkim_management/domains/{name}/rotation';

const keyed = (bed: Bed): Promise<string> => domainOf(bed, 'keyed.example.com');
/** A key whose record is in DNS. */
const keyOf = (bed: Bed, selector: string): Promise<string> =>
  bed.once(`key ${selector}`, async () => {
    const { dns_record: record } = await bed.get(`POST ${KEYS}`, {
      form: { signing_domain: await keyed(bed), selector },
    });
    bed.names.add(`${record.name} TXT`, [record.value]);
    return selector;
  });
const pathOf = async (bed: Bed, selector: string) => ({
  path: { authority_name: await keyed(bed), selector: await keyOf(bed, selector) },
});

/** A verified domain whose keys rotate. */
const rotating = (bed: Bed): Promise<string> =>
  bed.once('rotating domain', async () => {
    const name = await domainOf(bed, 'rotating.example.com');
    const { items } = await bed.get('GET /v4/domains/{authority_name}/keys', { path: { authority_name: name } });
    for (const { dns_record: record } of items) bed.names.add(`${record.name} TXT`, [record.value]);
    await bed.get('PUT /v4/domains/{name}/verify', { path: { name } });
    await bed.get(`PUT ${ROTATION}`, { path: { name }, form: { rotation_enabled: 'true' } });
    return name;
  });

/** Of domain keys. */
export const DOMAIN_KEY_CALLS: Calls = {
  [`GET ${KEYS}`]: {
    well: async (bed) => (await keyed(bed), { query: { limit: '5' } }),
    wrong: withoutKey(),
  },
  [`POST ${KEYS}`]: {
    well: async (bed) => ({ form: { signing_domain: await keyed(bed), selector: 'made', bits: '2048' } }),
    wrong: withoutKey({ form: { signing_domain: 'keyed.example.com', selector: 'made' } }),
  },
  [`DELETE ${KEYS}`]: {
    well: async (bed) => ({ query: { signing_domain: await keyed(bed), selector: await keyOf(bed, 'deleted') } }),
    wrong: async (bed) => ({
      query: { signing_domain: await keyed(bed), selector: 'none' },
      status: 404,
    }),
  },
  [`PUT ${ACTIVATE}`]: {
    well: (bed) => pathOf(bed, 'activated'),
    wrong: unknown('selector', { path: { authority_name: 'keyed.example.com' } }),
  },
  [`PUT ${DEACTIVATE}`]: {
    well: async (bed) => {
      const request = await pathOf(bed, 'deactivated');
      await bed.get(`PUT ${ACTIVATE}`, request);
      return request;
    },
    wrong: unknown('selector', { path: { authority_name: 'keyed.example.com' } }),
  },
  'GET /v4/domains/{authority_name}/keys': {
    well: async (bed) => ({ path: { authority_name: await keyed(bed) } }),
    wrong: withoutKey({ path: { authority_name: 'keyed.example.com' } }),
  },
  'PUT /v3/domains/{name}/dkim_authority': {
    well: async (bed) => ({ path: { name: await keyed(bed) }, form: { self: 'true' } }),
    wrong: unknown('name', { form: { self: 'true' } }),
  },
  'PUT /v3/domains/{name}/dkim_selector': {
    well: async (bed) => ({
      path: { name: await domainOf(bed, 'selected.example.com') },
      form: { dkim_selector: 'one' },
    }),
    wrong: unknown('name', { form: { dkim_selector: 'one' } }),
  },
  [`PUT ${ROTATION}`]: {
    well: async (bed) => ({
      path: { name: await rotating(bed) },
      form: { rotation_enabled: 'true', rotation_interval: '90d' },
    }),
    wrong: unknown('name', { form: { rotation_enabled: 'true' } }),
  },
  'POST /v1/dkim_management/domains/{name}/rotate': {
    well: async (bed) => ({ path: { name: await rotating(bed) } }),
    wrong: unknown('name'),
  },
};
