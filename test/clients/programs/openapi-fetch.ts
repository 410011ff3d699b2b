// A client by openapi-typescript and openapi-fetch: one call of each group.
import createClient from 'openapi-fetch';
import type { components, paths } from './openapi-typescript.ts';

const [, , baseUrl = '', key = ''] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { authorization: `Basic ${btoa(`api:${key}`)}` } });

/** The data of an answer; throws what the service says. */
async function data<Data>(answer: Promise<{ data?: Data; error?: unknown }>): Promise<Data> {
  const { data: found, error } = await answer;
  if (found === undefined) throw new Error(JSON.stringify(error));
  return found;
}

// What has a default is left out.
const made: components['schemas']['Key'] = (await data(client.POST('/v1/keys', { body: { role: 'support' } }))).key;
const domain = await data(client.POST('/v4/domains', { body: { name: 'letters.example.com' } }));
const test = await data(client.POST('/v1/inspect/links', { body: { links: ['https://example.com/'] } }));
const preview = await data(
  client.POST('/v2/preview/tests', { body: { subject: 'Garden notes', html: '<p>Hello', clients: ['gmail_chrome'] } }),
);
const refused = await client.GET('/v2/preview/tests/{test_id}', { params: { path: { test_id: 'none' } } });
const placed: string[] = (await data(client.GET('/v4/inbox/providers'))).items.map(({ domain: name }) => name);
const counts: Record<string, number> = {
  Accessibility: (await data(client.GET('/v1/inspect/accessibility', { params: { query: { limit: 5 } } }))).items
    .length,
  'Code analysis': (await data(client.GET('/v1/inspect/analyze'))).items.length,
  'Email preview': (await data(client.GET('/v2/preview/tests'))).filter(({ id }) => id === preview.id).length,
  Gate: (await data(client.GET('/v1/inspect/gate'))).items.length,
  Images: (await data(client.GET('/v1/inspect/images'))).items.length,
  'Seed mailboxes': (await data(client.GET('/v1/seeds/mailboxes'))).items.length,
  Sessions: (await data(client.GET('/v1/sessions'))).total,
  'Spam testing V1': (await data(client.GET('/v1/inspect/spam'))).items.length,
  Subaccounts: (await data(client.GET('/v5/accounts/subaccounts'))).total,
};
const inspection = await data(client.GET('/v1/inspections/{id}', { params: { path: { id: test.items.id } } }));
console.log(
  JSON.stringify({
    counts,
    role: made.role,
    domain: domain.domain.name,
    records: domain.sending_dns_records.length,
    kind: inspection.kind,
    isPlaced: placed.length > 0,
    refused: refused.error?.error?.name,
  }),
);
