import { AppError } from '../../../platform/errors/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { getDomain } from '../sending-domains/index.ts';
import { getMessage, resend, submitForm } from './actions.ts';
import { readStored, readStoredFile } from './computations.ts';
import { readContent } from './content.ts';
import * as contracts from './contract.ts';
import type { Form } from './fields.ts';
import { clearWaiting } from './queue-store.ts';
import { countWaiting } from './store.ts';
import { storingOf } from './stored.ts';
import { mimeView, storedView } from './view.ts';

interface StoredPath {
  domain_name: string;
  storage_key: string;
}

async function showStored(
  ctx: Pick<Context, 'db' | 'blobs' | 'compute' | 'principal' | 'headers' | 'baseUrl' | 'config' | 'secrets'>,
  { domain_name: domain, storage_key: key }: StoredPath,
) {
  const message = await getMessage(ctx, ctx.principal.accountId, { domain, key });
  const content = await readContent(ctx, message);
  const read = await ctx.compute.run(readStored, storingOf(ctx, message, content), { urgency: 'answer' });
  if (/^message\/rfc2822\b/i.test(String(ctx.headers['accept'] ?? ''))) return mimeView(message, read);
  const url = `${ctx.baseUrl}/v3/domains/${message.domain}/messages/${message.key}`;
  const inline = content.kind === 'parts' ? content.inline.map(({ name }) => name) : undefined;
  return storedView(message, { read, url, inline });
}

const sent = (contract: typeof contracts.sendMessage | typeof contracts.sendMime, kind: 'parts' | 'mime') =>
  endpoint(contract as typeof contracts.sendMessage, (ctx, { params, body }) =>
    submitForm(ctx, { domainName: params.domain_name, form: body as Form, kind }),
  );

export const endpoints = [
  sent(contracts.sendMessage, 'parts'),
  sent(contracts.sendMime, 'mime'),
  endpoint(
    contracts.getStoredMessage('/v3/domains/{domain_name}/messages/{storage_key}', 'getStoredMessage'),
    (ctx, { params }) => showStored(ctx, params),
  ),
  endpoint(
    contracts.getStoredMessage('/v3/{domain_name}/messages/{storage_key}', 'getStoredMessageOlder'),
    (ctx, { params }) => showStored(ctx, params),
  ),
  endpoint(contracts.getAttachment, async (ctx, { params }) => {
    const { domain_name: domain, storage_key: key, number } = params;
    const message = await getMessage(ctx, ctx.principal.accountId, { domain, key });
    const content = await readContent(ctx, message);
    const file =
      content.kind === 'parts'
        ? [...content.attachments, ...content.inline][number]
        : await ctx.compute.run(readStoredFile, { raw: content.raw, number }, { urgency: 'answer' });
    if (!file) throw new AppError('not_found', `The message has no file with the number ${number}.`);
    const { body, name } = file;
    return new HttpReply(Buffer.from(body.buffer, body.byteOffset, body.byteLength), {
      // Never the type that the sender gave it: a page of this service's own address would be made of it.
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}`,
    });
  }),
  endpoint(contracts.resendMessage, (ctx, { params, body }) =>
    resend(ctx, { domainName: params.domain_name, key: params.storage_key, form: body as Form }),
  ),
  endpoint(contracts.getQueues, async (ctx, { params }) => {
    const { accountId } = ctx.principal;
    const { name: domain } = await getDomain(ctx, accountId, params.domain_name);
    const { due, later } = await countWaiting(ctx.db, accountId, { domain, now: ctx.clock.now() });
    const queue = { is_disabled: false, disabled: { until: '', reason: '' } };
    return { regular: { ...queue, waiting: due }, scheduled: { ...queue, waiting: later } };
  }),
  endpoint(contracts.clearQueues, async (ctx, { params }) => {
    const { accountId } = ctx.principal;
    const { name } = await getDomain(ctx, accountId, params.domain_name);
    await clearWaiting(ctx.db, accountId, name);
    return { message: 'done' };
  }),
];
