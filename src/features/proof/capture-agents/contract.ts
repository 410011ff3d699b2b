import { Type, type Static } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { countedFields, skipFields } from '../../../platform/paging/index.ts';
import { Nullable } from '../_message/index.ts';

export const AGENTS_PATH = '/v2/preview/capture_agents';
export const REQUESTS_PATH = '/v2/preview/capture_requests';
const AGENT_PATH = '/v2/preview/capture_agent';
/** How long a claim lasts, and lasts on from when it is extended. */
export const LEASE_SECONDS = 120;
export const ATTEMPTS_MAX = 3;
const PICTURE_BODY_BYTES_MAX = 10_000_000 + 64 * 1024;

const common = { tag: 'Email preview captures', errorShape: 'preview', product: 'email_preview' } as const;
const Line = (description: string) => Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description });

const Stated = Type.Object({
  client: Type.String({ minLength: 1, maxLength: 100, description: 'Id of a client.' }),
  version: Line('As the client says it.'),
  os: Line('The operating system and its version.'),
});
export type StatedClient = Static<typeof Stated>;

const Shown = Type.Object(
  { client: Type.String(), version: Type.String(), os: Type.String() },
  { title: 'CaptureAgentClient' },
);
const agent = {
  id: Type.String(),
  name: Type.String(),
  clients: Type.Array(Shown, { description: 'As it said when it last asked for work; empty until then.' }),
  created_at: Type.String({ description: 'RFC 3339, UTC.' }),
  last_seen_at: Nullable(Type.String()),
};
const Agent = Type.Object(agent, { title: 'CaptureAgent' });

export const enrollAgent = contract({
  ...common,
  method: 'POST',
  operationId: 'enrollCaptureAgent',
  path: AGENTS_PATH,
  access: 'admin',
  summary: 'Enroll an agent that captures messages in real clients',
  description:
    'For the operator alone: a key with the role `admin` of the first account of the installation. The token is shown ' +
    'once. With it an agent gets the messages that accounts ask captures of, and may do nothing else.',
  body: Type.Object({ name: Line('What its captures are signed with.') }),
  reply: Type.Object({ ...agent, token: Type.String() }),
  status: 201,
  errors: ['invalid_request', 'forbidden', 'too_many_requests'],
});

export const listAgents = contract({
  ...common,
  method: 'GET',
  operationId: 'listCaptureAgents',
  path: AGENTS_PATH,
  access: 'admin',
  summary: 'List the agents of this installation, newest first',
  description: 'For the operator alone.',
  query: Type.Object(skipFields({ limit: 50, max: 200 })),
  reply: Type.Object({ ...countedFields, items: Type.Array(Agent) }),
  errors: ['invalid_request', 'forbidden'],
});

export const deleteAgent = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteCaptureAgent',
  path: `${AGENTS_PATH}/{agent_id}`,
  access: 'admin',
  summary: 'Delete an agent',
  description: 'Its token ends at once, and what it had claimed waits for another. Its captures stay.',
  params: Type.Object({ agent_id: Type.String() }),
  reply: Type.Object({ success: Type.Boolean() }),
  errors: ['not_found', 'forbidden'],
});

const Request = Type.Object(
  {
    id: Type.String(),
    test_id: Type.String(),
    client: Type.String(),
    requested_by: Type.String(),
    state: Type.Enum(['waiting', 'claimed', 'done', 'failed']),
    attempts: Type.Integer({ description: `How often an agent claimed it; ${ATTEMPTS_MAX} times at most.` }),
    error: Nullable(Type.String()),
    capture_id: Nullable(Type.String()),
    created_at: Type.String(),
    ended_at: Nullable(Type.String()),
  },
  { title: 'CaptureRequest' },
);
export type RequestView = Static<typeof Request>;

export const requestCapture = contract({
  ...common,
  method: 'POST',
  operationId: 'requestPreviewCapture',
  path: REQUESTS_PATH,
  summary: 'Ask an agent to capture the message of a test in a real client',
  description: 'For a client of the test that an agent of this installation runs; 409 where none does.',
  body: Type.Object({ test_id: Type.String(), client: Type.String() }),
  reply: Request,
  status: 201,
  errors: ['invalid_request', 'invalid_client', 'not_found', 'conflict', 'too_many_requests'],
});

