import type { Static } from 'typebox';
import type { ParsedMail } from '../../engines/mime/index.ts';
import { AppError, invalid, notFound } from '../../platform/errors/index.ts';
import type { Context } from '../../platform/feature/index.ts';
import { HTML_BYTES_MAX, readMail } from '../email-sources/index.ts';
import { readEnvelope, readHeaders, verifiedSender, type AssumedEnvelope } from '../seeds/index.ts';
import type * as contracts from './contract.ts';
import { readOutgoing, seedDeliveries, spamTests } from './inspection.ts';
import type { SpamInput } from './message.ts';
import * as store from './store.ts';
import type { SpamTest } from './store.ts';

type Body = Static<NonNullable<typeof contracts.createTest.body>>;

const MIME_BYTES_MAX = 25 * 1024 * 1024;

async function readMime({ compute }: Context, body: Body & { mime: string }): Promise<{ subject: string; raw: Buffer }> {
  if (body.transfer_encoding === 'base64' && !/^[A-Za-z0-9+/_=\s-]*$/.test(body.mime)) throw invalid('mime', 'is not base64, although transfer_encoding says so.');
  const raw = Buffer.from(body.mime, body.transfer_encoding === 'base64' ? 'base64' : 'utf8');
  if (raw.length > MIME_BYTES_MAX) throw new AppError('too_large', `mime is ${raw.length} bytes; at most ${MIME_BYTES_MAX} (25 MiB) are accepted.`);
  const mail = await compute.run(readMail, raw, { urgency: 'answer' });
  if (mail.html === undefined && mail.text === undefined) throw invalid('mime', 'has neither an HTML nor a text part.');
  if (mail.from.length === 0) throw invalid('mime', 'has no From field with an address.');
  return { raw, subject: mail.subject };
}

async function readContent(ctx: Context, body: Body): Promise<{ subject: string; content: SpamInput['content'] }> {
  if (typeof body.mime === 'string') {
    if (typeof body.html === 'string') throw invalid('html, mime:', 'give one of them, not both.');
    const { raw, subject } = await readMime(ctx, { ...body, mime: body.mime });
    return { subject: body.subject ?? subject, content: { kind: 'mime', raw: raw.toString('base64') } };
  }
  if (typeof body.html !== 'string' || body.html.trim() === '') throw invalid('html', 'is required, or mime.');
  if (typeof body.subject !== 'string') throw invalid('subject', 'is required.');
  if (Buffer.byteLength(body.html) > HTML_BYTES_MAX) throw new AppError('too_large', `html is larger than ${HTML_BYTES_MAX} bytes (5 MiB).`);
  // A sender that may not be used is refused at once, not in the job.
  if (typeof body.from === 'string') await verifiedSender(ctx, ctx.principal.accountId, { from: body.from, given: null });
  return { subject: body.subject, content: { kind: 'html', subject: body.subject, html: body.html, text: body.text ?? null, from: body.from ?? null, fromName: body.from_name ?? null, headers: readHeaders(body.headers ?? {}) } };
}

function readAssumed(body: Body): AssumedEnvelope | null {
  if (typeof body.sending_ip === 'string' && typeof body.envelope?.ip === 'string' && body.sending_ip !== body.envelope.ip) throw invalid('sending_ip', 'and envelope.ip name different addresses.');
  const ip = body.envelope?.ip ?? body.sending_ip ?? null;
  const { helo = null, reverse_dns: reverseDns = null, mail_from: mailFrom = null } = body.envelope ?? {};
  if (ip === null && helo === null && reverseDns === null && mailFrom === null) return null;
  return readEnvelope({ ip, helo, reverseDns, mailFrom }, typeof body.envelope?.ip === 'string' ? 'envelope.ip' : 'sending_ip');
}

/** Checks what is given, stores it, and queues the sending. */
export async function startTest(ctx: Context, body: Body): Promise<SpamTest> {
  const { subject, content } = await readContent(ctx, body);
  const envelope = readAssumed(body);
  const now = ctx.clock.now();
  const region = body.region ?? `${ctx.config.region}1`;
  let made: SpamTest | undefined;
  await spamTests.startWith(ctx, ctx.principal.accountId, {
    input: { content, envelope, isLiveUnsubscribe: body.live_unsubscribe ?? false },
    async beside(tx, { id, accountId }) {
      made = { id, accountId, subject, sendingIp: envelope?.ip ?? null, region, status: 'processing', failureReason: null, createdAt: now, updatedAt: now };
      await store.insertTest(tx, made);
    },
  });
  return made as unknown as SpamTest;
}

export async function getTest(ctx: Context, id: string): Promise<SpamTest> {
  const found = await store.findTest(ctx.db, ctx.principal.accountId, id);
  if (!found) throw notFound('spam test', id);
  return found;
}

/** The message as it went out: what the places of the rules count in. */
export async function getContent(ctx: Context, id: string): Promise<ParsedMail> {
  const test = await getTest(ctx, id);
  const outgoing = await readOutgoing(ctx, test.id);
  if (!outgoing) throw new AppError('not_found', 'The message of this test is not made yet.');
  return ctx.compute.run(readMail, outgoing.raw, { urgency: 'answer' });
}

/** The test, its deliveries and everything that was found are gone after this. */
export async function removeTest(ctx: Context, id: string): Promise<void> {
  await spamTests.remove(ctx, ctx.principal.accountId, id);
  await ctx.db.tx((tx) => seedDeliveries.forget(tx, [id]));
}
