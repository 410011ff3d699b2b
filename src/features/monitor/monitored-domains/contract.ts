import { Type } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { EndlessPaging, pivotField, pivotFields } from '../../../platform/paging/index.ts';

const text = Type.String();
const common = { tag: 'Monitored domains', errorShape: 'message', path: '/v1/optimize/domains' } as const;
const domain = Type.String({ maxLength: 253, description: 'A domain name, such as `example.com`.' });

const Monitored = Type.Object(
  {
    acid: text,
    ID: Type.String({ description: 'The same as `acid`, as older clients name it.' }),
    name: text,
    account_id: text,
    created_at: Type.Integer({ description: 'Unix seconds.' }),
    verified: Type.Object({
      status: Type.Enum(['unverified', 'pending', 'inbox_ready'], {
        description: '`pending`: the record is looked up. `inbox_ready`: it was found, and the domain is watched.',
      }),
      verified_at: Type.Integer({ description: 'Unix seconds; 0: not yet.' }),
    }),
    services: Type.Object({ spam_trap_monitoring: Type.Boolean(), domain_blocklist_monitoring: Type.Boolean() }),
    txt_record: Type.String({ description: 'To publish as a TXT record of the domain itself.' }),
    problem: Type.String({ description: 'Why the last verification did not find the record.' }),
  },
  { title: 'MonitoredDomain' },
);
const Named = Type.Object({ domain: Type.Optional(domain) });
const Given = Type.Object({
  domain: Type.Optional(readByItself(Type.String({ description: 'In place of the field of the query.' }))),
});
const Said = Type.Object({ message: text });

export const listMonitored = contract({
  ...common,
  method: 'GET',
  operationId: 'listMonitoredDomains',
  summary: 'List monitored domains, or get one',
  description: 'In the order of adding.',
  query: Type.Object({
    ...pivotFields({ limit: 100 }),
    acid: pivotField,
    domain: Type.Optional(Type.String({ maxLength: 253, description: 'Only this one.' })),
    include_subaccounts: Type.Boolean({ default: false }),
  }),
  reply: Type.Object({ items: Type.Array(Monitored), paging: EndlessPaging }),
  errors: ['invalid_request'],
});

export const addMonitored = contract({
  ...common,
  method: 'POST',
  operationId: 'addMonitoredDomain',
  summary: 'Add a domain',
  description: 'Publish `txt_record` as a TXT record of the domain, then verify it: from then on it is watched.',
  query: Named,
  isBodyOptional: true,
  sample: { domain: 'example.com' },
  body: Given,
  reply: Type.Object({ domain: Monitored, message: text }),
  errors: ['invalid_request', 'too_many_requests'],
});

export const deleteMonitored = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteMonitoredDomain',
  summary: 'Delete a domain',
  description: 'It is no longer watched; what happened to it stays in the list of events.',
  query: Type.Object({ domain }),
  reply: Said,
  errors: ['not_found'],
});

export const verifyMonitored = contract({
  ...common,
  path: '/v1/optimize/domains/verify',
  method: 'PUT',
  operationId: 'verifyMonitoredDomain',
  summary: 'Queue a domain for verification',
  description: 'The TXT record is looked up soon; `verified` and `problem` say how it ended.',
  query: Named,
  isBodyOptional: true,
  sample: { domain: 'example.com' },
  body: Given,
  reply: Said,
  errors: ['invalid_request', 'not_found'],
});
