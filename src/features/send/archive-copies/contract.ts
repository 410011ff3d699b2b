import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { skipFields } from '../../../platform/paging/index.ts';

const common = { tag: 'Messages', errorShape: 'message', rights: 'messages' } as const;
/** Attempts that a copy keeps; nobody starts another one by hand then. */
export const ATTEMPTS_MAX = 50;

const State = Type.Enum(['waiting', 'delivered', 'rejected', 'failed', 'captured'], {
  description:
    '`rejected`: the answer was 406, or the message is no longer kept. `failed`: seven attempts within eight hours. ' +
    '`captured`: the message stayed on this installation, and so did its copy.',
});

const Attempt = Type.Object({
  at: Type.String({ description: 'RFC 3339.' }),
  code: Type.Optional(Type.Integer({ description: 'Of the answer; missing where there was none.' })),
  message: Type.String(),
  took_ms: Type.Integer(),
  answer: Type.String({ description: 'The beginning of its body.' }),
});

const fields = {
  id: Type.String(),
  url: Type.String({ description: 'Where it is posted to.' }),
  state: State,
  created_at: Type.String({ description: 'RFC 3339.' }),
  next_attempt_at: Type.Optional(Type.String({ description: 'RFC 3339, while it waits.' })),
  attempts: Type.Array(Attempt),
};

/** Of one message. */
export const ArchiveCopyView = Type.Object(fields, { title: 'ArchiveCopy' });

export const listArchiveCopies = contract({
  ...common,
  method: 'GET',
  operationId: 'listArchiveCopies',
  path: '/v1/galley/archive_copies',
  summary: 'List copies of messages for archives',
  description:
    'Newest first. Each accepted message of a domain with `archive_to`, or with `o:archive-to`, is posted there once: a ' +
    'form with `recipients`, `sender`, `from`, `subject`, `domain`, `Message-Id`, where the service has an address ' +
    '`message-url`, the message as the file `body-mime`, and a signature as webhooks have it (`timestamp`, `token`, ' +
    '`signature`). Variables of recipients are not filled. Another answer than 2xx is tried again after 5, 10 and 15 ' +
    'minutes, 1, 2 and 4 hours; 406 ends it. A copy is listed as long as its message.',
  query: Type.Object({
    ...skipFields(),
    domain: Type.Optional(Type.String({ maxLength: 253, description: 'Only of what this domain sent.' })),
    state: Type.Optional(State),
  }),
  reply: Type.Object({
    total_count: Type.Integer(),
    items: Type.Array(
      Type.Object({
        ...fields,
        domain: Type.String(),
        storage_key: Type.String({ description: 'Of the message.' }),
        subject: Type.String({ description: 'At most 300 characters of it.' }),
      }),
    ),
  }),
  errors: ['invalid_request'],
});

export const resendArchiveCopy = contract({
  ...common,
  method: 'POST',
  operationId: 'resendArchiveCopy',
  path: '/v1/galley/archive_copies/{copy_id}/retry',
  summary: 'Post a copy of a message to its archive again',
  description: 'What waits is tried now, what failed or was rejected once more. What was delivered is not done again.',
  params: Type.Object({ copy_id: Type.String({ maxLength: 100 }) }),
  reply: ArchiveCopyView,
  errors: ['not_found', 'conflict'],
});
