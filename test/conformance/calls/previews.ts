// Email preview: tests of one client with a tiny message.
import type { Bed, Calls, Request } from '../bed.ts';
import { invalid, unknown, withoutKey } from './wrong.ts';

const CLIENT = 'gmail_chrome';
const V1 = '/v1/preview/tests';
const V2 = '/v2/preview/tests';
const SHARE = '/v1/preview/sharing/{test_id}';

/** A client that there is not becomes a warning. */
const newTest = (subject: string): Request => ({
  json: {
    subject,
    html: '<h1 style="color: red">Hello</h1>',
    clients: [CLIENT, 'no-such-client'],
    headers: { 'X-Season': 'spring' },
    content_checking: { link_validation: true },
  },
});

const start = async (bed: Bed, subject: string): Promise<Request> => {
  const { id } = await bed.get(`POST ${V2}`, newTest(subject));
  return { path: { test_id: id } };
};
/** A test whose only client is complete. */
const shown = (bed: Bed): Promise<Request> =>
  bed.once('preview', async () => {
    const test = await start(bed, 'Shown');
    await bed.until(`GET ${V2}/{test_id}`, test, ({ completed }) => completed.length === 1);
    return test;
  });
const exported = (bed: Bed): Promise<Request> =>
  bed.once('export', async () => {
    const { path } = await shown(bed);
    const { job_id } = await bed.get(`POST ${V2}/{test_id}/exports`, { path: path!, json: { clients: [CLIENT] } });
    const named = { path: { ...path, job_id } };
    await bed.until(`GET ${V2}/{test_id}/exports/{job_id}`, named, ({ job_status: status }) => status === 'Complete');
    return named;
  });
/** With the current uuid of its link, which changes. */
const shared = async (bed: Bed, name: string): Promise<Request & { query: { url_uuid: string } }> => {
  const test = await bed.once(`shared ${name}`, async () => {
    const made = name === 'Shown' ? await shown(bed) : await start(bed, name);
    await bed.get('POST /v1/preview/sharing', { json: made.path });
    return made;
  });
  const { url_uuid } = await bed.get(`GET ${SHARE}`, test);
  return { ...test, query: { url_uuid } };
};
const otherUuid = { query: { url_uuid: '00000000-0000-4000-8000-000000000000' } };
const list = (version: string): Calls[string] => ({
  well: async (bed) => {
    await shown(bed);
    return { query: { subject: 'shown', from: '2020-01-01', results: '5', page: '1' } };
  },
  wrong: invalid({ query: version === V1 ? { results: '0' } : { page: '0' } }),
});
const withClients =
  (clients: readonly string[]) =>
  async (bed: Bed): Promise<Request> => ({
    ...(await shown(bed)),
    json: { clients },
  });

/** Tests, results, contents, exports and shares. */
export const PREVIEW_CALLS: Calls = {
  [`GET ${V1}/clients`]: { well: () => ({}), wrong: withoutKey() },
  [`GET ${V1}`]: list(V1),
  [`POST ${V1}`]: { well: () => newTest('Of version 1'), wrong: invalid({ json: { html: 'x' } }) },
  [`GET ${V1}/{test_id}`]: { well: shown, wrong: unknown('test_id') },
  [`DELETE ${V1}/{test_id}`]: { well: (bed) => start(bed, 'Deleted'), wrong: unknown('test_id') },
  [`GET ${V1}/{test_id}/results`]: { well: shown, wrong: unknown('test_id') },
  [`PUT ${V1}/{test_id}/results/reprocess`]: { well: withClients([CLIENT]), wrong: invalid(withClients([])) },
  [`GET ${V1}/{test_id}/content`]: { well: shown, wrong: unknown('test_id') },
  [`GET ${V1}/{test_id}/content/{content}`]: {
    well: async (bed) => ({ path: { ...(await shown(bed)).path, content: 'inlinecss' } }),
    wrong: invalid(async (bed) => ({ path: { ...(await shown(bed)).path, content: 'pdf' } })),
  },
  'POST /v1/preview/address': { well: () => ({}), wrong: withoutKey() },
  [`GET ${V2}`]: list(V2),
  [`POST ${V2}`]: {
    well: () => newTest('Of version 2'),
    wrong: invalid({ json: { subject: 'x', html: 'x', url: 'https://example.com/' } }),
  },
  [`GET ${V2}/{test_id}`]: { well: shown, wrong: unknown('test_id') },
  [`DELETE ${V2}/{test_id}`]: { well: (bed) => start(bed, 'Deleted, too'), wrong: unknown('test_id') },
  [`GET ${V2}/{test_id}/results/{client_id}`]: {
    well: async (bed) => ({ path: { ...(await shown(bed)).path, client_id: CLIENT } }),
    wrong: invalid(async (bed) => ({ path: { ...(await shown(bed)).path, client_id: 'no-such-client' } })),
  },
  [`POST ${V2}/{test_id}/exports`]: { well: withClients([CLIENT]), wrong: invalid(withClients(['no-such-client'])) },
  [`GET ${V2}/{test_id}/exports`]: { well: exported, wrong: unknown('test_id') },
  [`GET ${V2}/{test_id}/exports/{job_id}`]: {
    well: exported,
    wrong: async (bed) => unknown('job_id', await shown(bed))(),
  },
  'POST /v1/preview/sharing': {
    well: async (bed) => ({ json: (await shown(bed)).path }),
    wrong: invalid({ json: {} }),
  },
  [`GET ${SHARE}`]: { well: (bed) => shared(bed, 'Shown'), wrong: unknown('test_id') },
  [`PUT ${SHARE}`]: {
    well: async (bed) => ({ ...(await shared(bed, 'Shown')), json: { enabled: true } }),
    wrong: invalid(async (bed) => ({ ...(await shared(bed, 'Shown')), ...otherUuid })),
  },
  [`DELETE ${SHARE}`]: { well: (bed) => shared(bed, 'No longer shared'), wrong: unknown('test_id', otherUuid) },
  [`POST ${SHARE}/rotate`]: {
    well: (bed) => shared(bed, 'Shown'),
    wrong: invalid(async (bed) => ({ ...(await shared(bed, 'Shown')), ...otherUuid })),
  },
  'GET /v1/preview/sharing/public/{id}': {
    well: async (bed) => ({ path: { id: (await shared(bed, 'Shown')).query.url_uuid }, isOpen: true }),
    wrong: unknown('id', { isOpen: true }),
  },
};
