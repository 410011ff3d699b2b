import { canonicalAddress } from '../../../engines/mime/index.ts';
import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { admitStored } from '../../account/accounts/index.ts';
import { readKept } from '../../proof/_message/index.ts';
import { readAddresses } from './addresses.ts';
import { readChaos, type WantedChaos } from './chaos.ts';
import { ADDRESSES_MAX, CHECKS_PER_HOUR, MESSAGES, RETENTION_DAYS } from './contract.ts';
import { readParts } from './computations.ts';
import { readForward, type WantedForward } from './forward.ts';
import { isLarge, readOfLarge, tooLargeFor } from './large.ts';
import { dropMessages, saveCounts } from './keep.ts';
import { newLogin, newPassword } from './login.ts';
import * as messages from './messages-store.ts';
import type { CheckName, SandboxMessage } from './messages-store.ts';
import { deleteSeveral, readConditions, type Asked } from './several.ts';
import * as store from './store.ts';
import type { SandboxInbox, TagRule } from './store.ts';
import { readTagRules } from './tag-rules.ts';
import { readTags } from './tags.ts';
import { takePlace } from './places.ts';
import { arrived, wakeWatchers } from './watch.ts';
import { readWebhookUrl } from './webhook.ts';

interface Wanted {
  name?: string | undefined;
  messages_max?: number | undefined;
  retention_days?: number | undefined;
  checks?: CheckName[] | undefined;
  checks_per_hour?: number | undefined;
  webhook_url?: string | null | undefined;
  forward?: WantedForward | null | undefined;
  tag_rules?: TagRule[] | undefined;
  chaos?: WantedChaos | null | undefined;
}

/** What is wanted of a setting, by column. Throws `invalid_request`, `not_found`. */
async function settingsOf(
  doors: Pick<Outside, 'config' | 'db' | 'clock' | 'secrets'>,
  accountId: string,
  { messages_max: messagesMax, retention_days: retentionDays, ...wanted }: Wanted,
) {
  const {
    checks,
    checks_per_hour: checksPerHour,
    webhook_url: webhookUrl,
    forward,
    tag_rules: tagRules,
    chaos,
  } = wanted;
  return {
    ...(messagesMax !== undefined && { messagesMax }),
    ...(retentionDays !== undefined && { retentionDays }),
    ...(checks !== undefined && { checks: [...new Set(checks)] }),
    ...(checksPerHour !== undefined && { checksPerHour }),
    ...(webhookUrl !== undefined && { webhookUrl: readWebhookUrl(doors, webhookUrl) }),
    ...(forward !== undefined && (await readForward(doors, accountId, forward))),
    ...(tagRules !== undefined && { tagRules: readTagRules(tagRules) }),
    ...(chaos !== undefined && { chaos: readChaos(chaos) }),
  };
}

function admitName(name: string | undefined): void {
  if (name !== undefined && /^[0-9a-f]{24}$/.test(name))
    throw invalid('name', `"${name}" has the form of an id; give it a letter beyond f, or a hyphen.`);
}

const taken = (name: string): AppError =>
  new AppError('conflict', `This account has an inbox with the name "${name}" already.`, {
    details: { field: 'name' },
  });

