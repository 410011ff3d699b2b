import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { getEmail, getVersion } from '../emails/index.ts';
import { inviteReviewer } from './access.ts';
import * as discussion from './discussion.ts';
import * as contracts from './contract.ts';
import { deleteLink, listLinks } from './links-store.ts';
import { notFound } from '../../../platform/errors/index.ts';
import { personOf } from './people.ts';
import { linkView, reviewView, showThread } from './show-review.ts';

/** Whoever says something, about a version. */
async function saidOf(ctx: Pick<Context, 'db' | 'principal'>, params: { email_id: string; number: string }) {
  const { email, version } = await getVersion(ctx, params);
  return { said: { email, number: version.number, person: await personOf(ctx) }, version };
}

const reviews = [
  endpoint(contracts.getReview, async (ctx, { params }) => reviewView(ctx, (await getVersion(ctx, params)).version)),
  endpoint(contracts.createComment, async (ctx, { params, body }) => {
    const { said } = await saidOf(ctx, params);
    return showThread(ctx, await discussion.addComment(ctx, said, body));
  }),
  endpoint(contracts.createReply, async (ctx, { params: { email_id: id, comment_id: commentId }, body: { text } }) => {
    const [email, person] = [await getEmail(ctx, id), await personOf(ctx)];
    return showThread(ctx, await discussion.addReply(ctx, { email, person, commentId, text }));
  }),
  endpoint(contracts.resolveComment, async (ctx, { params: { email_id: id, comment_id: commentId }, body }) => {
    const [email, person] = [await getEmail(ctx, id), await personOf(ctx)];
    return showThread(ctx, await discussion.setResolved(ctx, { email, person, commentId }, body.resolved));
  }),
  endpoint(contracts.deleteComment, async (ctx, { params }) => {
    await discussion.removeComment(ctx, await getEmail(ctx, params.email_id), params.comment_id);
    return { message: 'The comment was deleted.' };
  }),
  endpoint(contracts.putVerdict, async (ctx, { params, body }) => {
    const { said, version } = await saidOf(ctx, params);
    await discussion.decide(ctx, said, body);
    return reviewView(ctx, version);
  }),
  endpoint(contracts.deleteVerdict, async (ctx, { params }) => {
    const { said, version } = await saidOf(ctx, params);
    await discussion.takeBack(ctx, version, said.person);
    return reviewView(ctx, version);
  }),
];

const links = [
  endpoint(contracts.listLinks, async (ctx, { params }) => {
    const { id: emailId, accountId } = await getEmail(ctx, params.email_id);
    const found = await listLinks(ctx.db, { accountId, emailId }, contracts.LINKS_MAX);
    return { items: found.map((link) => linkView(link, ctx.clock.now())) };
  }),
  endpoint(contracts.createLink, async (ctx, { params, body }) => {
    const { link, url } = await inviteReviewer(ctx, params.email_id, body);
    return { ...linkView(link, ctx.clock.now()), url };
  }),
  endpoint(contracts.deleteLink, async (ctx, { params: { email_id: id, link_id: linkId } }) => {
    const { id: emailId, accountId } = await getEmail(ctx, id);
    if (!(await deleteLink(ctx.db, { accountId, emailId }, linkId))) throw notFound('link of this email', linkId);
    return { message: 'The link opens nothing any more.' };
  }),
];

export const endpoints = [...reviews, ...links];
