// Tests, the log of deliveries with its replays, and the state of URLs.
import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { EndlessPaging, pivotField, pivotFields } from '../../../platform/paging/index.ts';
import { common, KINDS, One, OneUrl, SAMPLE_URL, WEBHOOK_KINDS } from './contract.ts';

/** Days that deliveries are kept. */
export const DAYS_KEPT = 7;
/** Deliveries that one call sends again. */
export const REPLAYED_MAX = 1000;

const Tested = Type.Object(
  {
    code: Type.Integer({ description: 'The status of the answer; 0 when there was none.' }),
    message: Type.String(),
    answer: Type.String({ description: 'The beginning of the body.' }),
    took_ms: Type.Integer(),
  },
  { title: 'WebhookTest' },
);
const TEST_ABOUT =
  'Posts a signed event at once, once. `is-system-test` among its flags says that it is a test, and its id begins ' +
  'with `test-`. The URL need not be in a webhook.';

export const testDomainWebhook = contract({
  ...common,
  method: 'PUT',
  operationId: 'testDomainWebhook',
  path: '/v3/domains/{domain_name}/webhooks/{webhook_name}/test',
  summary: 'Send a test event of a domain',
  description: TEST_ABOUT,
  params: One,
  sample: { url: SAMPLE_URL },
  body: Type.Object({ url: OneUrl }),
  reply: Tested,
  errors: ['invalid_request', 'not_found'],
});

const galley = { tag: 'Webhooks', errorShape: 'message', rights: 'webhooks' } as const;

export const testWebhook = contract({
  ...galley,
  method: 'POST',
  operationId: 'testWebhook',
  path: '/v1/galley/webhooks/test',
  summary: 'Send a test event',
  description: TEST_ABOUT,
  sample: { url: SAMPLE_URL, event_type: 'delivered' },
  body: Type.Object({ url: OneUrl, event_type: Type.String({ description: `One of ${KINDS}.` }) }),
  reply: Tested,
  errors: ['invalid_request'],
});

const STATES = ['waiting', 'delivered', 'rejected', 'failed', 'canceled'] as const;
const State = Type.Enum([...STATES], {
  description:
    '`rejected`: the URL answered 406. `failed`: the last attempt failed, too. `canceled`: the URL was deleted or disabled.',
});
const Delivery = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    event_type: Type.Enum([...WEBHOOK_KINDS]),
    domain: Type.String(),
    event_id: Type.String({ description: 'Empty for a test.' }),
    event_at: Type.String(),
    state: State,
    is_test: Type.Boolean(),
    replay_of: Type.Optional(Type.String({ description: 'The delivery that this one repeats.' })),
    created_at: Type.String(),
    next_attempt_at: Type.Optional(Type.String()),
    attempts: Type.Array(
      Type.Object({
        at: Type.String(),
        code: Type.Optional(Type.Integer({ description: 'Left out when there was no answer.' })),
        message: Type.String(),
        took_ms: Type.Integer(),
        answer: Type.String({ description: 'At most 500 bytes.' }),
      }),
    ),
  },
  { title: 'WebhookDelivery' },
);
const FILTER = {
  url: Type.Optional(Type.String({ maxLength: 2000 })),
  event_type: Type.Optional(Type.String({ maxLength: 40, description: `One of ${KINDS}.` })),
  state: Type.Optional(State),
  begin: Type.Optional(Type.String({ maxLength: 100, description: 'RFC 3339 or RFC 2822, included.' })),
  end: Type.Optional(Type.String({ maxLength: 100, description: 'Not included.' })),
};

export const listDeliveries = contract({
  ...galley,
  method: 'GET',
  operationId: 'listWebhookDeliveries',
  path: '/v1/galley/webhooks/deliveries',
  summary: 'List deliveries of webhooks',
  description:
    `Newest first, kept for ${DAYS_KEPT} days. A delivery has at most seven attempts: at once, then after 5, 10 and ` +
    '15 minutes, 1, 2 and 4 hours. 2xx ends it, 406 too; redirects are not followed.',
  query: Type.Object({ ...pivotFields({ limit: 50 }), delivery_id: pivotField, ...FILTER }),
  reply: Type.Object({ items: Type.Array(Delivery), paging: EndlessPaging }),
  errors: ['invalid_request'],
});

export const replayDelivery = contract({
  ...galley,
  method: 'POST',
  operationId: 'resendWebhookDelivery',
  path: '/v1/galley/webhooks/deliveries/{delivery_id}/replay',
  summary: 'Send one event again',
  description: 'Makes a delivery of its own, with the same event id. It is sent as soon as it can be.',
  params: Type.Object({ delivery_id: Type.String() }),
  reply: Delivery,
  errors: ['not_found', 'conflict'],
});

export const replayDeliveries = contract({
  ...galley,
  method: 'POST',
  operationId: 'resendWebhookDeliveries',
  path: '/v1/galley/webhooks/deliveries/replay',
  summary: 'Send a range of events again',
  description:
    `The oldest first, at most ${REPLAYED_MAX} a call; \`left\` says how many more there are. What was sent again ` +
    'before is left out, and so are URLs that are disabled or in no webhook. Without `state`: those that failed.',
  sample: { state: 'failed', begin: '2026-11-20T00:00:00Z', end: '2026-11-21T00:00:00Z' },
  body: Type.Object(FILTER),
  isBodyOptional: true,
  reply: Type.Object({ replayed: Type.Integer(), left: Type.Integer() }),
  errors: ['invalid_request'],
});

const Url = Type.Object(
  {
    url: Type.String(),
    state: Type.Enum(['active', 'failing', 'paused', 'disabled'], {
      description:
        '`paused`: 100 attempts in a row failed; one is made every ten minutes, and the others wait. `disabled`: three ' +
        'attempts in a row were answered 410; nothing is sent.',
    }),
    failures: Type.Integer({ description: 'Failed attempts in a row.' }),
    waiting: Type.Integer({ description: 'Deliveries that wait.' }),
    dropped: Type.Integer({
      description: `Deliveries that were never taken, and are deleted after ${DAYS_KEPT} days.`,
    }),
    last_attempt: Type.Optional(
      Type.Object({ at: Type.String(), code: Type.Optional(Type.Integer()), message: Type.String() }),
    ),
    succeeded_at: Type.Optional(Type.String()),
    paused_at: Type.Optional(Type.String()),
    next_probe_at: Type.Optional(Type.String()),
    disabled_at: Type.Optional(Type.String()),
  },
  { title: 'WebhookUrl' },
);

export const listUrls = contract({
  ...galley,
  method: 'GET',
  operationId: 'listWebhookUrls',
  path: '/v1/galley/webhooks/urls',
  summary: 'List the URLs of webhooks with their state',
  description: 'Every URL that a webhook of the account or of one of its domains names.',
  reply: Type.Object({ items: Type.Array(Url) }),
});

export const enableUrl = contract({
  ...galley,
  method: 'POST',
  operationId: 'enableWebhookUrl',
  path: '/v1/galley/webhooks/urls/enable',
  summary: 'Send events to a paused or disabled URL again',
  description: 'What waits for a paused URL is sent. Events of the time in which a URL was disabled are not.',
  sample: { url: SAMPLE_URL },
  body: Type.Object({ url: OneUrl }),
  reply: Url,
  errors: ['invalid_request', 'not_found'],
});
