import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { EndlessPaging, PageToken } from '../../../platform/paging/index.ts';

const common = { tag: 'Events', errorShape: 'message', rights: 'logs' } as const;
const Retention = Type.Object({
  days: Type.Integer({ description: 'Days that events of the account are kept.' }),
  days_max: Type.Integer({ description: 'As long as the service keeps events.' }),
});

export const getRetention = contract({
  ...common,
  method: 'GET',
  operationId: 'getEventRetention',
  path: '/v1/galley/event-retention',
  summary: 'Get how long events are kept',
  description: 'As long as the service keeps them (`GALLEY_EVENT_RETENTION_DAYS`), unless the account wants less.',
  reply: Retention,
});

export const putRetention = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateEventRetention',
  path: '/v1/galley/event-retention',
  summary: 'Set how long events are kept',
  description: 'Events that are older are deleted within the hour, and for good.',
  access: 'admin',
  sample: { days: 14 },
  body: Type.Object({ days: Type.Integer({ minimum: 1, maximum: 3650 }) }),
  reply: Retention,
  errors: ['invalid_request'],
});

const filter = (description: string) => Type.Optional(Type.String({ maxLength: 1000, description }));
const time = (description: string) => Type.Optional(Type.String({ maxLength: 100, description }));

const Event = Type.Object(
  {
    event: Type.String(),
    id: Type.String(),
    timestamp: Type.Number({ description: 'Unix seconds.' }),
    'log-level': Type.Enum(['info', 'warn', 'error']),
    recipient: Type.Optional(Type.String()),
    'delivery-mode': Type.Optional(
      Type.Enum(['capture', 'live'], { description: '`capture`: nothing left the machine.' }),
    ),
  },
  {
    title: 'Event',
    additionalProperties: Type.Unknown(),
    description: 'Beside these, what the kind of event has: message, envelope, storage, flags, delivery-status, tags …',
  },
);
const Events = Type.Object({ items: Type.Array(Event), paging: EndlessPaging });
const OLD = { deprecated: { since: '@1735689600', successor: '/v1/analytics/logs' } } as const;

const FILTERS = {
  event: filter('Kinds, such as `delivered OR failed`.'),
  list: filter('Of a mailing list; there are none yet, so that nothing is found.'),
  attachment: filter('A part of the name of an attached file.'),
  from: filter('A part of the sender.'),
  'message-id': filter('Without brackets.'),
  subject: filter('A part of the subject.'),
  to: filter('A part of the To field.'),
  size: filter('Bytes, such as `>1000 <50000`.'),
  recipient: filter('An address, or a part of one.'),
  recipients: filter('A part of any recipient of the message.'),
  tags: filter('Tags, such as `spring AND news`.'),
  severity: filter('`temporary` or `permanent`.'),
};

export const listEvents = contract({
  ...common,
  ...OLD,
  method: 'GET',
  operationId: 'listEvents',
  path: '/v3/{domain_name}/events',
  summary: 'List events',
  description:
    'Newest first, or oldest first with `ascending=yes` or a `begin` before `end`. Each filter is made of terms, ' +
    'phrases in quotes, brackets, `AND` (which may be left out), `OR` and `NOT`. Follow `paging.next` until a page is ' +
    'empty; who asks for that page again sees what came since. Events are shown two seconds after they happened.',
  params: Type.Object({ domain_name: Type.String({ description: 'A sending domain of the account.' }) }),
  query: Type.Object({
    begin: time('RFC 2822 date, or Unix seconds.'),
    end: time('RFC 2822 date, or Unix seconds.'),
    ascending: Type.Optional(Type.Enum(['yes', 'no', 'true', 'false'])),
    limit: Type.Integer({ minimum: 1, maximum: 300, default: 100 }),
    ...FILTERS,
  }),
  reply: Events,
  errors: ['invalid_request', 'not_found'],
});

export const listEventsPage = contract({
  ...common,
  ...OLD,
  method: 'GET',
  operationId: 'listEventsPage',
  path: '/v3/{domain_name}/events/{page_token}',
  summary: 'Get a page of events',
  description: 'The addresses of pages are those in `paging`; conditions are in the token.',
  params: Type.Object({
    domain_name: Type.String({ description: 'A sending domain of the account.' }),
    page_token: PageToken,
  }),
  reply: Events,
  errors: ['invalid_request', 'not_found'],
});
