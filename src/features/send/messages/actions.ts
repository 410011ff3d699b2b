import { destinationOf, newMessageId } from '../../../engines/mime/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { randomText } from '../../../platform/ids/index.ts';
import { requireProduct } from '../../account/accounts/index.ts';
import { countSent } from '../../account/limits/index.ts';
import { confirmUses, releaseMessages } from '../../proof/_message/index.ts';
import { maySendFrom } from '../ip-pools/index.ts';
import { admitSender, dkimKeysOf, getDomain, type DeliveryMode } from '../sending-domains/index.ts';
import { decideTracking } from '../tracking/index.ts';
import { holderOf, keepContent, readContent } from './content.ts';
import { dueTimes } from './due-times.ts';
import { sendTimes } from './send-times.ts';
import { readMime, readParts, type Draft } from './draft.ts';
import { wrong, type Form } from './fields.ts';
import { fillFromTemplate } from './from-template.ts';
import { messageGates, type Admit } from './gates.ts';
import { earlierAnswer, hashOf, keyOf } from './idempotency.ts';
import { insertDeliveries } from './queue-store.ts';
import { wakeQueue } from './queue-wake.ts';
import { recipientChecks } from './recipient-checks.ts';
import { admitVariables, readRecipients, type Recipient } from './recipients.ts';
import * as store from './store.ts';
import type { Answer, ListCopy, SendOptions, SentMessage } from './store.ts';
import { admitLinks, hasReaderLinks } from './unsubscribe-links.ts';

/** How long contents are kept, and a message is tried that says nothing else: `message_ttl` of its domain. */
const TTL_MS = 259_200_000;
const QUEUED = 'Queued. Thank you.';
/** Lanes: who waits for one message goes before newsletters. */
const TRANSACTIONAL = 0;
const ORDINARY = 1;

type Doors = Pick<
  Outside,
  'config' | 'db' | 'blobs' | 'clock' | 'secrets' | 'events' | 'compute' | 'lists' | 'log' | 'facts' | 'jobs'
>;

type Asking = Doors & Pick<Context, 'principal' | 'headers' | 'address'>;

/** Who sends, by which way. */
interface Submission {
  accountId: string;
  domain: string;
  method: 'HTTP' | 'SMTP';
  apiKeyId: string | null;
  originatingIp: string | null;
}

/** A domain of the account that may send. Throws `not_found` or `forbidden`. */
async function sendingDomain(doors: Doors, accountId: string, name: string): Promise<string> {
  const domain = await getDomain(doors, accountId, name);
  if (domain.state === 'disabled') throw new AppError('forbidden', `Domain ${domain.name} is disabled.`);
  return domain.name;
}

/** Throws `invalid_request` when the account has no such key. */
async function checkKey(doors: Doors, accountId: string, { options }: Draft): Promise<void> {
  const wanted = options.secondaryDkim;
  if (!wanted) return;
  const domain = await getDomain(doors, accountId, wanted.domain).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  });
  const keys = domain ? await dkimKeysOf(doors, domain) : [];
  if (!keys.some(({ selector }) => selector === wanted.selector))
    throw wrong('o:secondary-dkim', `o:secondary-dkim: this account has no key ${wanted.domain}/${wanted.selector}.`);
}

/** Throws `invalid_request` when the account may not send from what the call names. */
async function checkSource({ db }: Doors, accountId: string, { options }: Draft): Promise<void> {
  const { sendingIp, sendingPool } = options;
  if (sendingIp !== undefined && !(await maySendFrom(db, accountId, { ip: sendingIp })))
    throw wrong('o:sending-ip', `o:sending-ip "${sendingIp}" is not known: GET /v3/ips lists what this account has.`);
  if (sendingPool !== undefined && !(await maySendFrom(db, accountId, { poolId: sendingPool })))
    throw wrong(
      'o:sending-ip-pool',
      `o:sending-ip-pool "${sendingPool.slice(0, 100)}" is not known, or has no addresses: it is the pool_id of a pool ` +
        'that GET /v3/ip_pools lists.',
    );
}

/** What the call names to send from, as deliveries keep it. */
const routeOf = ({ sendingIp, sendingPool }: Draft['options']): string =>
  sendingIp !== undefined ? `ip ${sendingIp}` : sendingPool !== undefined ? `pool ${sendingPool}` : '';

