import type { ByteStream } from '../../../platform/blobs/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { skipPaging } from '../../../platform/paging/index.ts';
import { readKept, streamKept } from '../../proof/_message/index.ts';
import { composeForm, submitForm } from '../messages/index.ts';
import * as actions from './actions.ts';
import { readFile, readShown, readThumbnail } from './computations.ts';
import * as contracts from './contract.ts';
import { keepInInbox } from './keep.ts';
import { isLarge, readOfLarge, streamFile, tooLargeFor } from './large.ts';
import { watchInbox } from './events.ts';
import * as wire from './messages-contract.ts';
import { countTags, listMessages } from './messages-store.ts';
import { deleteSeveral, markSeveral, readConditions } from './several.ts';
import { listInboxes } from './store.ts';
import { inboxView, messageView, summaryView } from './view.ts';

/** Nothing of a message runs, asks or leads anywhere, whoever opens it. Pictures may be fetched from where they lie. */
const SHOWN_POLICY =
  "sandbox; default-src 'none'; img-src data: https: http:; style-src 'unsafe-inline'; font-src data:; " +
  "form-action 'none'; base-uri 'none'";

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const noFile = (number: number): string => `The message has no file with the number ${number}.`;

const inboxOf = (ctx: Pick<Context, 'db' | 'principal'>, { inbox }: { inbox: string }) =>
  actions.getInbox(ctx, ctx.principal.accountId, inbox);

async function messageOf(ctx: Pick<Context, 'db' | 'principal'>, params: { inbox: string; message_id: string }) {
  return actions.getMessage(ctx, await inboxOf(ctx, params), params.message_id);
}

/** Throws `invalid_request`. */
function readIds(text: string): string[] {
  const ids = text.split(',').filter((id) => id.trim() !== '');
  if (ids.length > wire.IDS_OF_QUERY_MAX)
    throw invalid('ids', `names ${ids.length} messages; at most ${wire.IDS_OF_QUERY_MAX} at once.`);
  return ids.map((id) => id.trim());
}

/** Never the type that the sender gave it: a page of this service's own address would be made of it. */
function download(body: ByteStream | Uint8Array, name: string, sizeBytes?: number): HttpReply {
  return new HttpReply(body instanceof Uint8Array ? bufferOf(body) : body, {
    ...(sizeBytes !== undefined && { 'content-length': String(sizeBytes) }),
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
  });
}

const inboxes = [
  endpoint(contracts.listInboxes, async ({ db, principal, baseUrl }, { query: { limit, skip } }) => {
    const { items, total } = await listInboxes(db, principal.accountId, { limit, skip });
    return { items: items.map(inboxView), paging: skipPaging(`${baseUrl}/v1/sandbox`, { limit, skip }, total), total };
  }),
  endpoint(contracts.createInbox, async (ctx, { body }) => {
    const { inbox, password } = await actions.createInbox(ctx, ctx.principal.accountId, body);
    return { ...inboxView(inbox), smtp_password: password };
  }),
  endpoint(contracts.getInbox, async (ctx, { params }) => inboxView(await inboxOf(ctx, params))),
  endpoint(contracts.updateInbox, async (ctx, { params, body }) =>
    inboxView(await actions.changeInbox(ctx, await inboxOf(ctx, params), body)),
  ),
  endpoint(contracts.rotatePassword, async (ctx, { params }) => {
    const { inbox, password } = await actions.rotatePassword(ctx, await inboxOf(ctx, params));
    return { ...inboxView(inbox), smtp_password: password };
  }),
  endpoint(contracts.deleteInbox, async (ctx, { params }) => {
    await actions.removeInbox(ctx, await inboxOf(ctx, params));
    return { message: 'The inbox was deleted with its messages.' };
  }),
];

