import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { WEEKDAYS } from '../../../platform/times/index.ts';
import { Nullable } from '../../proof/_message/index.ts';

export const CALENDAR_MODES = ['off', 'on'] as const;

const Mode = Type.Enum([...CALENDAR_MODES], {
  description: '`on`: messages wait for the hours below.',
});
const TIME = { pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' } as const;

const fields = {
  mode: Mode,
  time_zone: Type.String({
    maxLength: 100,
    description: 'Of recipients whose own is not known, such as `Europe/Berlin`.',
  }),
  weekdays: Type.Array(Type.Enum([...WEEKDAYS]), {
    minItems: 1,
    maxItems: 7,
    description: 'On which messages may leave.',
  }),
  quiet_hours: Nullable(
    Type.Object({
      from: Type.String({ ...TIME, description: '`20:00`' }),
      until: Type.String({ ...TIME, description: '`08:00`: the first minute at which they may leave again.' }),
    }),
  ),
};

const Now = Type.Object(
  {
    time_zone: Type.String(),
    may_leave: Type.Boolean(),
    leaves_at: Type.String({ format: 'date-time', description: 'This moment, or the next allowed minute.' }),
    reason: Nullable(Type.String({ description: 'What the queue says of what waits; null: nothing waits.' })),
  },
  {
    description: 'What the calendar does with a message that is due now, for a recipient in this time zone.',
  },
);

const View = Type.Object({ domain: Type.String(), ...fields, now: Now }, { title: 'DomainCalendar' });

const domain = {
  tag: 'Sending calendars',
  errorShape: 'message',
  rights: 'domains',
  path: '/v1/galley/domains/{name}/calendar',
  params: Type.Object({ name: Type.String({ description: 'A sending domain of the account.' }) }),
} as const;

export const getCalendar = contract({
  ...domain,
  method: 'GET',
  operationId: 'getDomainCalendar',
  summary: 'Get the hours in which messages of a domain may leave',
  description: 'The calendar of a new domain is `off`: messages leave at any hour.',
  query: Type.Object({
    time_zone: Type.Optional(
      Type.String({ maxLength: 100, description: 'Of a recipient, for `now`. Default: that of the calendar.' }),
    ),
  }),
  reply: View,
  errors: ['invalid_request', 'not_found'],
});

export const putCalendar = contract({
  ...domain,
  method: 'PUT',
  operationId: 'updateDomainCalendar',
  summary: 'Set the hours in which messages of a domain may leave',
  description:
    'Each recipient by their own clock: that of the variable `time_zone` or `timezone` of the call or of a member of a ' +
    'mailing list, else that of their `country` (`DE`) where all its clocks show the same, else of `time_zone`. What is due outside waits for the next allowed minute, also what is scheduled, tried again or ' +
    'released, and is given up later by as long as it waited. Messages with `o:transactional` or `o:testmode` leave at ' +
    'any hour. What waits is looked at again; what is left out is as in a new domain.',
  body: Type.Object({
    mode: fields.mode,
    time_zone: Type.Optional(fields.time_zone),
    weekdays: Type.Optional(fields.weekdays),
    quiet_hours: Type.Optional(fields.quiet_hours),
  }),
  sample: {
    mode: 'on',
    time_zone: 'Europe/Berlin',
    weekdays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
    quiet_hours: { from: '20:00', until: '08:00' },
  },
  reply: View,
  errors: ['invalid_request', 'not_found'],
});