/** Throws `invalid_request`, `conflict` for a name that is taken, `too_many_requests` beyond the quota. */
export async function createInbox(
  doors: Pick<Outside, 'config' | 'db' | 'clock' | 'secrets'>,
  accountId: string,
  { name, ...wanted }: Wanted & { name: string },
): Promise<{ inbox: SandboxInbox; password: string }> {
  admitName(name);
  await admitStored(doors, accountId, { quota: 'inboxes', count: () => store.countInboxes(doors.db, accountId) });
  const now = doors.clock.now();
  const smtpUser = newLogin();
  const { password, passwordCode } = newPassword(doors, smtpUser);
  const inbox: SandboxInbox = {
    id: newId(),
    accountId,
    name,
    smtpUser,
    passwordCode,
    messagesMax: MESSAGES.default,
    retentionDays: RETENTION_DAYS.default,
    checks: [],
    checksPerHour: CHECKS_PER_HOUR.default,
    checkHourAt: null,
    checkHourCount: 0,
    webhookUrl: null,
    forwardTo: [],
    forwardDomain: null,
    tagRules: [],
    chaos: {},
    ...(await settingsOf(doors, accountId, wanted)),
    revision: 0,
    messageCount: 0,
    unreadCount: 0,
    sizeBytes: 0,
    droppedCount: 0,
    droppedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  if (!(await store.insertInbox(doors.db, inbox))) throw taken(name);
  return { inbox, password };
}

/** By its id or its name. Throws `not_found`. */
export async function getInbox({ db }: Pick<Outside, 'db'>, accountId: string, spec: string): Promise<SandboxInbox> {
  const inbox = await store.findInbox(db, accountId, spec);
  if (!inbox) throw new AppError('not_found', `No sandbox inbox has the id or the name "${spec}".`);
  return inbox;
}

/** PostgreSQL: another row has this value. */
const IS_TAKEN = '23505';

/** Throws `invalid_request`, `not_found`, `conflict`. */
export async function changeInbox(
  doors: Pick<Outside, 'config' | 'db' | 'clock' | 'secrets'>,
  inbox: SandboxInbox,
  { name, ...wanted }: Wanted,
): Promise<SandboxInbox> {
  admitName(name);
  try {
    const saved = await store.saveInbox(doors.db, inbox, {
      ...(name !== undefined && { name }),
      ...(await settingsOf(doors, inbox.accountId, wanted)),
      updatedAt: doors.clock.now(),
    });
    if (!saved) throw notFound('sandbox inbox', inbox.id);
    return saved;
  } catch (error) {
    if (name !== undefined && (error as { code?: string }).code === IS_TAKEN) throw taken(name);
    throw error;
  }
}

/** Throws `not_found`. */
export async function rotatePassword(
  doors: Pick<Outside, 'db' | 'clock' | 'secrets'>,
  inbox: SandboxInbox,
): Promise<{ inbox: SandboxInbox; password: string }> {
  const { password, passwordCode } = newPassword(doors, inbox.smtpUser);
  const saved = await store.saveInbox(doors.db, inbox, { passwordCode, updatedAt: doors.clock.now() });
  if (!saved) throw notFound('sandbox inbox', inbox.id);
  return { inbox: saved, password };
}

/** With all that is in it. */
export async function removeInbox(doors: Pick<Outside, 'db' | 'jobs'>, inbox: SandboxInbox): Promise<void> {
  let isGone = false;
  while (!isGone) {
    await deleteSeveral(doors, { id: inbox.id, accountId: inbox.accountId }, {});
    isGone = await doors.db.tx(async (tx) => {
      const locked = await store.lockInbox(tx, inbox.accountId, inbox.id);
      // A message has come meanwhile.
      if (locked && locked.messageCount > 0) return false;
      await store.deleteInbox(tx, inbox.accountId, inbox.id);
      return true;
    });
  }
  wakeWatchers(doors.db);
}

/** Throws `not_found`. */
export async function removeMessage(
  doors: Pick<Outside, 'db' | 'jobs'>,
  { id, accountId }: SandboxInbox,
  messageId: string,
): Promise<void> {
  const dropped = await doors.db.tx(async (tx) => {
    const inbox = await store.lockInbox(tx, accountId, id);
    if (!inbox) return 0;
    const count = await dropMessages(doors, tx, { inbox, ids: [messageId] });
    await saveCounts(tx, inbox);
    return count;
  });
  if (dropped === 0) throw notFound('message of this inbox', messageId);
  doors.jobs.wake();
  wakeWatchers(doors.db);
}

/** In place of those that it has. Throws `invalid_request` and `not_found`. */
export async function putTags(
  doors: Pick<Outside, 'db'>,
  { id, accountId }: SandboxInbox,
  { messageId, given }: { messageId: string; given: readonly string[] },
): Promise<string[]> {
  const tags = readTags(given);
  await doors.db.tx(async (tx) => {
    const inbox = await store.lockInbox(tx, accountId, id);
    if (!inbox || !(await messages.saveTags(tx, inbox, { id: messageId, tags })))
      throw notFound('message of this inbox', messageId);
    await saveCounts(tx, { ...inbox, revision: inbox.revision + 1 });
  });
  wakeWatchers(doors.db);
  return tags;
}

/** Throws `not_found`. */
export async function getMessage(
  { db }: Pick<Outside, 'db'>,
  inbox: SandboxInbox,
  id: string,
): Promise<SandboxMessage> {
  const message = await messages.findMessage(db, inbox, id);
  if (!message) throw notFound('message of this inbox', id);
  return message;
}

/** Its bytes. Throws `damaged` when they are gone, `too_large` for a message that came in a file. */
export async function sourceOf(doors: Pick<Outside, 'blobs'>, message: SandboxMessage, what: string): Promise<Buffer> {
  const error = tooLargeFor(what, message);
  if (error) throw error;
  return readKept(doors, message);
}

/** The bytes of a message by the name or the id of its inbox, and its own id. Throws `not_found`, `damaged`. */
export async function readSandboxMessage(
  doors: Pick<Outside, 'db' | 'blobs'>,
  accountId: string,
  { inbox, message }: { inbox: string; message: string },
): Promise<Buffer> {
  const found = await getMessage(doors, await getInbox(doors, accountId, inbox), message);
  return sourceOf(doors, found, 'an email is made of');
}

/** The fields with which a message is sent to these addresses alone. Throws `invalid_request`. */
export function releaseForm(bytes: Buffer, to: string | readonly string[]) {
  const isOne = typeof to === 'string';
  if (isOne && canonicalAddress(to.trim()) === undefined)
    throw invalid('to', 'must be one address such as ann@example.com, or a list of addresses.');
  if (!isOne && (to.length === 0 || to.length > ADDRESSES_MAX))
    throw invalid('to', `has ${to.length} addresses; 1 to ${ADDRESSES_MAX} are valid.`);
  const addresses = isOne ? [to.trim()] : readAddresses('to', to);
  return { to: addresses, message: { fileName: '', mediaType: 'message/rfc822', bytes } };
}

/** As it reads. Throws `damaged`. */
export async function readMessage(doors: Pick<Outside, 'blobs' | 'compute'>, message: SandboxMessage) {
  if (isLarge(message)) return (await readOfLarge(doors, message)).parts;
  return doors.compute.run(readParts, await readKept(doors, message), { urgency: 'answer' });
}

type Waiter = Pick<Context, 'db' | 'log' | 'closing' | 'isStillAdmitted'>;

interface Latest {
  asked: Asked;
  waitSeconds: number;
}

function nothingCame({ name }: SandboxInbox, { asked, waitSeconds }: Latest): AppError {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined && value !== '');
  const words = given.map(([field, value]) => `${field}=${String(value).slice(0, 200)}`).join(', ');
  return new AppError(
    'not_found',
    `The sandbox inbox "${name}" has no message${words === '' ? '' : ` that matches ${words}`}` +
      `${waitSeconds === 0 ? '.' : `; none came within ${waitSeconds} seconds.`}`,
  );
}

