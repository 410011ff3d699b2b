// Progress as it happens.
import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { common } from './contract.ts';

export const watchTest = contract({
  ...common,
  method: 'GET',
  operationId: 'getPreviewTestEvents',
  path: '/v2/preview/tests/{test_id}/events',
  summary: 'Watch a preview test until it ends',
  description:
    'Server-sent events: `progress` whenever something has changed, with `completed`, `processing`, `bounced`, ' +
    '`first_screens` and `content_checking` as the test has them; `end` when nothing more is to come, `deleted` when ' +
    'the test was deleted. A stream without an `end` was cut off: ask for the test, or for its events again. An ' +
    'account may have 20 streams open.',
  params: Type.Object({ test_id: Type.String() }),
  reply: Type.Unknown(),
  isStream: true,
  errors: ['not_found'],
});
