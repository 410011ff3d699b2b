// Links that stand for a person: whoever has the email has the address. 256 random bits, kept as a digest, used once.
import { createHash } from 'node:crypto';
import type { Sql } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { randomText } from '../../../platform/ids/index.ts';
import { DAY_MS } from '../../../platform/times/index.ts';
import * as store from './store.ts';
import type { LinkKind, User, UserLink } from './store.ts';

const TOKEN_BYTES = 32;
const LIFE_MS: Readonly<Record<LinkKind, number>> = { invitation: 7 * DAY_MS, reset: 3_600_000 };

export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Makes a link; the ones of its kind before it are worth nothing from now on. */
export async function makeLink(
  tx: Sql,
  user: Pick<User, 'id' | 'accountId'>,
  { kind, now }: { kind: LinkKind; now: Date },
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomText(TOKEN_BYTES);
  const expiresAt = new Date(now.getTime() + LIFE_MS[kind]);
  const { id: userId, accountId } = user;
  await store.insertLink(tx, { digest: digestOf(token), userId, accountId, kind, createdAt: now, expiresAt });
  return { token, expiresAt };
}

/** The page that takes the token: behind the `#`, so that no log and no referrer has it. */
export function linkUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/welcome#${token}`;
}

const NO_LINK = 'This link has expired, was used already, or was replaced by a newer one.';

/** Whose it is. Throws `expired`, with one answer for every link that is worth nothing. */
export async function getLink(
  { db, clock }: Pick<Outside, 'db' | 'clock'>,
  token: string,
): Promise<{ link: UserLink; user: User & { email: string } }> {
  const link = await store.findLink(db, digestOf(token));
  const user = link && (await store.findUserById(db, link.userId));
  const { email } = user ?? {};
  if (!link || !user || !email || user.disabledAt || link.expiresAt <= clock.now()) throw noLink();
  // Who came in another way has accepted: whoever sent the invitation knows its link, and must not become them.
  if (link.kind === 'invitation' && user.activatedAt) throw noLink();
  return { link, user: { ...user, email } };
}

export const noLink = (): AppError => new AppError('expired', NO_LINK);
