// Inbox placement at one receiver of Galley's own.
import type { Bed, Calls, Request } from '../bed.ts';
import { sandboxOf } from './domains.ts';
import { invalid, unknown, withoutKey } from './wrong.ts';

const LISTS = '/v4/inbox/seedlists';
const RESULTS = '/v4/inbox/results';
const PROVIDER = 'webmail.local-receiver.example';

const newTest = async (bed: Bed): Promise<Request> => ({
  json: {
    from: `news@${await sandboxOf(bed)}`,
    subject: 'Garden notes',
    html: '<h1>Hello %recipient.first_name%</h1><p>The roses by the south wall are in flower.</p>',
    provider_filter: [PROVIDER],
    max_seeds_per_provider: 1,
  },
});
const newList = (name: string): Request => ({ form: { name, provider_filter: PROVIDER } });
const makeList = async (bed: Bed, name: string): Promise<Request> => {
  const { target_email: address } = await bed.get(`POST ${LISTS}`, newList(name));
  return { path: { address } };
};
const startTest = async (bed: Bed): Promise<Request> => {
  const { result_id: result } = await bed.get('POST /v4/inbox/tests', await newTest(bed));
  return { path: { result } };
};
const placed = (bed: Bed): Promise<Request> =>
  bed.once('placement', async () => {
    const named = await startTest(bed);
    await bed.until(`GET ${RESULTS}/{result}`, named, ({ result }) => result.status === 'complete');
    return named;
  });
const attributes = { well: () => ({ path: { attribute: 'name' } }), wrong: unknown('attribute') };

/** Seed lists, tests, results and shares. */
export const PLACEMENT_CALLS: Calls = {
  [`GET ${LISTS}`]: {
    // The list of the test: it has results.
    well: async (bed) => {
      await placed(bed);
      return { query: { limit: '10', ascending: 'true' } };
    },
    wrong: invalid({ query: { limit: 'many' } }),
  },
  [`POST ${LISTS}`]: {
    well: () => newList('Weekly'),
    wrong: invalid({ form: { provider_filter: 'unheard.example' } }),
    mayBeEmpty: ['results[]'],
  },
  [`GET ${LISTS}/a`]: { well: () => ({}), wrong: withoutKey() },
  [`GET ${LISTS}/a/{attribute}`]: attributes,
  [`GET ${LISTS}/_filters`]: { well: () => ({}), wrong: withoutKey() },
  [`GET ${LISTS}/{address}`]: {
    well: async (bed) => {
      const { result } = await bed.get(`GET ${RESULTS}/{result}`, await placed(bed));
      return { path: { address: result.keybox_email } };
    },
    wrong: unknown('address'),
  },
  [`PUT ${LISTS}/{address}`]: {
    well: async (bed) => ({ ...(await makeList(bed, 'Monthly')), form: { name: 'Yearly' } }),
    wrong: unknown('address'),
    mayBeEmpty: ['results[]'],
  },
  [`DELETE ${LISTS}/{address}`]: { well: (bed) => makeList(bed, 'Never'), wrong: unknown('address') },
  [`GET ${RESULTS}`]: {
    well: async (bed) => {
      await placed(bed);
      return { query: { subject: 'Garden notes', provider: PROVIDER } };
    },
    wrong: invalid({ query: { time_after: 'yesterday or so' } }),
  },
  [`GET ${RESULTS}/a`]: { well: () => ({}), wrong: withoutKey() },
  [`GET ${RESULTS}/a/{attribute}`]: { ...attributes, well: () => ({ path: { attribute: 'sender' } }) },
  [`GET ${RESULTS}/_filters`]: { well: () => ({}), wrong: withoutKey() },
  [`GET ${RESULTS}/{result}`]: { well: placed, wrong: unknown('result') },
  [`DELETE ${RESULTS}/{result}`]: { well: startTest, wrong: unknown('result') },
  'GET /v4/inbox/sharing/{result}': {
    well: async (bed) => {
      const named = await placed(bed);
      await bed.get('PUT /v4/inbox/sharing/{result}', { ...named, query: { enabled: 'true' } });
      return named;
    },
    wrong: unknown('result'),
  },
  'PUT /v4/inbox/sharing/{result}': {
    well: async (bed) => ({ ...(await placed(bed)), query: { enabled: 'true' } }),
    wrong: invalid(async (bed) => ({ ...(await placed(bed)), query: { enabled: 'perhaps' } })),
  },
  'GET /v4/inbox/sharing/public/{shareid}': {
    well: async (bed) => {
      const { sharing } = await bed.get('GET /v4/inbox/sharing/{result}', await placed(bed));
      return { path: { shareid: sharing.url_id }, isOpen: true };
    },
    wrong: unknown('shareid', { isOpen: true }),
  },
  'POST /v4/inbox/tests': {
    well: newTest,
    wrong: invalid({ json: { from: 'news@elsewhere.example', subject: 'x', html: 'x' } }),
  },
  'GET /v4/inbox/providers': { well: () => ({}), wrong: withoutKey() },
};