interface Stored extends Pick<SentMessage, 'key' | 'mode' | 'content' | 'contentDigest'> {
  now: Date;
  /** When the last recipient is due. */
  lastDueAt: Date;
}

/** A row of the message, whose content is stored already. */
function rowOf(draft: Draft, submission: Submission, stored: Stored): Omit<SentMessage, 'id'> {
  const { now, lastDueAt, ...kept } = stored;
  const { messageId, sender, headerFrom, headerTo, subject, tags, userVariables, options } = draft;
  return {
    ...submission,
    ...kept,
    messageId: messageId ?? newMessageId({ date: now, unique: kept.key, domain: submission.domain }).slice(1, -1),
    sender,
    headerFrom,
    headerTo,
    subject,
    recipients: draft.recipients.map(({ address }) => address),
    tags,
    userVariables,
    options,
    attachments: draft.attachments,
    sizeBytes: draft.sizeBytes,
    contentExpiresAt: new Date(lastDueAt.getTime() + TTL_MS),
    createdAt: now,
  };
}

/** Somebody may wait for it; newsletters and lists say how to leave them. */
const isForOne = (options: SendOptions): boolean => !hasReaderLinks(options) && options.mailingList === undefined;

/** The message, what waits for delivery, and that it was accepted: all or nothing. */
async function insertAll(
  { events }: Pick<Outside, 'events'>,
  tx: Sql,
  {
    message,
    recipients,
    dues,
    told,
    admits,
  }: {
    message: Omit<SentMessage, 'id'>;
    recipients: readonly Recipient[];
    dues: readonly Date[];
    /** Why each is due then, where that is not the sender's choice. */
    told: readonly string[] | undefined;
    admits: readonly Admit[];
  },
): Promise<void> {
  const { accountId, domain, options, createdAt: at } = message;
  const messageId = await store.insertMessage(tx, message);
  let isHeld = false;
  let going = recipients.length;
  for (const admit of admits) {
    const admission = await admit(tx, { id: messageId, recipients: recipients.length });
    isHeld ||= admission.isHeld === true;
    going = Math.min(going, admission.going ?? going);
  }
  const forMs = options.deliverWithinSeconds === undefined ? TTL_MS : options.deliverWithinSeconds * 1000;
  await insertDeliveries(
    tx,
    {
      messageId,
      accountId,
      domain,
      mode: message.mode,
      route: routeOf(options),
      isHeld,
      lane: isForOne(options) && recipients.length === 1 ? TRANSACTIONAL : ORDINARY,
    },
    recipients.map(({ address, destination, variables }, position) => {
      const dueAt = dues[position] as Date;
      const giveUpAt = new Date(dueAt.getTime() + forMs);
      const isStopped = position >= going;
      const isReady = dueAt <= at && !isHeld && !isStopped;
      return { position, recipient: address, destination, variables, dueAt, isReady, isStopped, giveUpAt };
    }),
  );
  await events.append(
    tx,
    recipients.map(({ address }, position) => ({
      at,
      accountId,
      event: 'accepted' as const,
      domain,
      recipient: address.toLowerCase(),
      messageId,
      position,
      ...(told && { about: { 'i-delivery-optimizer': told[position] } }),
    })),
  );
}

/** What gates do when the message is kept. Throws `forbidden` where one refuses it. */
async function gatesFor(
  doors: Doors,
  {
    accountId,
    domain,
    content,
    tags,
    options,
    sizeBytes,
    now,
    mode,
    isCopies,
  }: Pick<Submission, 'accountId' | 'domain'> & Draft & { now: Date; mode: DeliveryMode; isCopies: boolean },
): Promise<Admit[]> {
  const admits: Admit[] = [];
  for (const gate of doors.lists.of(messageGates)) {
    const admit = await gate(doors, { accountId, domain, content, tags, options, sizeBytes, now, mode, isCopies });
    if (admit) admits.push(admit);
  }
  return admits;
}

interface Accepting {
  draft: Draft;
  idempotency?: { key: string; bodyHash: string } | undefined;
  /** Of copies for members of a list, before the gates. */
  admit?: Admit | undefined;
}

/**
 * Takes a message for all of its recipients, or for none: durable when it resolves. A call that was answered before
 * under the same key is answered so again. Throws `forbidden` when it would leave, and its domain is not verified or
 * may not write to somebody.
 */
