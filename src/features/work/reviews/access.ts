// Reviewers by link. The token opens a review once in a while; what the page goes on with is signed, ends after some
// hours, and is held against the link each time: it ends with it.
import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { newId, randomText } from '../../../platform/ids/index.ts';
import { Buckets } from '../../../platform/recent/index.ts';
import { hashPassword, matchesPassword } from '../../../platform/secrets/index.ts';
import { daysAfter, unixSeconds } from '../../../platform/times/index.ts';
import { isAccountOpen } from '../../account/accounts/index.ts';
import { findEmail, getEmail, type Email } from '../emails/index.ts';
import { LIFE_DAYS, LINKS_MAX } from './contract.ts';
import * as store from './links-store.ts';
import type { ReviewLink } from './links-store.ts';
import { personOf } from './people.ts';
import { ACCESS_HOURS } from './public-contract.ts';

const TOKEN_BYTES = 32;
const HOUR_MS = 3_600_000;
/** Wrong passwords for a link: 480 a day. */
const WRONG_MAX = 10;
const WRONG_MS = HOUR_MS / 2;
/** Comments, replies and verdicts by a link. */
const SAID_MAX = 30;
const SAID_MS = HOUR_MS / 6;

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

type Doors = Pick<Context, 'db' | 'clock' | 'secrets'>;
type Timed = Pick<Context, 'db' | 'clock'>;

/** By link, in each process. */
const WRONG = { all: new WeakMap<object, Buckets>(), max: WRONG_MAX, timeMs: WRONG_MS };
const SAID = { all: new WeakMap<object, Buckets>(), max: SAID_MAX, timeMs: SAID_MS };

function bucketsIn({ db, clock }: Timed, { all, max, timeMs }: typeof WRONG): Buckets {
  const found = all.get(db) ?? new Buckets(max, () => clock.now().getTime(), timeMs);
  all.set(db, found);
  return found;
}

function spend(buckets: Buckets, linkId: string, message: string): void {
  const seconds = buckets.waitSeconds(linkId);
  if (seconds > 0)
    throw new AppError('too_many_requests', `${message} Try again in ${Math.ceil(seconds / 60)} minutes.`, {
      headers: { 'retry-after': String(seconds) },
    });
  buckets.spend(linkId);
}

/** Makes a link; its token is behind the `#` of the address, so that no log and no referrer has it. */
export async function inviteReviewer(
  ctx: Pick<Context, 'db' | 'clock' | 'principal' | 'baseUrl'>,
  emailId: string,
  given: { name: string; expires_in_days?: number | null; password?: string | null },
): Promise<{ link: ReviewLink; url: string }> {
  const { id, accountId } = await getEmail(ctx, emailId);
  if ((await store.countLinks(ctx.db, { accountId, emailId: id })) >= LINKS_MAX)
    throw new AppError('conflict', `This email has ${LINKS_MAX} links for reviewers; take back one that is over.`);
  const { password = null } = given;
  if (password !== null && password.trim() === '') throw invalid('password', 'must not be of spaces alone.');
  const token = randomText(TOKEN_BYTES);
  const now = ctx.clock.now();
  const link: ReviewLink = {
    id: newId(),
    accountId,
    emailId: id,
    name: given.name.trim(),
    digest: digestOf(token),
    passwordHash: password === null ? null : await hashPassword(password),
    madeBy: (await personOf(ctx)).authorName,
    openedAt: null,
    createdAt: now,
    expiresAt: daysAfter(now, given.expires_in_days ?? LIFE_DAYS.default),
  };
  await store.insertLink(ctx.db, link);
  return { link, url: `${ctx.baseUrl}/review#${token}` };
}

const gone = (): AppError =>
  new AppError('not_found', 'This link opens nothing: it was taken back, its email was deleted, or it is cut short.');
const over = (): AppError => new AppError('expired', 'This link has expired; ask whoever sent it for a new one.');

/** Throws where the link, its email or its account is not open. */
async function admit(ctx: Timed, link: ReviewLink | undefined): Promise<{ link: ReviewLink; email: Email }> {
  const email = link && (await findEmail(ctx.db, link.accountId, link.emailId));
  if (!link || !email || !(await isAccountOpen(ctx, link.accountId))) throw gone();
  if (link.expiresAt <= ctx.clock.now()) throw over();
  return { link, email };
}

/** What is signed: another password, or another token, would be another link. */
function signatureOf({ secrets }: Pick<Doors, 'secrets'>, { id, digest, passwordHash }: ReviewLink, until: string) {
  const said = Buffer.from([id, until, digest.toString('hex'), passwordHash ?? ''].join('\n'));
  return secrets.mac(said, 'reviews');
}

/** Throws `not_found`, `expired`, `unauthorized`, `too_many_requests`. */
export async function openLink(
  ctx: Doors,
  { token, password }: { token: string; password?: string },
): Promise<{ access: string; until: Date }> {
  const { link } = await admit(ctx, await store.findLinkByDigest(ctx.db, digestOf(token)));
  if (link.passwordHash !== null) {
    if (password === undefined) throw new AppError('unauthorized', 'password is needed to open this link.');
    const wrong = bucketsIn(ctx, WRONG);
    spend(wrong, link.id, 'Too many wrong passwords were tried for this link.');
    if (!(await matchesPassword(password, link.passwordHash)))
      throw new AppError('unauthorized', 'password is not the password of this link.');
    wrong.giveBack(link.id);
  }
  const now = ctx.clock.now();
  const ends = unixSeconds(new Date(Math.min(now.getTime() + ACCESS_HOURS * HOUR_MS, link.expiresAt.getTime())));
  // What is answered is what is signed, to the second.
  const [seconds, until] = [String(ends), new Date(ends * 1000)];
  await store.noteOpened(ctx.db, link, now);
  return { access: `${link.id}.${seconds}.${signatureOf(ctx, link, seconds).toString('base64url')}`, until };
}

export interface Reviewer {
  link: ReviewLink;
  email: Email;
  /** As addresses of this review begin. */
  access: string;
}

/** Throws `not_found` for what was not signed here for a link that is there, and `expired`. */
export async function admitReviewer(ctx: Doors, access: string): Promise<Reviewer> {
  const [, id = '', until = '', code = ''] = /^([0-9a-f]{24})\.(\d{10})\.([\w-]{43})$/.exec(access) ?? [];
  if (id === '') throw notFound('review', access.slice(0, 30));
  const link = await store.findLinkOfAnyone(ctx.db, id);
  if (!link || !timingSafeEqual(signatureOf(ctx, link, until), Buffer.from(code, 'base64url'))) throw gone();
  if (Number(until) * 1000 <= ctx.clock.now().getTime())
    throw new AppError('expired', 'This review was opened too long ago; open its link again.');
  return { ...(await admit(ctx, link)), access };
}

/** Counts what a reviewer says. Throws `too_many_requests`. */
export function admitSaying(ctx: Timed, { link }: Reviewer): void {
  spend(bucketsIn(ctx, SAID), link.id, 'Too much was said by this link within ten minutes.');
}
