import type { StartDoors } from '../_inspections/index.ts';
import type { Static } from 'typebox';
import type { ParsedMail } from '../../../engines/mime/index.ts';
import { nameOfEmail } from '../../../engines/html/index.ts';
import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import {
  bufferOf,
  fillBody,
  fillField,
  glanceAtSendable,
  HTML_BYTES_MAX,
  readBase64,
  readLine,
  readMail,
  type StoredSource,
} from '../_message/index.ts';
import { readEnvelope, readHeaders, verifiedSender, type AssumedEnvelope, type SenderDoors } from '../_seeds/index.ts';
import type { SpamAnalysis } from './analysis.ts';
import type * as contracts from './contract.ts';
import { chooseTestSeeds, readOutgoing, seedDeliveries, spamTests } from './inspection.ts';
import { inputOfSource, type SpamInput } from './message.ts';
import * as store from './store.ts';
import type { SpamTest } from './store.ts';

type Body = Static<NonNullable<typeof contracts.createTest.body>>;

const MIME_BYTES_MAX = 25 * 1024 * 1024;

async function readMime(
  ctx: Pick<Outside, 'compute'>,
  body: Body & { mime: string },
): Promise<{ subject: string; raw: Buffer }> {
  const read = body.transfer_encoding === 'base64' ? readBase64(body.mime) : { bytes: Buffer.from(body.mime) };
  if ('why' in read) throw invalid('mime', 'is not base64, although transfer_encoding says so.');
  const raw = read.bytes;
  return readRaw(ctx, body.data ? (await fillBody(ctx, { kind: 'mime', body: raw }, body.data)).body : raw);
}

type HtmlContent = Extract<SpamInput['content'], { kind: 'html' }>;

async function filled(ctx: Pick<Outside, 'compute'>, content: HtmlContent, data: Body['data']): Promise<HtmlContent> {
  if (!data) return content;
  const { body } = await fillBody(ctx, { kind: 'html', body: Buffer.from(content.html) }, data);
  const line = (field: 'subject' | 'fromName'): Promise<string> =>
    fillField(ctx, { field, text: content[field] ?? '', data });
  const text =
    content.text === null ? null : await fillField(ctx, { field: 'text', text: content.text, data, isLine: false });
  return {
    ...content,
    html: body.toString('utf8'),
    subject: await line('subject'),
    fromName: content.fromName === null ? null : await line('fromName'),
    text,
  };
}

/** A whole message that can be sent. Throws `invalid_request`. */
async function readRaw({ compute }: Pick<Outside, 'compute'>, raw: Buffer): Promise<{ subject: string; raw: Buffer }> {
  if (raw.length > MIME_BYTES_MAX)
    throw new AppError('too_large', `mime is ${raw.length} bytes; at most ${MIME_BYTES_MAX} (25 MiB) are accepted.`);
  const { hasBody, hasSender, subject } = await compute.run(glanceAtSendable, raw, { urgency: 'answer' });
  if (!hasBody) throw invalid('mime', 'has neither an HTML nor a text part.');
  if (!hasSender) throw invalid('mime', 'has no From field with an address.');
  return { raw, subject };
}

async function readContent(
  ctx: SenderDoors & Pick<Context, 'compute' | 'principal'>,
  body: Body,
): Promise<{ subject: string; content: SpamInput['content'] }> {
  if (typeof body.subject === 'string') readLine('subject', body.subject);
  if (typeof body.from_name === 'string') readLine('from_name', body.from_name);
  if (typeof body.mime === 'string') {
    if (typeof body.html === 'string') throw invalid('html, mime:', 'give one of them, not both.');
    const { raw, subject } = await readMime(ctx, { ...body, mime: body.mime });
    return { subject: body.subject ?? subject, content: { kind: 'mime', raw } };
  }
  if (typeof body.html !== 'string' || body.html.trim() === '') throw invalid('html', 'is required, or mime.');
  if (typeof body.subject !== 'string') throw invalid('subject', 'is required.');
  if (Buffer.byteLength(body.html) > HTML_BYTES_MAX)
    throw new AppError('too_large', `html is larger than ${HTML_BYTES_MAX} bytes (5 MiB).`);
  // A sender that may not be used is refused at once, not in the job.
  if (typeof body.from === 'string')
    await verifiedSender(ctx, ctx.principal.accountId, { from: body.from, given: null });
  const given = {
    kind: 'html',
    subject: body.subject,
    html: body.html,
    text: body.text ?? null,
    from: body.from ?? null,
    fromName: body.from_name ?? null,
  } as const;
  const content = await filled(ctx, { ...given, headers: readHeaders(body.headers ?? {}) }, body.data);
  return { subject: content.subject, content };
}

function readAssumed(body: Body): AssumedEnvelope | null {
  if (
    typeof body.sending_ip === 'string' &&
    typeof body.envelope?.ip === 'string' &&
    body.sending_ip !== body.envelope.ip
  )
    throw invalid('sending_ip', 'and envelope.ip name different addresses.');
  const ip = body.envelope?.ip ?? body.sending_ip ?? null;
  const { helo = null, reverse_dns: reverseDns = null, mail_from: mailFrom = null } = body.envelope ?? {};
  if (ip === null && helo === null && reverseDns === null && mailFrom === null) return null;
  return readEnvelope(
    { ip, helo, reverseDns, mailFrom },
    typeof body.envelope?.ip === 'string' ? 'envelope.ip' : 'sending_ip',
  );
}

