// Email addresses on lists of hashes (HBL).
import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { EndlessPaging, pivotField, pivotFields } from '../../../platform/paging/index.ts';
import { includeSubaccounts, Listed, PIVOT } from './contract.ts';

const text = Type.String();
const common = { tag: 'Blocklist monitoring', errorShape: 'message' } as const;
const HblType = Type.Enum(['email']);
const entity = Type.String({ maxLength: 320, description: 'An email address.' });
const given = { domain: Type.String({ maxLength: 253 }), hbl_type: HblType, entity };
const filter = {
  domain: Type.Optional(Type.String({ maxLength: 253 })),
  hbl_type: Type.Optional(HblType),
  entity: Type.Optional(Type.String({ maxLength: 320, description: 'Needs `hbl_type`.' })),
  include_subaccounts: includeSubaccounts,
};

export const listHbls = contract({
  ...common,
  method: 'GET',
  operationId: 'listHashBlocklistEntities',
  path: '/v1/monitoring/hbls',
  summary: 'List watched email addresses with their listings',
  description: 'In the order of adding.',
  query: Type.Object({ ...pivotFields({ limit: 100 }), entity_id: pivotField, ...filter }),
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        account_id: text,
        domain: text,
        hbl_type: HblType,
        entity: text,
        state: Type.Enum(['healthy', 'listed']),
        updated_at: text,
        listed: Type.Union([Type.Array(Listed), Type.Null()]),
      }),
    ),
    paging: EndlessPaging,
  }),
  errors: ['invalid_request'],
});

export const addHbl = contract({
  ...common,
  method: 'POST',
  operationId: 'addHashBlocklistEntity',
  path: '/v1/monitoring/hbls',
  summary: 'Watch an email address of a watched domain',
  description: 'At most 10 for each domain. Lists are asked by its hash.',
  sample: { domain: 'example.com', hbl_type: 'email', entity: 'news@example.com' },
  body: Type.Object(given),
  reply: Type.Object({ entity: Type.String({ description: 'In the spelling under which it is hashed.' }) }),
  errors: ['invalid_request', 'not_found', 'too_many_requests'],
});

export const deleteHbl = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteHashBlocklistEntity',
  path: '/v1/monitoring/hbls',
  summary: 'Stop watching an email address',
  description: 'What happened to it stays in the list of events.',
  sample: { domain: 'example.com', hbl_type: 'email', entity: 'news@example.com' },
  isBodyOptional: true,
  body: Type.Object(given),
  status: 204,
  reply: Type.Null(),
  errors: ['invalid_request', 'not_found'],
});

export const listHblEvents = contract({
  ...common,
  method: 'GET',
  operationId: 'listHashBlocklistEvents',
  path: '/v1/monitoring/hbls/events',
  summary: 'List when email addresses came onto lists and off them',
  description: 'Newest first.',
  query: Type.Object({
    ...pivotFields({ limit: 100 }),
    [PIVOT]: pivotField,
    ...filter,
    start: Type.Optional(Type.String({ maxLength: 40, description: 'YYYY-MM-DD, UTC. Default: 7 days ago.' })),
    end: Type.Optional(Type.String({ maxLength: 40, description: 'YYYY-MM-DD, UTC, included. Default: today.' })),
  }),
  reply: Type.Object({
    events: Type.Array(
      Type.Object({
        id: text,
        timestamp: text,
        event: Type.Enum(['hbl_listed', 'hbl_delisted']),
        domain: text,
        hbl_type: HblType,
        entity: text,
        account_id: text,
        list: text,
        name: text,
      }),
    ),
    paging: EndlessPaging,
  }),
  errors: ['invalid_request'],
});
