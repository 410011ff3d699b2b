import { Type } from 'typebox';
import type { GateRules } from '../../../engines/gate/index.ts';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { countedFields, skipFields } from '../../../platform/paging/index.ts';
import { Nullable } from '../../proof/_message/index.ts';

export const MODES = ['off', 'warn', 'hold', 'refuse'] as const;
export const STATES = ['sent', 'checking', 'held', 'passed', 'released', 'dropped', 'refused', 'expired'] as const;

const common = { tag: 'Gate', errorShape: 'message' } as const;
const DOMAIN_PATH = '/v1/galley/domains/{name}/gate';
export const MESSAGES_PATH = '/v1/galley/gate/messages';

const Mode = Type.Enum([...MODES], {
  description:
    '`off`: nothing is checked. `warn`: messages leave at once, and the verdict is written beside them. `hold`: a ' +
    'message waits until it passed, and until a person releases it when it failed. `refuse`: it waits until it passed, ' +
    'and is rejected when it failed; the same content is refused with 403 (by SMTP 550) for 24 hours.',
});

const settingsOf = (rules: GateRules) => ({
  mode: Mode,
  policy: Type.Optional(Nullable(readByItself(rules.policy))),
  checks: Type.Optional(
    Nullable(
      Type.Array(Type.Enum(rules.checks.filter((check) => check !== 'screenshots')), {
        minItems: 1,
        maxItems: 20,
        description: 'Null: all of them. Screenshots need a baseline, which a new message has not.',
      }),
    ),
  ),
});

const SettingsView = Type.Object(
  {
    domain: Type.String(),
    mode: Mode,
    policy: Nullable(Type.Unknown({ description: 'As it was given; null: the defaults of the gate.' })),
    checks: Nullable(Type.Array(Type.String())),
  },
  { title: 'DomainGate' },
);

const domain = {
  ...common,
  rights: 'domains',
  path: DOMAIN_PATH,
  params: Type.Object({ name: Type.String({ description: 'A sending domain of the account.' }) }),
} as const;

export const getDomainGate = contract({
  ...domain,
  method: 'GET',
  operationId: 'getDomainGate',
  summary: 'Get what the gate does with messages of a domain',
  description: 'The mode of a new domain is `off`.',
  reply: SettingsView,
  errors: ['not_found'],
});

export const putDomainGate = (rules: GateRules) =>
  contract({
    ...domain,
    method: 'PUT',
    operationId: 'updateDomainGate',
    summary: 'Set what the gate does with messages of a domain',
    description:
      'Holds for messages that are accepted from then on. A content is judged once for 24 hours, however many ' +
      'messages have it; four contents of an account are judged at once and 120 in an hour, and what is over that ' +
      'waits. A message is held for 48 hours at most and dropped then; 1,000 messages and 1 GB of an account may wait.',
    body: Type.Object(settingsOf(rules)),
    reply: SettingsView,
    errors: ['invalid_request', 'not_found'],
  });

const Moment = (description: string) => Type.String({ format: 'date-time', description });

const GatedMessage = Type.Object(
  {
    message: Type.Object({
      id: Type.String({ description: 'The Message-Id, in brackets.' }),
      storage_key: Type.String(),
      subject: Type.String({ description: 'At most 300 characters of it.' }),
      from: Type.String({ description: 'At most 300 characters of it.' }),
    }),
    domain: Type.String({ description: 'The sending domain.' }),
    mode: Type.Enum(['warn', 'hold', 'refuse'], { description: 'Of the domain, when the message was accepted.' }),
    state: Type.Enum([...STATES], {
      description:
        '`sent`: it was not held. `checking`: it waits for its verdict. `held`: it waits for a person. `passed`: the ' +
        'gate let it go. `released`, `dropped`: a person decided. `refused`: the gate rejected it. `expired`: nobody ' +
        'decided in time, and it was dropped.',
    }),
    reason: Type.String({ description: 'The state in words, with why.' }),
    recipients: Type.Integer(),
    waiting: Type.Integer({ description: 'Recipients for whom it is still held.' }),
    size_bytes: Type.Integer(),
    verdict: Type.Object({
      state: Type.Enum(['waiting', 'running', 'pass', 'fail', 'unknown', 'none'], {
        description: '`unknown`: the gate could not run. `none`: it was not judged, because too many others waited.',
      }),
      gate_id: Nullable(Type.String({ description: 'The report: `GET /v1/inspect/gate/{id}`.' })),
      reasons: Type.Array(Type.String()),
    }),
    created_at: Moment('When it was accepted.'),
    held_until: Nullable(Moment('It is dropped then, if nobody has decided.')),
    decided_at: Nullable(Moment('When it was released, dropped or refused.')),
    decided_by: Nullable(Type.String({ description: 'Null: the gate, or time.' })),
  },
  { title: 'GatedMessage' },
);

const messages = { ...common, rights: 'messages' } as const;
const Key = Type.Object({
  storage_key: Type.String({ maxLength: 100, description: 'From the list, or `storage.key` of an event.' }),
});

export const listGated = contract({
  ...messages,
  method: 'GET',
  operationId: 'listGatedMessages',
  path: MESSAGES_PATH,
  summary: 'List messages that the gate looked at, newest first',
  description: 'Pages by `limit` and `skip`. Messages are listed for as long as their events are kept.',
  query: Type.Object({
    ...skipFields({ limit: 50 }),
    state: Type.Optional(
      Type.Enum(['waiting', ...STATES], { description: '`waiting`: `checking` and `held`. Default: all.' }),
    ),
    domain: Type.Optional(Type.String({ maxLength: 253, description: 'Of this sending domain.' })),
  }),
  reply: Type.Object({ ...countedFields, items: Type.Array(GatedMessage) }),
  errors: ['invalid_request'],
});

export const getGated = contract({
  ...messages,
  method: 'GET',
  operationId: 'getGatedMessage',
  path: `${MESSAGES_PATH}/{storage_key}`,
  summary: 'Get what the gate said of a message',
  description: 'The verdict, what became of the message, and who decided.',
  params: Key,
  reply: GatedMessage,
  errors: ['not_found'],
});

const Decided = Type.Object({ message: Type.String(), recipients: Type.Integer() });

export const releaseGated = contract({
  ...messages,
  method: 'POST',
  operationId: 'approveGatedMessage',
  path: `${MESSAGES_PATH}/{storage_key}/release`,
  summary: 'Release a message that the gate holds',
  description:
    'It is delivered as if it had passed, at the time that its sender chose or at once; it is given up later by as long ' +
    'as it was held. Of several who release or drop it, one does: the others are answered with 409.',
  params: Key,
  reply: Decided,
  errors: ['not_found', 'conflict'],
});

export const dropGated = contract({
  ...messages,
  method: 'POST',
  operationId: 'removeGatedMessage',
  path: `${MESSAGES_PATH}/{storage_key}/drop`,
  summary: 'Drop a message that the gate holds',
  description: 'It is not delivered. Each recipient gets an event `rejected` with the reason `gate`.',
  params: Key,
  reply: Decided,
  errors: ['not_found', 'conflict'],
});