const messages = [
  endpoint(wire.createMessage, async (ctx, { params, body }) => {
    const inbox = await inboxOf(ctx, params);
    const { raw, messageId, sender, ...composed } = await composeForm(ctx, body);
    const arriving = { raw, mailFrom: sender, ...composed, method: 'HTTP', remoteAddress: ctx.address } as const;
    const { id } = await keepInInbox(ctx, inbox, arriving);
    return { id: messageId, message: 'Kept in the sandbox, and delivered to nobody.', sandbox_message_id: id };
  }),
  endpoint(wire.listMessages, async (ctx, { params, query }) => {
    const { limit, skip, ...asked } = query;
    const inbox = await inboxOf(ctx, params);
    const conditions = readConditions(asked);
    const { items, total } = await listMessages(ctx.db, inbox, { conditions, page: { limit, skip } });
    const url = `${ctx.baseUrl}/v1/sandbox/${inbox.id}/messages`;
    return { items: items.map((item) => summaryView(item, ctx.baseUrl)), paging: skipPaging(url, query, total), total };
  }),
  endpoint(wire.getLatest, async (ctx, { params, query: { wait: waitSeconds, ...asked } }) => {
    const message = await actions.waitForLatest(ctx, await inboxOf(ctx, params), { asked, waitSeconds });
    return messageView(message, await actions.readMessage(ctx, message), ctx.baseUrl);
  }),
  endpoint(wire.getMessage, async (ctx, { params }) => {
    const message = await messageOf(ctx, params);
    return messageView(message, await actions.readMessage(ctx, message), ctx.baseUrl);
  }),
  endpoint(wire.watchInbox, async (ctx, { params }) => watchInbox(ctx, await inboxOf(ctx, params))),
  endpoint(wire.releaseMessage, async (ctx, { params, body: { domain, to } }) => {
    const source = await actions.sourceOf(ctx, await messageOf(ctx, params), 'sending takes');
    const form = actions.releaseForm(source, to);
    return submitForm(ctx, { domainName: domain, form, kind: 'mime' });
  }),
  endpoint(wire.updateTags, async (ctx, { params, body }) => ({
    tags: await actions.putTags(ctx, await inboxOf(ctx, params), { messageId: params.message_id, given: body.tags }),
  })),
  endpoint(wire.listTags, async (ctx, { params }) => {
    const tags = await countTags(ctx.db, await inboxOf(ctx, params), wire.TAGS_SHOWN_MAX);
    return { tags: tags.map(({ tag, messages: message_count }) => ({ tag, message_count })) };
  }),
  endpoint(wire.deleteMessage, async (ctx, { params }) => {
    await actions.removeMessage(ctx, await inboxOf(ctx, params), params.message_id);
    return { message: 'The message was deleted.' };
  }),
  endpoint(wire.deleteMessages, async (ctx, { params, query: { ids, search } }) => {
    const meant = { ids: ids === undefined ? undefined : readIds(ids), search };
    const count = await deleteSeveral(ctx, await inboxOf(ctx, params), meant);
    return { message: 'The messages were deleted.', count };
  }),
  endpoint(wire.updateMessages, async (ctx, { params, body: { is_read: isRead, ids, search } }) => ({
    count: await markSeveral(ctx, await inboxOf(ctx, params), { isRead, ids, search }),
  })),
];

const files = [
  endpoint(wire.getSource, async (ctx, { params }) => {
    const message = await messageOf(ctx, params);
    return download(await streamKept(ctx, message), `${message.id}.eml`, message.sizeBytes);
  }),
  endpoint(wire.getHtml, async (ctx, { params }) => {
    const message = await messageOf(ctx, params);
    const html = isLarge(message)
      ? (await readOfLarge(ctx, message)).shown
      : await ctx.compute.run(readShown, await readKept(ctx, message), { urgency: 'answer' });
    if (html === undefined) throw new AppError('not_found', 'The message has no HTML.');
    return new HttpReply(html, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': SHOWN_POLICY });
  }),
  endpoint(wire.getFile, async (ctx, { params }) => {
    const message = await messageOf(ctx, params);
    const { number } = params;
    const file = isLarge(message)
      ? await streamFile(ctx, message, number)
      : await ctx.compute.run(readFile, { raw: await readKept(ctx, message), number }, { urgency: 'answer' });
    if (!file) throw new AppError('not_found', noFile(number));
    const sizeBytes = 'sizeBytes' in file ? file.sizeBytes : undefined;
    return download(file.body, file.name || `file-${number}`, sizeBytes);
  }),
  endpoint(wire.getThumbnail, async (ctx, { params }) => {
    const message = await messageOf(ctx, params);
    const tooLarge = tooLargeFor('thumbnails are made from', message);
    if (tooLarge) throw tooLarge;
    const { number } = params;
    const read = { raw: await readKept(ctx, message), number };
    const made = await ctx.compute.run(readThumbnail, read, { urgency: 'answer' });
    if (!made) throw new AppError('not_found', noFile(number));
    if (made.jpeg === undefined) throw new AppError('not_found', made.fault);
    // A message never changes.
    return new HttpReply(bufferOf(made.jpeg), {
      'content-type': 'image/jpeg',
      'cache-control': 'private, max-age=86400',
    });
  }),
];

export const endpoints = [...inboxes, ...messages, ...files];