/**
 * The newest message that is asked for; waits for one where there is none. Throws `not_found` when none came in time,
 * `too_many_requests` when too many calls of the account wait.
 */
export async function waitForLatest(ctx: Waiter, inbox: SandboxInbox, latest: Latest): Promise<SandboxMessage> {
  const conditions = readConditions(latest.asked);
  const there = await messages.findLatest(ctx.db, inbox, conditions);
  if (there) return there;
  if (latest.waitSeconds === 0) throw nothingCame(inbox, latest);
  const leave = takePlace(inbox.accountId);
  try {
    const signal = AbortSignal.any([ctx.closing, AbortSignal.timeout(latest.waitSeconds * 1000)]);
    const after = Math.max(conditions.after ?? 0, inbox.revision);
    const found = await arrived(ctx, { inbox, conditions, after, signal });
    if (!found && !signal.aborted) await getInbox(ctx, inbox.accountId, inbox.id);
    if (ctx.closing.aborted && !found)
      throw new AppError('unavailable', 'The service is stopping; ask again.', { headers: { 'retry-after': '2' } });
    if (!found) throw nothingCame(inbox, latest);
    if (!(await ctx.isStillAdmitted()))
      throw new AppError('unauthorized', 'The key was revoked, or the session ended, while this call waited.');
    return found;
  } finally {
    leave();
  }
}
