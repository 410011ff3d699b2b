import type { Static } from 'typebox';
import { nameOfEmail } from '../../../engines/html/index.ts';
import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { admitStored } from '../../account/accounts/index.ts';
import { confirmUses, keepMessage, readKept } from '../../proof/_message/index.ts';
import { VERSIONS_MAX, type ContentBody, type Filed } from './contract.ts';
import { erase } from './jobs.ts';
import { deleteIgnore, listIgnores, putIgnore, type Ignore } from './ignores-store.ts';
import { IGNORES_MAX } from './overview-contract.ts';
import { readContent, type Content, type SourceDoors } from './sources.ts';
import * as store from './store.ts';
import type { Email } from './store.ts';
import * as versions from './versions-store.ts';
import { holderOf, type Version } from './versions-store.ts';

type Doors = SourceDoors & Pick<Context, 'config' | 'clock'>;
type Reader = Pick<Context, 'db' | 'principal'>;

/** Each once, in the order given. */
const tagsOf = (given: string | readonly string[]): string[] => [...new Set([given].flat().map((tag) => tag.trim()))];

/** Folders in folders are written with a slash; spaces around the names are none of them. Throws `invalid_request`. */
function folderOf(given: string): string {
  const names = given.split('/').map((name) => name.trim());
  if (given.trim() !== '' && names.includes(''))
    throw invalid('folder', 'has a name without characters; write it as `Campaigns/Spring`.');
  return names.join('/');
}

/** What a request says of where the email belongs. Throws `invalid_request`. */
function filedOf({ name, folder, tags }: Static<typeof Filed>): Partial<Pick<Email, 'name' | 'folder' | 'tags'>> {
  return {
    ...(typeof name === 'string' && { name: nameOfEmail({ given: name }) }),
    ...(typeof folder === 'string' && { folder: folderOf(folder) }),
    ...(tags !== undefined && tags !== null && { tags: tagsOf(tags) }),
  };
}

async function keep(ctx: Doors, emailId: string, { body, name: _name, ...content }: Content) {
  const { accountId } = ctx.principal;
  const digest = await keepMessage(ctx, { accountId, holder: holderOf(emailId), bytes: body });
  return (number: number, createdAt: Date): Version => ({
    ...content,
    emailId,
    accountId,
    number,
    digest,
    createdAt,
  });
}

const admitVersion = (ctx: Doors): Promise<void> =>
  admitStored(ctx, ctx.principal.accountId, {
    quota: 'emailVersions',
    isSlow: true,
    count: () => versions.countVersions(ctx.db, ctx.principal.accountId),
  });

/** Makes an email with its first version. */
export async function createEmail(ctx: Doors, body: Static<typeof ContentBody> & Static<typeof Filed>): Promise<Email> {
  const { accountId, userId = null } = ctx.principal;
  const filed = filedOf(body);
  await admitStored(ctx, accountId, { quota: 'emails', count: () => store.countEmails(ctx.db, accountId) });
  await admitVersion(ctx);
  const { name: _given, ...source } = body;
  const content = await readContent(ctx, source);
  const now = ctx.clock.now();
  const email: Email = {
    id: newId(),
    accountId,
    name: content.name,
    folder: '',
    tags: [],
    ...filed,
    ownerId: userId,
    version: 1,
    subject: content.subject,
    createdAt: now,
    updatedAt: now,
  };
  const versionOf = await keep(ctx, email.id, content);
  await ctx.db.tx(async (tx) => {
    await store.insertEmail(tx, email);
    await versions.insertVersion(tx, versionOf(1, now));
    await confirmUses(tx, { accountId, holder: holderOf(email.id) });
  });
  return email;
}

/** Throws `not_found`. */
export async function getEmail({ db, principal }: Reader, id: string): Promise<Email> {
  const found = await store.findEmail(db, principal.accountId, id);
  if (!found) throw notFound('email', id);
  return found;
}

export async function changeEmail(
  ctx: Reader & Pick<Context, 'clock'>,
  id: string,
  body: Static<typeof Filed>,
): Promise<Email> {
  const change = { id, ...filedOf(body), updatedAt: ctx.clock.now() };
  const saved = await store.updateEmail(ctx.db, ctx.principal.accountId, change);
  if (!saved) throw notFound('email', id);
  return saved;
}

/** With its versions; what was started from them stays, as tests of their own. */
export async function removeEmail(ctx: Reader & Pick<Outside, 'jobs'>, id: string): Promise<void> {
  const { accountId } = ctx.principal;
  await ctx.db.tx(async (tx) => {
    if (!(await store.deleteEmail(tx, accountId, id))) throw notFound('email', id);
    await ctx.jobs.enqueue(tx, erase, { payloads: [{ id }], account: accountId });
  });
  ctx.jobs.wake();
}

