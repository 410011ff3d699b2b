// The four lists of addresses that are not written to, or always.
import type { Bed, Call, Calls, Request } from '../bed.ts';
import { domainOf } from './domains.ts';
import { invalid, unknown } from './wrong.ts';

interface Kind {
  name: string;
  /** What an entry is called in a path. */
  key: 'address' | 'value';
  /** A further entry, as a form has it. */
  form(address: string): Record<string, string>;
  /** As JSON has it, where a call takes many. */
  json?: (address: string) => object;
  sheet: string;
}

const KINDS: readonly Kind[] = [
  {
    name: 'bounces',
    key: 'address',
    form: (address) => ({ address, code: '550', error: 'No such user' }),
    json: (address) => ({ address, code: '550', error: 'No such user' }),
    sheet: 'address,code,error,created_at\nimported@shop.example,550,No such user,\n',
  },
  {
    name: 'unsubscribes',
    key: 'address',
    form: (address) => ({ address, tag: 'spring' }),
    json: (address) => ({ address, tags: ['spring'] }),
    sheet: 'address,tag,created_at\nimported@shop.example,*,\n',
  },
  {
    name: 'complaints',
    key: 'address',
    form: (address) => ({ address }),
    json: (address) => ({ address }),
    sheet: 'address,created_at\nimported@shop.example,\n',
  },
  {
    name: 'whitelists',
    key: 'value',
    form: (address) => ({ address, reason: 'A friend' }),
    sheet: 'address,domain\nimported@shop.example,\n',
  },
];

const listDomain = async (bed: Bed): Promise<{ domain_name: string }> => ({
  domain_name: await domainOf(bed, 'lists.example.com'),
});
const emptyDomain = async (bed: Bed): Promise<{ domain_name: string }> => ({
  domain_name: await domainOf(bed, 'emptied-lists.example.com'),
});

function callsOf({ name, key, form, json, sheet }: Kind): Calls {
  const all = `/v3/{domain_name}/${name}`;
  const one = `${all}/{${key}}`;
  const add = async (bed: Bed, path: { domain_name: string }, address: string): Promise<Request> => {
    await bed.get(`POST ${all}`, { path, form: form(address) });
    return { path: { ...path, [key]: address } };
  };
  const listed = (bed: Bed): Promise<Request> =>
    bed.once(`${name} entry`, async () => add(bed, await listDomain(bed), 'listed@shop.example'));
  const missing: Call['wrong'] = async (bed) => ({
    path: { ...(await listDomain(bed)), [key]: 'nobody@shop.example' },
    status: 404,
  });
  return {
    [`POST ${all}/import`]: {
      well: async (bed) => ({
        path: await listDomain(bed),
        form: { file: new File([sheet], `${name}.csv`, { type: 'text/csv' }) },
      }),
      wrong: invalid(async (bed) => ({ path: await listDomain(bed), form: { other: 'x' } })),
    },
    [`GET ${one}`]: { well: listed, wrong: missing },
    [`DELETE ${one}`]: { well: async (bed) => add(bed, await listDomain(bed), 'removed@shop.example'), wrong: missing },
    [`GET ${all}`]: {
      well: async (bed) => {
        await listed(bed);
        return { path: await listDomain(bed), query: { limit: '10', term: 'listed' } };
      },
      wrong: invalid(async (bed) => ({ path: await listDomain(bed), query: { limit: 'many' } })),
    },
    [`POST ${all}`]: {
      well: async (bed) => {
        const path = await listDomain(bed);
        if (!json) return { path, form: form('added@shop.example') };
        return { path, json: ['added@shop.example', 'too@shop.example'].map(json) };
      },
      wrong: invalid(async (bed) => ({ path: await listDomain(bed), form: {} })),
    },
    [`DELETE ${all}`]: {
      well: async (bed) => {
        const path = await emptyDomain(bed);
        await add(bed, path, 'listed@shop.example');
        return { path };
      },
      wrong: unknown('domain_name'),
    },
  };
}

/** Bounces, unsubscribes, complaints and the allowlist. */
export const SUPPRESSION_CALLS: Calls = Object.assign({}, ...KINDS.map(callsOf));
