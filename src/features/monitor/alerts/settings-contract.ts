// Which events go to which channel, tests of channels, and the key that signs webhooks.
import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { numberFields } from '../../../platform/paging/index.ts';
import { common } from './contract.ts';

const Channel = Type.Enum(['email', 'webhook', 'slack']);
const nullable = (schema = Type.String()) => Type.Union([schema, Type.Null()]);

const Settings = Type.Object({
  url: Type.Optional(
    Type.String({
      description: 'Of `webhook`; of `slack`, an incoming webhook of Slack or of what speaks like it.',
    }),
  ),
  emails: Type.Optional(Type.Array(Type.String(), { description: 'Of `email`: 1 to 10.' })),
  channel_ids: Type.Optional(Type.Array(Type.String(), { description: 'Of `slack`, with a saved token: 1 to 10.' })),
  digest: Type.Optional(
    Type.Enum(['hourly', 'daily'], { description: 'Of `email`: one email an hour, or one at 08:00.' }),
  ),
});
const Disabled = Type.Record(Type.String(), Type.Object({ disabled_at: Type.String(), reason: Type.String() }));

const EventSetting = Type.Object(
  {
    id: Type.String({ description: 'A UUID.' }),
    event_type: Type.String(),
    channel: Channel,
    settings: Settings,
    disabled_at: nullable(),
    disabled_channel_ids: Type.Optional(Disabled),
    disabled_emails: Type.Optional(Disabled),
  },
  { title: 'AlertEventSetting' },
);
const EventRequest = Type.Object(
  { event_type: Type.String({ description: 'One of `/v1/alerts/events`.' }), channel: Channel, settings: Settings },
  { title: 'AlertEventRequest' },
);
const sample = { event_type: 'ip_listed', channel: 'email', settings: { emails: ['postmaster@example.com'] } };

export const getAlertSettings = contract({
  ...common,
  method: 'GET',
  operationId: 'getAlertSettings',
  path: '/v1/alerts/settings',
  summary: 'List alert settings',
  description: 'All of them, with what is saved for each channel. Keys that may not write get no signing key.',
  reply: Type.Object({
    events: Type.Array(EventSetting),
    slack: Type.Object({
      token: nullable(),
      team_id: nullable(),
      team_name: nullable(),
      scope: nullable(),
    }),
    webhooks: Type.Object({
      signing_key: nullable(),
      signing_key_fault: Type.Optional(Type.String({ description: 'Why the key cannot be read, where it cannot.' })),
    }),
  }),
});

export const createAlertSetting = contract({
  ...common,
  method: 'POST',
  operationId: 'createAlertSetting',
  path: '/v1/alerts/settings/events',
  summary: 'Add an alert setting',
  description:
    'An event type and a channel. The URL of a webhook is asked with GET and must answer 200, or nothing is saved. ' +
    'Alerts are posted with `X-Sign`: HMAC-SHA256 of the whole body with the signing key of alerts, as hexadecimal ' +
    'digits. What is not answered with 2xx is repeated for 7.5 hours; then the setting gets `disabled_at`.',
  body: EventRequest,
  sample,
  reply: EventSetting,
  errors: ['invalid_request'],
});

const deprecated = { since: '2026-11-23', successor: '/v1/alerts/settings/events' };

export const createAlertSettingBare = contract({
  ...createAlertSetting,
  operationId: 'createAlertSettingBare',
  path: '/v1/alerts/settings',
  description: 'The same as `/v1/alerts/settings/events`, where a published client asks.',
  deprecated,
});

const One = Type.Object({ id: Type.String({ description: 'Of the setting.' }) });

export const updateAlertSetting = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateAlertSetting',
  path: '/v1/alerts/settings/events/{id}',
  summary: 'Replace an alert setting',
  description: 'It is checked as a new one is. A setting that was disabled is enabled.',
  params: One,
  body: EventRequest,
  sample,
  reply: EventSetting,
  errors: ['invalid_request', 'not_found'],
});

const Message = Type.Object({ message: Type.String() });

