// Mailing lists and their members.
import type { Bed, Call, Calls, Request, Wrong } from '../bed.ts';
import { domainOf } from './domains.ts';
import { invalid } from './wrong.ts';

const DOMAIN = 'members.example.com';
const LISTS = '/v3/lists';
const LIST = `${LISTS}/{list_address}`;
const MEMBERS = `${LIST}/members`;
const MEMBER = `${MEMBERS}/{member_address}`;

async function made(bed: Bed, name: string): Promise<Request & { path: { list_address: string } }> {
  const address = `${name}@${await domainOf(bed, DOMAIN)}`;
  await bed.once(`mailing list ${name}`, () => bed.get(`POST ${LISTS}`, { form: { address, name: 'News' } }));
  return { path: { list_address: address } };
}

async function member(bed: Bed, name: string): Promise<Request & { path: Record<string, string> }> {
  const { path } = await made(bed, 'news');
  const address = `${name}@shop.example`;
  await bed.once(`member ${name}`, () =>
    bed.get(`POST ${MEMBERS}`, { path, form: { address, name: 'Ann', vars: '{"age": 26}', subscribed: 'yes' } }),
  );
  return { path: { ...path, member_address: address } };
}

const noList = (): Wrong => ({ path: { list_address: 'none@nowhere.example' }, status: 404 });
const noMember: Call['wrong'] = async (bed) => ({
  path: { ...(await made(bed, 'news')).path, member_address: 'nobody@shop.example' },
  status: 404,
});
const sheet = (): File => new File(['address,name\nimported@shop.example,Ann\n'], 'members.csv', { type: 'text/csv' });

/** Mailing lists. */
export const MAILING_LIST_CALLS: Calls = {
  [`POST ${LISTS}`]: {
    well: async (bed) => ({
      form: {
        address: `created@${await domainOf(bed, DOMAIN)}`,
        name: 'Created',
        description: 'For all',
        access_level: 'everyone',
        reply_preference: 'sender',
      },
    }),
    wrong: invalid(async (bed) => ({
      form: { address: `odd@${await domainOf(bed, DOMAIN)}`, access_level: 'fake_access_level' },
    })),
  },
  [`GET ${LISTS}`]: {
    well: async (bed) => ({ query: { limit: '10', skip: '0', address: (await made(bed, 'news')).path.list_address } }),
    wrong: invalid({ query: { limit: 'many' } }),
  },
  [`GET ${LISTS}/pages`]: {
    well: async (bed) => {
      await made(bed, 'news');
      return { query: { limit: '10' } };
    },
    wrong: invalid({ query: { limit: 'many' } }),
  },
  [`GET ${LIST}`]: { well: (bed) => made(bed, 'news'), wrong: noList },
  [`PUT ${LIST}`]: {
    well: async (bed) => ({
      ...(await made(bed, 'changed')),
      form: { name: 'Changed', description: 'Changed', access_level: 'members', 'list-id': 'changed.example.com' },
    }),
    wrong: noList,
  },
  [`DELETE ${LIST}`]: { well: (bed) => made(bed, 'removed'), wrong: noList },
  [`GET ${MEMBERS}`]: {
    well: async (bed) => {
      const { path } = await member(bed, 'ann');
      return { path, query: { subscribed: 'true', limit: '10', skip: '0', address: path['member_address'] as string } };
    },
    wrong: noList,
  },
  [`GET ${MEMBERS}/pages`]: {
    well: async (bed) => {
      const { path } = await member(bed, 'ann');
      return { path, query: { subscribed: 'true', limit: '10', page: 'first' } };
    },
    wrong: noList,
  },
  [`POST ${MEMBERS}`]: {
    well: async (bed) => ({
      ...(await made(bed, 'news')),
      form: { address: 'bob@shop.example', name: 'Bob', vars: '{"age": 26}', subscribed: 'true', upsert: 'true' },
    }),
    wrong: invalid(async (bed) => ({ ...(await made(bed, 'news')), form: { address: 'nobody' } })),
  },
  [`POST ${MEMBERS}.json`]: {
    well: async (bed) => ({
      ...(await made(bed, 'news')),
      query: { members: '[{"address": "json@shop.example", "name": "Json"}]', upsert: 'yes' },
    }),
    wrong: noList,
  },
  [`POST ${MEMBERS}.csv`]: {
    well: async (bed) => ({
      ...(await made(bed, 'news')),
      form: { subscribed: 'yes', upsert: 'yes', members: sheet() },
    }),
    wrong: () => ({ ...noList(), form: { members: sheet() } }),
  },
  [`GET ${MEMBER}`]: { well: (bed) => member(bed, 'ann'), wrong: noMember },
  [`PUT ${MEMBER}`]: {
    well: async (bed) => ({
      ...(await member(bed, 'changed')),
      form: { name: 'Changed', vars: '{"age": 27}', subscribed: 'false' },
    }),
    wrong: noMember,
  },
  [`DELETE ${MEMBER}`]: { well: (bed) => member(bed, 'removed'), wrong: noMember },
};
