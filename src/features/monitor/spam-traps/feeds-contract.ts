// Feeds of hits that a provider of traps publishes by HTTPS.
import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

const common = { tag: 'Spam traps', errorShape: 'message' } as const;
const text = Type.String();
const orNull = Type.Union([text, Type.Null()]);

export const FEEDS_MAX = 20;

const Feed = Type.Object(
  {
    id: text,
    name: text,
    asks: Type.String({ description: 'The address without its query, which may hold a key.' }),
    format: Type.Enum(['csv', 'json']),
    state: Type.Enum(['waiting', 'connected', 'limited', 'failing', 'expired'], {
      description:
        '`waiting`: for its first reading. `limited`: asked too often, it is asked again at `next_at`. `failing`: ' +
        'the last reading failed, and is tried again. `expired`: somebody must renew the access.',
    }),
    problem: orNull,
    checked_at: orNull,
    succeeded_at: orNull,
    next_at: text,
    created_at: text,
  },
  { title: 'SpamTrapFeed' },
);
const Named = Type.Object({ feed_id: Type.String({ maxLength: 100 }) });

export const listFeeds = contract({
  ...common,
  method: 'GET',
  operationId: 'listSpamTrapFeeds',
  path: '/v1/spamtraps/feeds',
  summary: 'List feeds of spam trap hits',
  description: `At most ${FEEDS_MAX}, in the order in which they were added.`,
  reply: Type.Object({ items: Type.Array(Feed) }),
});

export const addFeed = contract({
  ...common,
  method: 'POST',
  operationId: 'createSpamTrapFeed',
  path: '/v1/spamtraps/feeds',
  summary: 'Add a feed of spam trap hits',
  description:
    'An address that answers a GET with hits, at most 10 MB and 50,000 rows, with the columns of an import: `csv` ' +
    'names them in its first row; `json` is a list of objects with these names, or an object whose `items`, `hits` ' +
    'or `data` is one. It is read at once, and then each day; the same row read again counts once. Credentials go ' +
    'into the header Authorization (user and password, or a token), and are kept encrypted.',
  sample: { name: 'Trap network', url: 'https://feeds.example.com/hits.csv', format: 'csv' },
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 100 }),
    url: Type.String({ maxLength: 2000 }),
    format: Type.Enum(['csv', 'json'], { default: 'csv' }),
    user: Type.Optional(Type.String({ minLength: 1, maxLength: 320 })),
    password: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    token: Type.Optional(Type.String({ minLength: 1, maxLength: 4000 })),
  }),
  reply: Feed,
  status: 201,
  errors: ['invalid_request', 'conflict'],
});

export const removeFeed = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteSpamTrapFeed',
  path: '/v1/spamtraps/feeds/{feed_id}',
  summary: 'Remove a feed of spam trap hits',
  description: 'Its credentials are deleted; hits that were read stay.',
  params: Named,
  reply: Type.Object({ message: text }),
  errors: ['not_found'],
});

export const readFeedNow = contract({
  ...common,
  method: 'POST',
  operationId: 'runSpamTrapFeed',
  path: '/v1/spamtraps/feeds/{feed_id}/read',
  summary: 'Read a feed of spam trap hits now',
  description: 'It is read soon; `checked_at` says when it was.',
  params: Named,
  reply: Feed,
  status: 202,
  errors: ['not_found'],
});