export const deleteAlertSetting = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteAlertSetting',
  path: '/v1/alerts/settings/events/{id}',
  summary: 'Delete an alert setting',
  description: 'What still waits for its targets is not sent.',
  params: One,
  reply: Message,
  errors: ['not_found'],
});

export const deleteAlertSettingBare = contract({
  ...deleteAlertSetting,
  operationId: 'deleteAlertSettingBare',
  path: '/v1/alerts/settings/{id}',
  description: 'The same as `/v1/alerts/settings/events/{id}`, where a published client asks.',
  deprecated,
});

export const rotateAlertSigningKey = contract({
  ...common,
  method: 'PUT',
  operationId: 'rotateAlertSigningKey',
  path: '/v1/alerts/settings/webhooks/signing_key',
  summary: 'Replace the key that signs alerts',
  description: 'Every attempt from now on is signed with the new key. Webhooks of sending have another one.',
  access: 'admin',
  reply: Type.Object({ signing_key: Type.String({ description: '32 hexadecimal digits.' }) }),
});

export const saveSlackToken = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateAlertSlackToken',
  path: '/v1/alerts/settings/slack',
  summary: 'Save the Slack token of alerts',
  description: 'A bot token with the scopes `chat:write` and `channels:read`. Slack is asked whether it knows it.',
  body: Type.Object({ token: Type.String() }),
  sample: { token: 'xoxb-0000000000-example' },
  reply: Type.Object({ message: Type.String(), team_id: nullable(), team_name: nullable() }),
  errors: ['invalid_request'],
});

export const deleteSlackToken = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteAlertSlackToken',
  path: '/v1/alerts/settings/slack',
  summary: 'Delete the Slack token of alerts',
  description:
    'One that came by connecting Slack is revoked there, too; `message` says whether that worked. Settings with ' +
    '`channel_ids` reach nobody then; incoming webhooks need no token.',
  reply: Message,
});

export const listSlackChannels = contract({
  ...common,
  method: 'GET',
  operationId: 'listAlertSlackChannels',
  path: '/v1/alerts/slack/channels',
  summary: 'List the Slack channels that the token sees',
  description:
    'In the order in which Slack answers, archived ones too; of one workspace, the first 9,990. None without a saved ' +
    'token. Slack is asked each time.',
  query: Type.Object(numberFields('limit', { limit: 100, limitMax: 1000 })),
  reply: Type.Object({
    items: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), is_archived: Type.Boolean() })),
    paging: Type.Object({ previous: Type.Optional(Type.String()), next: Type.Optional(Type.String()) }),
  }),
  errors: ['invalid_request'],
});

const tested = {
  ...common,
  method: 'POST',
  description: 'Sends a made-up alert of the event at once, once. Nothing is saved.',
  reply: Message,
  errors: ['invalid_request', 'too_many_requests'],
} as const;
const EventType = Type.String({ description: 'One of `/v1/alerts/events`.' });

export const testAlertEmail = contract({
  ...tested,
  operationId: 'testAlertEmail',
  path: '/v1/alerts/email/test',
  summary: 'Send a test alert by email',
  body: Type.Object({ event_type: EventType, emails: Type.Array(Type.String()) }),
  sample: { event_type: 'ip_listed', emails: ['postmaster@example.com'] },
});

export const testAlertWebhook = contract({
  ...tested,
  operationId: 'testAlertWebhook',
  path: '/v1/alerts/webhooks/test',
  summary: 'Post a test alert to a URL',
  body: Type.Object({ event_type: EventType, url: Type.String() }),
  sample: { event_type: 'ip_listed', url: 'https://shop.example.com/alerts' },
});

export const testAlertSlack = contract({
  ...tested,
  operationId: 'testAlertSlack',
  path: '/v1/alerts/slack/test',
  summary: 'Send a test alert to Slack',
  body: Type.Object({
    event_type: EventType,
    channel_ids: Type.Optional(Type.Array(Type.String())),
    url: Type.Optional(Type.String({ description: 'An incoming webhook, in place of channels.' })),
  }),
  sample: { event_type: 'ip_listed', url: 'https://hooks.slack.example/services/T0/B0/x' },
});