async function acceptMessage(
  doors: Doors,
  submission: Submission,
  { draft, idempotency, admit }: Accepting,
): Promise<Answer> {
  const { accountId } = submission;
  await requireProduct(doors, accountId, 'sending');
  const mode = await admitSender(doors, accountId, submission.domain);
  admitLinks(doors, { ...draft, mode });
  await checkKey(doors, accountId, draft);
  await checkSource(doors, accountId, draft);
  const addresses = draft.recipients.map(({ address }) => address);
  for (const check of doors.lists.of(recipientChecks))
    await check(doors, { accountId, domain: submission.domain, mode, addresses });
  const now = doors.clock.now();
  const offered = { accountId, domain: submission.domain, ...draft, now, mode, isCopies: admit !== undefined };
  const admits = [...(admit ? [admit] : []), ...(await gatesFor(doors, offered))];
  const key = randomText(18);
  const times = await sendTimes(doors, accountId, { ...draft, now });
  const dues = times?.map(({ dueAt }) => dueAt) ?? (await dueTimes(doors, accountId, { ...draft, now }));
  const told = times?.map((time) => time.told);
  const lastDueAt = new Date(dues.reduce((last, due) => Math.max(last, due.getTime()), 0));
  const content = await keepContent(doors, draft.content, { accountId, key });
  const { options, domain } = { ...draft, ...submission };
  const tracked = await decideTracking(doors, accountId, { domain, options, mode });
  const message = rowOf({ ...draft, options: { ...options, ...(tracked && { tracked }) } }, submission, {
    key,
    mode,
    now,
    lastDueAt,
    ...content,
  });
  const answer: Answer = { id: `<${message.messageId}>`, message: QUEUED };
  const given = await doors.db.tx(async (tx) => {
    const earlier = idempotency && (await earlierAnswer(tx, accountId, { ...idempotency, now }));
    if (earlier) return earlier;
    await insertAll(doors, tx, { message, recipients: draft.recipients, dues, told, admits });
    if (content.contentDigest !== null) await confirmUses(tx, { accountId, holder: holderOf(key) });
    if (idempotency) await store.saveAnswer(tx, accountId, { ...idempotency, answer, createdAt: now });
    await countSent(doors, tx, { accountId, domain: submission.domain, adding: draft.recipients.length, now });
    return answer;
  });
  if (given !== answer && content.contentDigest !== null) await releaseMessages(doors, holderOf(key));
  wakeQueue(doors.db);
  if (admits.length > 0) doors.jobs.wake();
  return given;
}

/** The account's domain by the name in the path, for this key. Throws `not_found` or `forbidden`. */
async function domainFor(ctx: Asking, name: string): Promise<string> {
  const { domainName, accountId } = ctx.principal;
  if (domainName !== null && domainName.toLowerCase() !== name.toLowerCase())
    throw new AppError('forbidden', `This key may send as ${domainName} only.`);
  return sendingDomain(ctx, accountId, name);
}

/** A call with the parts of a message, or with a template that has them. Throws `invalid_request` naming the field. */
async function readFilled(
  doors: Doors,
  sender: Pick<Submission, 'accountId' | 'domain'>,
  { form, now }: { form: Form; now: Date },
): Promise<Draft> {
  const { form: filled, template } = await fillFromTemplate(doors, sender, form);
  const draft = readParts(filled, now);
  return template ? { ...draft, options: { ...draft.options, template } } : draft;
}

/** A call of one of the two endpoints. Throws `invalid_request` naming the field, `conflict`, `not_found`. */
export async function submitForm(
  ctx: Asking,
  { domainName, form, kind }: { domainName: string; form: Form; kind: 'parts' | 'mime' },
): Promise<Answer> {
  const domain = await domainFor(ctx, domainName);
  const key = keyOf(ctx.headers);
  const idempotency = key === undefined ? undefined : { key, bodyHash: hashOf(`${kind} ${domain}`, form) };
  const now = ctx.clock.now();
  await admitVariables(form);
  const { accountId, keyId } = ctx.principal;
  const draft =
    kind === 'parts' ? await readFilled(ctx, { accountId, domain }, { form, now }) : await readMime(ctx, form, now);
  const submission = { accountId, domain, method: 'HTTP', apiKeyId: keyId, originatingIp: ctx.address } as const;
  return acceptMessage(ctx, submission, { draft, idempotency });
}

interface WholeMail extends Pick<Submission, 'accountId' | 'domain' | 'originatingIp'> {
  form: Form;
  /** `SMTP` where it is left out. */
  method?: Submission['method'];
  /** What bears this name is taken once within 24 hours; it has a space, so that no key of a caller is the same. */
  onceAs?: `${string} ${string}`;
}