/** Checks what is given, stores it, and queues the sending. */
export async function startTest(
  ctx: SenderDoors & StartDoors & Pick<Context, 'compute' | 'principal'>,
  body: Body,
): Promise<SpamTest> {
  const { subject, content } = await readContent(ctx, body);
  const name = nameOfEmail({ subject, ...(content.kind === 'html' && { html: content.html }) });
  const envelope = readAssumed(body);
  return start(ctx, ctx.principal.accountId, {
    subject,
    input: { name, content, envelope, isLiveUnsubscribe: body.live_unsubscribe ?? false },
    region: readRegion(ctx, body.region),
  });
}

/** The deployment's own. */
function regionOf({ config }: Pick<Outside, 'config'>): string {
  return `${config.region}1`;
}

/** Throws `invalid_request` for a region that this deployment is not. */
function readRegion(outside: Pick<Outside, 'config'>, given: string | null | undefined): string {
  const own = regionOf(outside);
  if (given && given !== own) throw invalid('region', `is "${given}"; this deployment is ${own}.`);
  return own;
}

async function start(
  outside: StartDoors,
  accountId: string,
  { subject, input, region }: { subject: string; input: SpamInput; region: string },
): Promise<SpamTest> {
  const now = outside.clock.now();
  let made: SpamTest | undefined;
  await spamTests.startWith(outside, accountId, {
    input,
    async beside(tx, { id, name }) {
      made = {
        id,
        accountId,
        name,
        subject,
        sendingIp: input.envelope?.ip ?? null,
        region,
        status: 'processing',
        failureReason: null,
        createdAt: now,
        updatedAt: now,
      };
      await store.insertTest(tx, made);
    },
  });
  return made as unknown as SpamTest;
}

export async function getTest(ctx: Pick<Context, 'db' | 'principal'>, id: string): Promise<SpamTest> {
  const found = await store.findTest(ctx.db, ctx.principal.accountId, id);
  if (!found) throw notFound('spam test', id);
  return found;
}

/** What was found out about the message; undefined while the test runs. Throws `not_found`. */
export async function getSpamAnalysis(
  ctx: Pick<Context, 'db' | 'principal'>,
  id: string,
): Promise<SpamAnalysis | undefined> {
  return (await spamTests.get(ctx, id)).result?.analysis;
}

/** The message as it went out: what the places of the rules count in. */
export async function getContent(
  ctx: Pick<Context, 'db' | 'blobs' | 'compute' | 'principal'>,
  id: string,
): Promise<ParsedMail> {
  const test = await getTest(ctx, id);
  const outgoing = await readOutgoing(ctx, test.id);
  if (!outgoing) throw new AppError('not_found', 'The message of this test is not made yet.');
  return ctx.compute.run(readMail, outgoing.raw, { urgency: 'answer' });
}

/** An email that another test is about. */
export interface SpamEmail {
  source: StoredSource;
  subject: string;
  headers: Record<string, string>;
  /** At a verified domain of the account; null: a stand-in sends it. */
  from: string | null;
  /** The text part beside HTML; without it, it is made from that. */
  text?: string | null;
}

/** Throws `invalid_request`, naming the sender by the caller's field, when the email cannot be sent. */
export async function checkSpamEmail(
  ctx: SenderDoors & Pick<Context, 'compute'> & { principal: Pick<Context['principal'], 'accountId'> },
  { source, from }: SpamEmail,
  fields: { from: string },
): Promise<void> {
  if (source.kind !== 'mime')
    return from === null
      ? undefined
      : void (await verifiedSender(ctx, ctx.principal.accountId, { from, given: null, field: fields.from }));
  if (from !== null) throw invalid(fields.from, 'goes with html or url: a whole message has its own From.');
  await readRaw(ctx, bufferOf(source.body));
}

/**
 * Starts the spam test of an email that {@link checkSpamEmail} found right. Its seeds are chosen at once, so that they
 * can be told.
 */
export async function startSpamTest(
  outside: StartDoors,
  accountId: string,
  { source, subject, headers, from, text = null }: SpamEmail,
): Promise<{ id: string; addresses: string[] }> {
  const { content, ...rest } = inputOfSource(source, { subject });
  const seeds = await chooseTestSeeds(outside, accountId);
  const input: SpamInput = {
    ...rest,
    content: content.kind === 'html' ? { ...content, from, headers, text } : content,
    seeds,
  };
  const { id } = await start(outside, accountId, { subject, input, region: regionOf(outside) });
  return { id, addresses: seeds.map(({ email }) => email) };
}

/** The test, its deliveries and everything that was found are gone after this. */
export async function removeTest(outside: Pick<Outside, 'db' | 'jobs'>, accountId: string, id: string): Promise<void> {
  await spamTests.remove(outside, accountId, id);
  await outside.db.tx((tx) => seedDeliveries.forget(tx, { accountId, testIds: [id] }));
}