export const listRequests = contract({
  ...common,
  method: 'GET',
  operationId: 'listPreviewCaptureRequests',
  path: REQUESTS_PATH,
  summary: 'List what was asked of agents, newest first',
  description: 'Of one test where `test_id` names it. `clients` are those that agents of this installation run.',
  query: Type.Object({
    test_id: Type.Optional(Type.String({ maxLength: 100 })),
    ...skipFields({ limit: 50, max: 200 }),
  }),
  reply: Type.Object({
    ...countedFields,
    clients: Type.Array(Type.String(), { description: 'Ids of the clients that a capture may be asked of.' }),
    items: Type.Array(Request),
  }),
  errors: ['invalid_request'],
});

/** What an agent calls, with `Authorization: Bearer` and its token. */
const ofAgent = {
  tag: 'Email preview captures',
  errorShape: 'preview',
  method: 'POST',
  access: 'none',
  unaudited: 'an agent is no user or key; what it did stands in its captures and requests.',
} as const;
const job = { ...ofAgent, params: Type.Object({ request_id: Type.String() }) };
const Done = Type.Object({ success: Type.Boolean() });

const Job = Type.Object(
  {
    id: Type.String(),
    client: Type.String(),
    subject: Type.String(),
    message: Type.String({ description: 'The whole message, in base64. It is hostile: only the client may open it.' }),
    lease_until: Type.String({ description: `RFC 3339: in ${LEASE_SECONDS} seconds. Extend it while you work.` }),
  },
  { title: 'CaptureJob' },
);

export const claimJob = contract({
  ...ofAgent,
  operationId: 'claimCaptureJob',
  path: `${AGENT_PATH}/claim`,
  summary: 'Claim the next job of an agent',
  description:
    'With `Authorization: Bearer` and the token of the agent. Says which clients it runs. `job` is null where nothing ' +
    'waits for one of them; the account that was served longest ago comes first.',
  body: Type.Object({ clients: Type.Array(Stated, { minItems: 1, maxItems: 50 }) }),
  reply: Type.Object({ job: Nullable(Job) }),
  errors: ['invalid_request', 'unauthorized'],
});

export const extendJob = contract({
  ...job,
  operationId: 'extendCaptureJob',
  path: `${AGENT_PATH}/jobs/{request_id}/extend`,
  summary: 'Extend the lease of a claimed job',
  description: 'With the token of the agent. 409: another agent has it, or it has ended.',
  body: Type.Object({}),
  isBodyOptional: true,
  reply: Type.Object({ lease_until: Type.String() }),
  errors: ['not_found', 'conflict', 'unauthorized'],
});

export const completeJob = contract({
  ...job,
  operationId: 'completeCaptureJob',
  path: `${AGENT_PATH}/jobs/{request_id}/complete`,
  summary: 'Complete a claimed job with the picture',
  description: 'With the token of the agent. The bounds of the picture are those of an upload. May be sent twice.',
  bodyBytesMax: PICTURE_BODY_BYTES_MAX,
  fileField: 'picture',
  isFormOnly: true,
  body: Type.Object({
    picture: readByItself(Type.String({ contentMediaType: 'image/*' })),
    scale: Type.Optional(Type.Number({ minimum: 1, maximum: 4, description: 'Pixels to a CSS pixel. Default: 1.' })),
  }),
  reply: Done,
  errors: ['invalid_request', 'not_found', 'conflict', 'unauthorized', 'too_large', 'too_many_requests'],
});

export const failJob = contract({
  ...job,
  operationId: 'failCaptureJob',
  path: `${AGENT_PATH}/jobs/{request_id}/fail`,
  summary: 'Give a claimed job up',
  description: `With the token of the agent. It waits for another try, ${ATTEMPTS_MAX} in all; then it is failed.`,
  body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 1000 }) }),
  reply: Done,
  errors: ['invalid_request', 'not_found', 'conflict', 'unauthorized'],
});
