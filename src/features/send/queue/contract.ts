import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { countedFields, skipFields } from '../../../platform/paging/index.ts';

const common = { tag: 'Queue', errorShape: 'message', rights: 'messages' } as const;
const Moment = (description: string) => Type.String({ format: 'date-time', description });

const LastAttempt = Type.Object({
  at: Type.String(),
  code: Type.Integer(),
  message: Type.String({ description: 'The reply of the receiver, or why there was none.' }),
});

const condition = (description: string, maxLength = 320) => Type.Optional(Type.String({ maxLength, description }));

export const getQueue = contract({
  ...common,
  method: 'GET',
  operationId: 'getQueue',
  path: '/v1/galley/queue',
  summary: 'Get what waits, by destination',
  description:
    'Deliveries that wait for their turn, their time or another attempt; one for each recipient. The 100,000 whose ' +
    'turn comes first are looked at: where more wait, `is_bound` is true and counts are at least so high.',
  query: Type.Object({ domain: condition('Of this sending domain.', 253) }),
  reply: Type.Object({
    delivery: Type.Enum(['capture', 'live'], {
      description: 'Where messages go that are accepted now; `capture`: nothing leaves the machine.',
    }),
    waiting: Type.Integer(),
    is_bound: Type.Boolean(),
    in_delivery: Type.Integer({ description: 'Being delivered at this moment, of all domains.' }),
    destinations: Type.Array(
      Type.Object({
        destination: Type.String({ description: 'The domain of the recipients.' }),
        waiting: Type.Integer(),
        due: Type.Integer({ description: 'Of those, how many may be tried now.' }),
        held: Type.Integer({ description: 'Of those, how many wait until their message is released.' }),
        next_attempt_at: Moment('When the first of them is tried.'),
        give_up_at: Moment('When the first of them is given up.'),
        reason: Type.String({ description: 'Why they wait, in words.' }),
        last_attempt: Type.Optional(LastAttempt),
      }),
      { description: 'At most 100, where most wait first.' },
    ),
  }),
  errors: ['invalid_request'],
});

export const listQueued = contract({
  ...common,
  method: 'GET',
  operationId: 'listQueuedDeliveries',
  path: '/v1/galley/queue/deliveries',
  summary: 'List what waits',
  description:
    'The deliveries whose turn comes first, first. `meta.count` is at most 100,000: where `meta.is_bound` is true, ' +
    'more wait.',
  query: Type.Object({
    ...skipFields({ limit: 50 }),
    domain: condition('Of this sending domain.', 253),
    destination: condition('To this domain.', 253),
    recipient: condition('A part of the address.'),
    message: condition('The id that sending answered, or the storage key.', 1000),
  }),
  reply: Type.Object({
    ...countedFields,
    meta: Type.Object({ count: Type.Integer(), is_bound: Type.Boolean() }),
    items: Type.Array(
      Type.Object({
        id: Type.String(),
        recipient: Type.String(),
        destination: Type.String(),
        domain: Type.String({ description: 'The sending domain.' }),
        state: Type.Enum(['due', 'scheduled', 'deferred', 'held'], {
          description:
            '`due`: waits for its turn. `scheduled`: for the time that its sender chose. `deferred`: for another ' +
            'attempt. `held`: until the gate or a person lets it go.',
        }),
        reason: Type.String({ description: 'Why it waits, in words.' }),
        attempts: Type.Integer({ description: 'Made so far.' }),
        next_attempt_at: Moment('When it is tried.'),
        give_up_at: Moment('No attempt is made after this.'),
        held_until: Type.Optional(Moment('It is dropped then, if nobody releases it.')),
        last_attempt: Type.Optional(LastAttempt),
        message: Type.Object({
          id: Type.String({ description: 'The Message-Id, in brackets.' }),
          storage_key: Type.String(),
          subject: Type.String({ description: 'At most 300 characters of it.' }),
          from: Type.String({ description: 'At most 300 characters of it.' }),
        }),
        'delivery-mode': Type.Enum(['capture', 'live'], { description: '`capture`: it does not leave the machine.' }),
      }),
    ),
  }),
  errors: ['invalid_request'],
});

const Message = Type.Object({
  storage_key: Type.String({ maxLength: 100, description: 'From the list, or `storage.key` of an event.' }),
});

export const cancelMessage = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteQueuedMessage',
  path: '/v1/galley/queue/messages/{storage_key}',
  summary: 'Cancel what waits of a message',
  description:
    'Each recipient who was still waiting gets an event `rejected` with the reason `canceled`. What is being delivered ' +
    'at that moment goes on.',
  params: Message,
  reply: Type.Object({ message: Type.String(), canceled: Type.Integer({ description: 'Recipients.' }) }),
  errors: ['not_found'],
});

export const tryMessage = contract({
  ...common,
  method: 'POST',
  operationId: 'runQueuedMessage',
  path: '/v1/galley/queue/messages/{storage_key}/attempts',
  summary: 'Try deferred deliveries of a message now',
  description: 'Those that wait for another attempt. What waits for the time that its sender chose goes on waiting.',
  params: Message,
  reply: Type.Object({ message: Type.String(), moved: Type.Integer({ description: 'Recipients.' }) }),
  errors: ['not_found'],
});
