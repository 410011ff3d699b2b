// A client by @hey-api/openapi-ts: one call of each group.
import { client } from './hey-api/client.gen.ts';
import * as api from './hey-api/index.ts';

const [, , baseUrl = '', key = ''] = process.argv;
client.setConfig({ baseUrl, auth: `api:${key}` });
const query = { throwOnError: true } as const;

// What has a default is left out.
const made: api.Key = (await api.createKey({ ...query, body: { role: 'support' } })).data.key;
const domain = (await api.createDomain({ ...query, body: { name: 'letters.example.com' } })).data;
const test: api.StartedInspection = (await api.createLinkTest({ ...query, body: { links: ['https://example.com/'] } }))
  .data;
const preview = (
  await api.createPreviewTest({
    ...query,
    body: { subject: 'Garden notes', html: '<p>Hello', clients: ['gmail_chrome'] },
  })
).data;
const refused = await api.getPreviewTest({ path: { test_id: 'none' } });
const placed: string[] = (await api.listPlacementProviders(query)).data.items.map(({ domain: name }) => name);
const counts: Record<string, number> = {
  Accessibility: (await api.listAccessibilityTests({ ...query, query: { limit: 5 } })).data.items.length,
  'Code analysis': (await api.listCodeAnalyses(query)).data.items.length,
  'Email preview': (await api.listPreviewTests(query)).data.filter(({ id }) => id === preview.id).length,
  Gate: (await api.listGates(query)).data.items.length,
  Images: (await api.listImageTests(query)).data.items.length,
  'Seed mailboxes': (await api.listSeedMailboxes(query)).data.items.length,
  Sessions: (await api.listSessions(query)).data.total,
  'Spam testing V1': (await api.listSpamTests(query)).data.items.length,
  Subaccounts: (await api.listSubaccounts(query)).data.total,
};
const inspection = (await api.getInspection({ ...query, path: { id: test.items.id } })).data;
const name = refused.error && 'error' in refused.error ? refused.error.error.name : undefined;
console.log(
  JSON.stringify({
    counts,
    role: made.role,
    domain: domain.domain.name,
    records: domain.sending_dns_records.length,
    kind: inspection.kind,
    isPlaced: placed.length > 0,
    refused: name,
  }),
);
