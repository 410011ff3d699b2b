// What an email looks like in inboxes before it is opened: made when it is asked for, of the source of a preview test
// and a published table (data/inbox-rows); nothing is kept of it.
import { defineFeature, endpoint } from '../../../platform/feature/index.ts';
import { getInbox } from './contract.ts';
import { inboxOf } from './show-inbox.ts';

export { inboxOfMessage } from './show-inbox.ts';

export default defineFeature({
  name: 'preview-inbox',
  endpoints: [
    endpoint(getInbox, (ctx, { params, query }) => inboxOf(ctx, { testId: params.test_id, from: query.from })),
  ],
});
