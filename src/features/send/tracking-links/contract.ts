import { Type } from 'typebox';
import { LINK_TOKEN_LENGTH_MAX } from '../../../engines/tracking/index.ts';
import { contract } from '../../../platform/http/index.ts';

const common = {
  tag: 'Tracking',
  errorShape: 'message',
  method: 'GET',
  access: 'none',
  isFile: true,
  params: Type.Object({
    token: Type.String({ maxLength: LINK_TOKEN_LENGTH_MAX, description: 'From the copy of a message.' }),
  }),
  reply: Type.String(),
  errors: ['not_found'],
} as const;

export const followLink = contract({
  ...common,
  errors: ['not_found'],
  path: '/c/{token}',
  operationId: 'getTrackedLink',
  summary: 'Follow a link of a message',
  description:
    'Redirects (302) to the address that is sealed in the token, and tells of it as the event `clicked`. HEAD and what ' +
    'a browser fetches ahead are redirected and not told. 404 for a token that was not made here, when its domain or account is gone, and on the tracking host of another ' +
    'domain.',
});

export const loadPixel = contract({
  ...common,
  errors: ['not_found'],
  path: '/o/{token}',
  operationId: 'getTrackingPixel',
  summary: 'Load the image that tells of an open',
  description: 'An image of one pixel (GIF), which is not to be kept; tells of it as the event `opened`.',
});
