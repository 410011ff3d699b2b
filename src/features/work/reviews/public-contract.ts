// Reviews, as reviewers by link see them: no key is asked for.
import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { fileQuery } from '../../proof/previews/index.ts';
import { At } from '../emails/index.ts';
import { CommentBody, ReplyBody, Review, Thread, VerdictBody } from './contract.ts';

export const ACCESS_HOURS = 12;

const common = { tag: 'Reviews', errorShape: 'message', access: 'none' } as const;
const PATH = '/v1/reviews';
const OPEN = `${PATH}/{access}`;
const access = Type.String({ maxLength: 200 });
const number = Type.String({ maxLength: 10, description: 'From 1, or `latest`.' });

export const openReview = contract({
  ...common,
  method: 'POST',
  operationId: 'startReview',
  unaudited: 'it changes nothing of the account; the link says when it was opened last.',
  path: PATH,
  summary: 'Open a review by the token of a link, without a key',
  description:
    `The token stands behind the # of the link. The answer is good for ${ACCESS_HOURS} hours and stands in the addresses ` +
    'below. 401: a password is needed, or another one. Wrong passwords: ten within half an hour for a link.',
  isJsonOnly: true,
  body: Type.Object({
    token: Type.String({ minLength: 1, maxLength: 200 }),
    password: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  reply: Type.Object({ access: Type.String(), access_expires_at: At }),
  errors: ['invalid_request', 'unauthorized', 'not_found', 'expired', 'too_many_requests'],
});

export const getOpenReview = contract({
  ...common,
  method: 'GET',
  operationId: 'getOpenReview',
  path: OPEN,
  summary: 'Get the review that a link is for, without a key',
  description:
    'Its pictures have addresses of this review, which end with the link: when it is taken back or expired, or its ' +
    'email is deleted.',
  params: Type.Object({ access }),
  query: Type.Object({ version: Type.Optional(number) }),
  reply: Type.Object({
    email: Type.Object({ name: Type.String() }),
    reviewer: Type.Object({ id: Type.String(), name: Type.String(), expires_at: At }),
    versions: Type.Array(Type.Object({ number: Type.Integer(), subject: Type.String(), created_at: At }), {
      description: 'The newest 100.',
    }),
    review: Review,
  }),
  errors: ['invalid_request', 'not_found', 'expired'],
});

export const commentAsReviewer = contract({
  ...common,
  method: 'POST',
  operationId: 'createOpenReviewComment',
  unaudited: 'no key and no user of the account did it; the review says which link, and when.',
  path: `${OPEN}/versions/{number}/comments`,
  summary: 'Comment on a version as a reviewer by link',
  description: 'At most 30 comments and replies within ten minutes.',
  isJsonOnly: true,
  params: Type.Object({ access, number }),
  body: CommentBody,
  reply: Thread,
  status: 201,
  errors: ['invalid_request', 'invalid_client', 'not_found', 'conflict', 'expired', 'too_many_requests'],
});

export const replyAsReviewer = contract({
  ...common,
  method: 'POST',
  operationId: 'createOpenReviewReply',
  unaudited: 'no key and no user of the account did it; the review says which link, and when.',
  path: `${OPEN}/comments/{comment_id}/replies`,
  summary: 'Reply to a comment as a reviewer by link',
  description: 'Under the first comment of its thread. Counts with comments: 30 within ten minutes.',
  isJsonOnly: true,
  params: Type.Object({ access, comment_id: Type.String() }),
  body: ReplyBody,
  reply: Thread,
  status: 201,
  errors: ['invalid_request', 'not_found', 'conflict', 'expired', 'too_many_requests'],
});

export const decideAsReviewer = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateOpenReviewVerdict',
  unaudited: 'no key and no user of the account did it; the review says which link, and when.',
  path: `${OPEN}/versions/{number}/verdict`,
  summary: 'Approve a version, or request changes, as a reviewer by link',
  description: 'In place of the verdict that this link gave before.',
  isJsonOnly: true,
  params: Type.Object({ access, number }),
  body: VerdictBody,
  reply: Review,
  errors: ['invalid_request', 'not_found', 'conflict', 'expired', 'too_many_requests'],
});

export const getReviewFile = contract({
  ...common,
  method: 'GET',
  operationId: 'getReviewFile',
  path: '/files/reviews/{access}/{number}/{client_id}/{file}',
  summary: 'Get a picture of an email that is reviewed; the address ends with the link',
  description: 'Needs no key. Only pictures of versions of the email that the link is for; 425 until it is ready.',
  params: Type.Object({ access, number, client_id: Type.String(), file: Type.String() }),
  query: Type.Object(fileQuery),
  reply: Type.Unknown(),
  errors: ['not_found', 'invalid_request', 'expired', 'too_early', 'damaged'],
  isFile: true,
});
