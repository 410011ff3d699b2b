// Reviews, as those who have an account see them.
import { Type, type Static } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { Nullable } from '../../proof/_message/index.ts';
import { At, ofVersion, PATH, ReviewState } from '../emails/index.ts';

/** Of one email, in all its versions, with replies. */
export const COMMENTS_MAX = 1000;
/** Of one email. */
export const LINKS_MAX = 100;
/** Of one version. */
export const VERDICTS_MAX = 200;
const TEXT_LENGTH_MAX = 2000;
export const LIFE_DAYS = { default: 14, max: 365 };

const common = { tag: 'Reviews', errorShape: 'message' } as const;
const OF_EMAIL = Type.Object({ email_id: Type.String() });
const OF_COMMENT = Type.Object({ email_id: Type.String(), comment_id: Type.String() });
const VERSION = `${PATH}/{email_id}/versions/{number}`;
const COMMENT = `${PATH}/{email_id}/comments/{comment_id}`;
const LINKS = `${PATH}/{email_id}/review-links`;
const Message = Type.Object({ message: Type.String() });

const Author = Type.Object(
  { kind: Type.Enum(['user', 'key', 'reviewer']), id: Type.String(), name: Type.String() },
  { title: 'ReviewAuthor', description: 'A user, an API key, or a reviewer by link, with the name of then.' },
);

const Comment = Type.Object(
  { id: Type.String(), text: Type.String(), author: Author, created_at: At },
  { title: 'ReviewComment' },
);

export const Thread = Type.Object(
  {
    ...Comment.properties,
    version: Type.Integer(),
    client: Nullable(Type.String({ description: 'In whose picture it is pinned; null: it is about the version.' })),
    x: Nullable(
      Type.Number({ description: 'From the left, as a share of the width of the picture; null: about all of it.' }),
    ),
    y: Nullable(Type.Number({ description: 'From the top, as a share of the height of the picture.' })),
    resolved: Nullable(Type.Object({ at: At, by: Type.String() }, { title: 'ReviewResolution' })),
    replies: Type.Array(Comment),
  },
  { title: 'ReviewThread' },
);
export type ThreadView = Static<typeof Thread>;

const Verdict = Type.Object(
  {
    decision: Type.Enum(['approved', 'changes_requested']),
    note: Type.String(),
    author: Author,
    decided_at: At,
  },
  { title: 'ReviewVerdict' },
);
export type VerdictView = Static<typeof Verdict>;

const Picture = Type.Object(
  {
    client: Type.String(),
    name: Type.String(),
    state: Type.Enum(['processing', 'completed', 'bounced']),
    url: Type.String({ description: 'The whole picture; empty where there is none.' }),
    thumbnail: Type.String(),
    width: Nullable(Type.Integer({ description: 'In pixels; null until it is there.' })),
    height: Nullable(Type.Integer()),
  },
  { title: 'ReviewPicture' },
);

export const Review = Type.Object(
  {
    version: Type.Integer(),
    subject: Type.String(),
    ...ReviewState.properties,
    verdicts: Type.Array(Verdict, { description: 'One of each person, the newest first.' }),
    threads: Type.Array(Thread, { description: 'Of this version, in the order in which they began.' }),
    elsewhere: Type.Array(Type.Object({ version: Type.Integer(), open_threads: Type.Integer() }), {
      description: 'Other versions with threads that are not resolved.',
    }),
    pictures: Type.Array(Picture, { description: 'Of the newest preview test of this version; empty without one.' }),
  },
  { title: 'Review' },
);
export type ReviewView = Static<typeof Review>;

export const CommentBody = Type.Object({
  text: Type.String({ minLength: 1, maxLength: TEXT_LENGTH_MAX, pattern: '\\S' }),
  client: Type.Optional(Nullable(Type.String({ description: 'A client with a picture in this version.' }))),
  x: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 1, description: 'With `y` and `client`.' }))),
  y: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 1 }))),
});
export const ReplyBody = Type.Object({ text: CommentBody.properties.text });
export const VerdictBody = Type.Object({
  decision: Verdict.properties.decision,
  note: Type.Optional(Nullable(Type.String({ maxLength: TEXT_LENGTH_MAX }))),
});

const NOTIFIED =
  'Raises the alert `review_commented`: of one email, people hear of it once an hour at most, with how many there were.';

export const getReview = contract({
  ...common,
  method: 'GET',
  operationId: 'getReview',
  path: `${VERSION}/review`,
  summary: 'Get the review of a version of an email',
  description:
    'Its verdicts, threads and pictures. `approved`: at least one person approves it and none requests changes; ' +
    '`changes_requested`: at least one does; `open`: a link for it is open, or something was said; `none`: nothing yet.',
  params: ofVersion,
  reply: Review,
  errors: ['invalid_request', 'not_found'],
});

export const getReport = contract({
  ...common,
  method: 'GET',
  operationId: 'getReviewReport',
  path: `${VERSION}/review/report`,
  summary: 'Get the review of a version as one file of HTML',
  description:
    'With its verdicts, what tests say, comments on their places, and a small picture of each client, all in the file: ' +
    'it needs no network, and prints.',
  params: ofVersion,
  reply: Type.Unknown(),
  errors: ['invalid_request', 'not_found'],
  isFile: true,
});