export interface Added {
  version: Version;
  /** False: the newest version says the same, and is answered. */
  isNew: boolean;
}

/** Makes the next version of an email. Throws `not_found`, `conflict` where it has as many as it may have. */
export async function addVersion(ctx: Doors, emailId: string, body: Static<typeof ContentBody>): Promise<Added> {
  const { accountId } = ctx.principal;
  const before = await getEmail(ctx, emailId);
  const content = await readContent(ctx, body);
  const same = await sameAsNewest(ctx, before, content);
  if (same) return { version: same, isNew: false };
  await admitVersion(ctx);
  const versionOf = await keep(ctx, emailId, content);
  return ctx.db.tx(async (tx) => {
    const email = await store.lockEmail(tx, accountId, emailId);
    if (!email) throw notFound('email', emailId);
    const meanwhile = await sameAsNewest({ ...ctx, db: tx }, email, content);
    await confirmUses(tx, { accountId, holder: holderOf(emailId) });
    if (meanwhile) return { version: meanwhile, isNew: false };
    if (email.version >= VERSIONS_MAX)
      throw new AppError('conflict', `This email has ${VERSIONS_MAX} versions, which is as many as it may have.`);
    const now = ctx.clock.now();
    const version = versionOf(email.version + 1, now);
    await versions.insertVersion(tx, version);
    const { number, subject } = version;
    await store.updateEmail(tx, accountId, { id: emailId, version: number, subject, updatedAt: now });
    return { version, isNew: true };
  });
}

async function sameAsNewest(
  { db }: { db: Parameters<typeof versions.findVersion>[0] },
  { id, accountId, version }: Email,
  { fingerprint }: Content,
): Promise<Version | undefined> {
  const newest = await versions.findVersion(db, { accountId, emailId: id }, version);
  return newest?.fingerprint === fingerprint ? newest : undefined;
}

/** By its number, or `latest`. Throws `not_found`. */
export async function getVersion(
  ctx: Reader,
  { email_id: emailId, number }: { email_id: string; number: string },
): Promise<{ email: Email; version: Version }> {
  const email = await getEmail(ctx, emailId);
  const wanted = number === 'latest' ? email.version : /^\d{1,6}$/.test(number) ? Number(number) : 0;
  const of = { accountId: email.accountId, emailId };
  const version = await versions.findVersion(ctx.db, of, wanted);
  if (!version) throw notFound('version of this email', number);
  return { email, version };
}

/** The bytes as they were given. Throws `damaged`. */
export const bytesOf = (ctx: Pick<Outside, 'blobs'>, { accountId, digest }: Version): Promise<Buffer> =>
  readKept(ctx, { accountId, digest });

interface OfCause {
  email_id: string;
  cause: string;
}

/** Throws `invalid_request`, `not_found`, and `conflict` where an email has as many as it may have. */
export async function ignoreCause(
  ctx: Reader & Pick<Context, 'clock'>,
  { email_id: emailId, cause }: OfCause,
  { rule, reason, until = null }: { rule: string; reason: string; until?: string | null },
): Promise<Ignore> {
  if (!/^[0-9a-f]{20}$/.test(cause)) throw notFound('finding', cause);
  const { accountId } = await getEmail(ctx, emailId);
  const now = ctx.clock.now();
  if (until !== null && !isDay(until)) throw invalid('until', 'must be a day, such as 2026-12-31.');
  if (until !== null && until < now.toISOString().slice(0, 10)) throw invalid('until', 'must not have passed.');
  const others = await listIgnores(ctx.db, { accountId, emailId }, IGNORES_MAX);
  if (others.length >= IGNORES_MAX && !others.some((one) => one.cause === cause))
    throw new AppError('conflict', `${IGNORES_MAX} findings of this email are ignored, which is as many as may be.`);
  const ignore: Ignore = { emailId, accountId, cause, rule, reason: reason.trim(), until, createdAt: now };
  await putIgnore(ctx.db, ignore);
  return ignore;
}

const isDay = (text: string): boolean => {
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
};

/** Throws `not_found`. */
export async function stopIgnoring(ctx: Reader, { email_id: emailId, cause }: OfCause): Promise<void> {
  const { accountId } = await getEmail(ctx, emailId);
  if (!(await deleteIgnore(ctx.db, { accountId, emailId }, cause))) throw notFound('ignored finding', cause);
}
