import { endpoint } from '../../../platform/feature/index.ts';
import * as contracts from './feeds-contract.ts';
import { readOne } from './feeds-jobs.ts';
import { listFeeds, type Feed } from './feeds-store.ts';
import { addFeed, getFeed, removeFeed } from './feeds.ts';

/** A feed on the wire: without its secrets. */
function feedView(feed: Omit<Feed, 'accountId'>) {
  const { id, name, asks, format, state, problem, checkedAt, succeededAt, dueAt, createdAt } = feed;
  return {
    id,
    name,
    asks,
    format,
    state,
    problem,
    checked_at: checkedAt?.toISOString() ?? null,
    succeeded_at: succeededAt?.toISOString() ?? null,
    next_at: dueAt.toISOString(),
    created_at: createdAt.toISOString(),
  };
}

export const feedEndpoints = [
  endpoint(contracts.listFeeds, async ({ db, principal }) => ({
    items: (await listFeeds(db, principal.accountId)).map(feedView),
  })),
  endpoint(contracts.addFeed, async (ctx, { body }) => {
    const account = ctx.principal.accountId;
    const feed = await addFeed(ctx, body, (tx, id) =>
      ctx.jobs.enqueue(tx, readOne, { payloads: [{ accountId: account, id }], account }),
    );
    return feedView(feed);
  }),
  endpoint(contracts.removeFeed, async (ctx, { params }) => {
    await removeFeed(ctx, params.feed_id);
    return { message: 'The feed has been removed.' };
  }),
  endpoint(contracts.readFeedNow, async ({ db, jobs, principal }, { params }) => {
    const account = principal.accountId;
    const feed = await getFeed(db, account, params.feed_id);
    await jobs.enqueue(db, readOne, { payloads: [{ accountId: account, id: feed.id }], account });
    jobs.wake();
    return feedView(feed);
  }),
];