export const createComment = contract({
  ...common,
  method: 'POST',
  operationId: 'createReviewComment',
  path: `${VERSION}/comments`,
  summary: 'Comment on a version of an email',
  description:
    'On the version, on the picture of a client, or on a place of it: `x` and `y` are shares of its width and height. ' +
    `Begins a thread. An email has at most ${COMMENTS_MAX} comments. ${NOTIFIED}`,
  params: ofVersion,
  body: CommentBody,
  sample: { text: 'The headline is cut off here.', client: 'gmail_chrome', x: 0.5, y: 0.12 },
  reply: Thread,
  status: 201,
  errors: ['invalid_request', 'invalid_client', 'not_found', 'conflict'],
});

export const createReply = contract({
  ...common,
  method: 'POST',
  operationId: 'createReviewReply',
  path: `${COMMENT}/replies`,
  summary: 'Reply to a comment on an email',
  description: `Under the first comment of its thread. ${NOTIFIED}`,
  params: OF_COMMENT,
  body: ReplyBody,
  reply: Thread,
  status: 201,
  errors: ['invalid_request', 'not_found', 'conflict'],
});

export const resolveComment = contract({
  ...common,
  method: 'PATCH',
  operationId: 'updateReviewComment',
  path: COMMENT,
  summary: 'Resolve or reopen a thread',
  description: 'A reply opens no thread again. Who resolved it, and when, is kept until it is reopened.',
  params: OF_COMMENT,
  body: Type.Object({ resolved: Type.Boolean() }),
  reply: Thread,
  errors: ['invalid_request', 'not_found'],
});

export const deleteComment = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteReviewComment',
  path: COMMENT,
  summary: 'Delete a comment on an email',
  description: 'The first one of a thread goes with its replies.',
  params: OF_COMMENT,
  reply: Message,
  errors: ['not_found'],
});

export const putVerdict = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateReviewVerdict',
  path: `${VERSION}/verdict`,
  summary: 'Approve a version of an email, or request changes',
  description:
    'Your own verdict, in place of the one before it. Raises the alert `review_given`. A new version needs new verdicts. ' +
    `A version has at most ${VERDICTS_MAX}.`,
  params: ofVersion,
  body: VerdictBody,
  sample: { decision: 'changes_requested', note: 'The price is the old one.' },
  reply: Review,
  errors: ['invalid_request', 'not_found', 'conflict'],
});

export const deleteVerdict = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteReviewVerdict',
  path: `${VERSION}/verdict`,
  summary: 'Take back your verdict',
  description: 'Those of others stay. Nobody is told.',
  params: ofVersion,
  reply: Review,
  errors: ['invalid_request', 'not_found'],
});

const Link = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ description: 'Of the reviewer.' }),
    has_password: Type.Boolean(),
    made_by: Type.String(),
    created_at: At,
    expires_at: At,
    is_expired: Type.Boolean(),
    opened_at: Nullable(Type.String({ description: 'When it was opened last; null: never.' })),
  },
  { title: 'ReviewLink' },
);
export type LinkView = Static<typeof Link>;

export const listLinks = contract({
  ...common,
  method: 'GET',
  operationId: 'listReviewLinks',
  path: LINKS,
  summary: 'List the reviewers of an email by link',
  description: `Newest first, at most ${LINKS_MAX}. The links themselves are not kept.`,
  params: OF_EMAIL,
  reply: Type.Object({ items: Type.Array(Link) }),
  errors: ['not_found'],
});

export const createLink = contract({
  ...common,
  method: 'POST',
  operationId: 'createReviewLink',
  path: LINKS,
  summary: 'Invite a reviewer by a link',
  description:
    'Whoever has the link sees the pictures of this email, its subject and its review, may comment and give a verdict ' +
    'under this name, and sees nothing else. The link is answered once; a digest of it is kept. It ends with its time, ' +
    `with the email, or when it is taken back. An email has at most ${LINKS_MAX}.`,
  params: OF_EMAIL,
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', description: 'Of the reviewer.' }),
    expires_in_days: Type.Optional(
      Nullable(Type.Integer({ minimum: 1, maximum: LIFE_DAYS.max, description: `Default: ${LIFE_DAYS.default}.` })),
    ),
    password: Type.Optional(
      Nullable(Type.String({ minLength: 8, maxLength: 200, description: 'Asked for beside the link.' })),
    ),
  }),
  sample: { name: 'Ann of the agency', expires_in_days: 7 },
  reply: Type.Object({ ...Link.properties, url: Type.String({ description: 'To hand to the reviewer.' }) }),
  status: 201,
  errors: ['invalid_request', 'not_found', 'conflict'],
});

export const deleteLink = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteReviewLink',
  path: `${LINKS}/{link_id}`,
  summary: 'Take back the link of a reviewer',
  description: 'It opens nothing any more, from now on. What the reviewer said stays.',
  params: Type.Object({ email_id: Type.String(), link_id: Type.String() }),
  reply: Message,
  errors: ['not_found'],
});