/**
 * A whole message that no call brought, its options as the fields of a form. Throws `invalid_request` naming the field,
 * `forbidden`, `not_found`.
 */
export async function submitMail(doors: Doors, { form, method = 'SMTP', onceAs, ...from }: WholeMail): Promise<Answer> {
  const domain = await sendingDomain(doors, from.accountId, from.domain);
  await admitVariables(form);
  const draft = await readMime(doors, form, doors.clock.now());
  const idempotency = onceAs === undefined ? undefined : { key: onceAs, bodyHash: hashOf(`mime ${domain}`, form) };
  return acceptMessage(doors, { ...from, domain, method, apiKeyId: null }, { draft, idempotency });
}

/**
 * A message of Galley's own as a domain of the account, its fields those of the endpoint. Throws as that does.
 */
export async function submitParts(
  doors: Doors,
  { form, ...from }: Pick<Submission, 'accountId' | 'domain' | 'originatingIp'> & { form: Form },
): Promise<Answer> {
  const domain = await sendingDomain(doors, from.accountId, from.domain);
  const draft = readParts(form, doors.clock.now());
  return acceptMessage(doors, { ...from, domain, method: 'HTTP', apiKeyId: null }, { draft });
}

/** The stored message. Throws `not_found`. */
export async function getMessage(
  { db }: Pick<Outside, 'db'>,
  accountId: string,
  { domain, key }: { domain: string; key: string },
): Promise<SentMessage> {
  const message = await store.findMessage(db, accountId, { domain: domain.toLowerCase(), key });
  if (!message) throw new AppError('not_found', 'Message not found');
  return message;
}

/** Sends a stored message once more, to others. Tags and variables are those of the first. */
export async function resend(
  ctx: Asking,
  { domainName, key, form }: { domainName: string; key: string; form: Form },
): Promise<Answer> {
  const domain = await domainFor(ctx, domainName);
  const { accountId, keyId } = ctx.principal;
  const unknown = Object.keys(form).find((field) => field !== 'to');
  if (unknown !== undefined) throw wrong(unknown, `${unknown.slice(0, 100)} is not known here; valid is to.`);
  const { all: recipients } = readRecipients(form);
  const message = await getMessage(ctx, accountId, { domain, key });
  const content = await readContent(ctx, message);
  const {
    scheduledFor: _time,
    timeOfDay: _localTime,
    optimizeHours: _hours,
    deliverWithinSeconds: _within,
    tracked: _tracked,
    mailingList: _list,
    ...options
  } = message.options;
  const draft: Draft = {
    ...message,
    // A whole message says itself what it is called; copies of the other get a name of their own.
    messageId: content.kind === 'mime' ? message.messageId : undefined,
    recipients,
    options,
    content,
  };
  const submission = { accountId, domain, method: 'HTTP', apiKeyId: keyId, originatingIp: ctx.address } as const;
  return acceptMessage(ctx, submission, { draft });
}

interface ListMember {
  address: string;
  variables: Record<string, unknown>;
}

export interface Sending {
  members: readonly ListMember[];
  list: ListCopy;
  /** How the copies say who wrote them, where that is not as the message says it. */
  headerFrom?: string | undefined;
  /** In the transaction that takes it for these members. */
  admit: Admit;
}

/**
 * Takes a message for some members of a list, all of them or none. It bears the Message-Id of the one to the list, and
 * was judged with that. Throws as sending does.
 */
export async function submitToMembers(doors: Doors, message: SentMessage, sending: Sending): Promise<void> {
  const { members, list, headerFrom = message.headerFrom, admit } = sending;
  const { accountId, domain, method, apiKeyId, originatingIp } = message;
  const { scheduledFor: _time, tracked: _tracked, isIncoming: _incoming, ...options } = message.options;
  const recipients = members.flatMap(({ address, variables }) => {
    const destination = destinationOf(address);
    return destination === undefined ? [] : [{ address, destination, variables }];
  });
  const draft = {
    ...message,
    // What came in may have no name of its own; all copies have the same.
    messageId: message.messageId || `${message.key}@${domain}`,
    headerFrom,
    recipients,
    options: { ...options, mailingList: list },
    content: await readContent(doors, message),
  };
  await acceptMessage(doors, { accountId, domain, method, apiKeyId, originatingIp }, { draft, admit });
}
