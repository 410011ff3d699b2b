import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { countedFields, skipFields } from '../../../platform/paging/index.ts';
import { Nullable } from '../../proof/_message/index.ts';

export const BREAKER_MODES = ['off', 'on'] as const;
export const BATCH_STATES = ['sampling', 'passed', 'held', 'released', 'dropped', 'expired'] as const;
export const BATCH_KINDS = ['message', 'tag', 'campaign', 'list'] as const;
export const DEFAULTS = { mode: 'off', sample: 200, bouncedMax: 10, deferredMax: 50 } as const;
const SAMPLE = { minimum: 10, maximum: 1000 } as const;
const PERCENT = { minimum: 0, maximum: 100 } as const;

const common = { tag: 'Batches', errorShape: 'message' } as const;
export const BATCHES_PATH = '/v1/galley/batches';

const Mode = Type.Enum([...BREAKER_MODES], {
  description:
    '`on`: a batch leaves for its first recipients only, and goes on when their deliveries went well; else it is held ' +
    'until a person releases or drops it.',
});

const Settings = Type.Object(
  {
    domain: Type.String(),
    mode: Mode,
    sample: Type.Integer({ description: 'How many first deliveries a batch is judged by.' }),
    bounced_max: Type.Integer({ description: 'Percent of them that may be refused for good.' }),
    deferred_max: Type.Integer({ description: 'Percent of them that may be deferred at their first attempt.' }),
  },
  { title: 'DomainBreaker' },
);

const domain = {
  ...common,
  rights: 'domains',
  path: '/v1/galley/domains/{name}/breaker',
  params: Type.Object({ name: Type.String({ description: 'A sending domain of the account.' }) }),
} as const;

export const getBreaker = contract({
  ...domain,
  method: 'GET',
  operationId: 'getDomainBreaker',
  summary: 'Get when batches of a domain are held',
  description: 'The circuit breaker of a new domain is `off`; its limits are 10 and 50 percent of 200 deliveries.',
  reply: Settings,
  errors: ['not_found'],
});

export const putBreaker = contract({
  ...domain,
  method: 'PUT',
  operationId: 'updateDomainBreaker',
  summary: 'Set when batches of a domain are held',
  description:
    'A batch is what a domain sends within an hour under one campaign (`o:campaign`), else under one tag (the first ' +
    '`o:tag`), else to one mailing list, else one call with more recipients than the sample has: senders of many ' +
    'recipients make many calls, which only such a name joins. Messages with `o:testmode` or `o:transactional` are in none. Holds for batches that ' +
    'begin from then on; what is left out is as in a new domain.',
  body: Type.Object({
    mode: Mode,
    sample: Type.Optional(Type.Integer(SAMPLE)),
    bounced_max: Type.Optional(Type.Integer(PERCENT)),
    deferred_max: Type.Optional(Type.Integer(PERCENT)),
  }),
  sample: { mode: 'on', sample: 200, bounced_max: 10, deferred_max: 50 },
  reply: Settings,
  errors: ['invalid_request', 'not_found'],
});

const Moment = (description: string) => Type.String({ format: 'date-time', description });

const Batch = Type.Object(
  {
    id: Type.String(),
    domain: Type.String({ description: 'The sending domain.' }),
    kind: Type.Enum([...BATCH_KINDS], {
      description: 'What its messages have in common: `message` is one call, `list` a mailing list.',
    }),
    name: Type.String({
      description: 'The tag, the campaign or the address of the list; of a call, its number in this installation.',
    }),
    state: Type.Enum([...BATCH_STATES], {
      description:
        '`sampling`: its first deliveries are under way, and the rest waits. `passed`: it goes on. `held`: it waits for ' +
        'a person. `released`, `dropped`: a person decided. `expired`: nobody decided within 48 hours, and it was dropped.',
    }),
    reason: Type.String({ description: 'The state in words, with its numbers.' }),
    messages: Type.Integer({ description: 'Calls that joined it until it passed or was decided.' }),
    recipients: Type.Integer({ description: 'Recipients of these.' }),
    waiting: Type.Integer({ description: 'Recipients for whom it waits; 100,000 stands for more, too.' }),
    sample: Type.Object({
      size: Type.Integer(),
      sampled: Type.Integer({ description: 'How many of it are there so far.' }),
      delivered: Type.Integer(),
      bounced: Type.Integer(),
      deferred: Type.Integer(),
      untried: Type.Integer({ description: 'Such as addresses on a list of suppressions; they say nothing.' }),
      bounced_max: Type.Integer({ description: 'Percent.' }),
      deferred_max: Type.Integer({ description: 'Percent.' }),
    }),
    started_at: Moment('When its first message was accepted.'),
    held_at: Nullable(Moment('When it was held.')),
    held_until: Nullable(Moment('It is dropped then, if nobody has decided.')),
    decided_at: Nullable(Moment('When it passed, was released or dropped.')),
    decided_by: Nullable(Type.String({ description: 'Null: its sample, or time.' })),
  },
  { title: 'SendingBatch' },
);

const batches = { ...common, rights: 'messages' } as const;
const Id = Type.Object({ batch_id: Type.String({ maxLength: 30, description: 'From the list.' }) });

export const listBatches = contract({
  ...batches,
  method: 'GET',
  operationId: 'listSendingBatches',
  path: BATCHES_PATH,
  summary: 'List batches, newest first',
  description: 'Of domains whose breaker is on. Pages by `limit` and `skip`. Listed for as long as events are kept.',
  query: Type.Object({
    ...skipFields({ limit: 50 }),
    state: Type.Optional(
      Type.Enum(['waiting', ...BATCH_STATES], { description: '`waiting`: `sampling` and `held`. Default: all.' }),
    ),
    domain: Type.Optional(Type.String({ maxLength: 253, description: 'Of this sending domain.' })),
  }),
  reply: Type.Object({ ...countedFields, items: Type.Array(Batch) }),
  errors: ['invalid_request'],
});

export const getBatch = contract({
  ...batches,
  method: 'GET',
  operationId: 'getSendingBatch',
  path: `${BATCHES_PATH}/{batch_id}`,
  summary: 'Get a batch',
  description: 'What its first deliveries came to, and who decided.',
  params: Id,
  reply: Batch,
  errors: ['not_found'],
});

const Decided = Type.Object({ message: Type.String(), recipients: Type.Integer() });

export const releaseBatch = contract({
  ...batches,
  method: 'POST',
  operationId: 'approveSendingBatch',
  path: `${BATCHES_PATH}/{batch_id}/release`,
  summary: 'Release a batch that waits',
  description:
    'What waits of it is delivered, at the time that its sender chose or at once; it is given up later by as long as it ' +
    'waited. What joins it later leaves without waiting. What the gate holds besides goes on waiting for that. Of several who release or ' +
    'drop it, one does: the others are answered with 409.',
  params: Id,
  reply: Decided,
  errors: ['not_found', 'conflict'],
});

export const dropBatch = contract({
  ...batches,
  method: 'POST',
  operationId: 'removeSendingBatch',
  path: `${BATCHES_PATH}/{batch_id}/drop`,
  summary: 'Drop a batch that waits',
  description:
    'What is not delivered yet is not delivered. Each of these recipients gets an event `rejected` with the reason ' +
    '`batch`. Later messages of the same name begin another batch.',
  params: Id,
  reply: Decided,
  errors: ['not_found', 'conflict'],
});
