import { notFound } from '../../../platform/errors/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { pictureReply } from '../../proof/previews/index.ts';
import { listVersions, type Version } from '../emails/index.ts';
import { admitReviewer, admitSaying, openLink, type Reviewer } from './access.ts';
import * as discussion from './discussion.ts';
import { reviewerOf } from './people.ts';
import * as contracts from './public-contract.ts';
import { reviewView, showThread, type Shower } from './show-review.ts';

const VERSIONS_SHOWN = 100;

const viewFor = (ctx: Shower, { access }: Reviewer, version: Version) =>
  reviewView(ctx, version, `${ctx.baseUrl}/files/reviews/${access}/${version.number}`);

/** A reviewer who says something about a version; it counts. */
async function sayingOf(
  ctx: Pick<Context, 'db' | 'clock' | 'secrets'>,
  { access, number }: { access: string; number: string },
) {
  const reviewer = await admitReviewer(ctx, access);
  const version = await discussion.versionOf(ctx, reviewer.email, number);
  admitSaying(ctx, reviewer);
  const said = { email: reviewer.email, number: version.number, person: reviewerOf(reviewer.link) };
  return { reviewer, version, said };
}

export const publicEndpoints = [
  endpoint(contracts.openReview, async (ctx, { body }) => {
    const { access, until } = await openLink(ctx, body);
    return { access, access_expires_at: until.toISOString() };
  }),
  endpoint(contracts.getOpenReview, async (ctx, { params, query }) => {
    const reviewer = await admitReviewer(ctx, params.access);
    const { email, link } = reviewer;
    const version = await discussion.versionOf(ctx, email, query.version ?? 'latest');
    const of = { accountId: email.accountId, emailId: email.id };
    const { items } = await listVersions(ctx.db, of, { limit: VERSIONS_SHOWN, skip: 0 });
    return {
      email: { name: email.name },
      reviewer: { id: link.id, name: link.name, expires_at: link.expiresAt.toISOString() },
      versions: items.map(({ number, subject, createdAt }) => ({
        number,
        subject,
        created_at: createdAt.toISOString(),
      })),
      review: await viewFor(ctx, reviewer, version),
    };
  }),
  endpoint(contracts.commentAsReviewer, async (ctx, { params, body }) => {
    const { said } = await sayingOf(ctx, params);
    return showThread(ctx, await discussion.addComment(ctx, said, body));
  }),
  endpoint(contracts.replyAsReviewer, async (ctx, { params: { access, comment_id: commentId }, body: { text } }) => {
    const reviewer = await admitReviewer(ctx, access);
    admitSaying(ctx, reviewer);
    const said = { email: reviewer.email, person: reviewerOf(reviewer.link), commentId, text };
    return showThread(ctx, await discussion.addReply(ctx, said));
  }),
  endpoint(contracts.decideAsReviewer, async (ctx, { params, body }) => {
    const { reviewer, version, said } = await sayingOf(ctx, params);
    await discussion.decide(ctx, said, body);
    return viewFor(ctx, reviewer, version);
  }),
  endpoint(contracts.getReviewFile, async (ctx, { params, query }) => {
    const { email } = await admitReviewer(ctx, params.access);
    const version = await discussion.versionOf(ctx, email, params.number);
    const test = await discussion.findPictures(ctx, version);
    if (!test) throw notFound('picture', params.file);
    const { client_id: clientId, file } = params;
    return pictureReply(ctx, { test, clientId, file, isDownload: query.download !== undefined, width: query.width });
  }),
];
