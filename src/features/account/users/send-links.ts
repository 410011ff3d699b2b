// The jobs that send links by email.
import { Type } from 'typebox';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import { findAccount } from '../accounts/index.ts';
import { linkUrl, makeLink } from './links.ts';
import { sendLetter } from './mail.ts';
import * as store from './store.ts';
import type { LinkKind, User } from './store.ts';

interface Sending {
  user: User & { email: string };
  kind: LinkKind;
  url: string;
  expiresAt: Date;
}

/** Sends a letter and keeps why it did not arrive. Throws where another try may help. */
async function send(
  outside: Pick<Outside, 'config' | 'db' | 'clock' | 'mailer'>,
  { user, kind, url, expiresAt }: Sending,
  { signal, isLast }: { signal: AbortSignal; isLast: boolean },
): Promise<void> {
  const account = await findAccount(outside.db, user.accountId);
  const { email: to, name } = user;
  const accountName = account?.name ?? 'Galley';
  const failed = await sendLetter(outside, { kind, to, name, accountName, url, expiresAt }, signal);
  await outside.db.tx((tx) => store.saveUser(tx, user, { mailProblem: failed?.problem ?? null }));
  if (failed && !failed.isFinal && !isLast) throw new Error(failed.problem);
}

const withEmail = (user: User | undefined): (User & { email: string }) | undefined =>
  user?.email ? { ...user, email: user.email } : undefined;

/** Sends an invitation, the link of which is sealed until then. */
export const sendInvitation = defineJob({
  name: 'users.send-invitation',
  payload: Type.Object({
    userId: Type.String(),
    sealedToken: Type.String(),
    baseUrl: Type.String(),
    expiresAt: Type.String(),
  }),
  lane: 'net',
  attempts: 5,
  timeoutMs: 400_000,
  async run(outside, { userId, sealedToken, baseUrl, expiresAt }, turn) {
    const user = withEmail(await store.findUserById(outside.db, userId));
    if (!user || user.activatedAt || user.disabledAt) return;
    const url = linkUrl(baseUrl, outside.secrets.open(sealedToken, invitationPurpose(userId)));
    await send(outside, { user, kind: 'invitation', url, expiresAt: new Date(expiresAt) }, turn);
  },
});

export const invitationPurpose = (userId: string): string => `user-invitation:${userId}`;

/** Sends a link for a new password, if the address is a user's. Every try makes a new link. */
export const sendReset = defineJob({
  name: 'users.send-reset',
  payload: Type.Object({ email: Type.String() }),
  lane: 'net',
  sameAs: ({ email }) => email,
  attempts: 3,
  timeoutMs: 400_000,
  async run(outside, { email }, turn) {
    const user = withEmail(await store.findUserByEmail(outside.db, email));
    if (!user?.activatedAt || user.disabledAt) return;
    const now = outside.clock.now();
    const { token, expiresAt } = await outside.db.tx((tx) => makeLink(tx, user, { kind: 'reset', now }));
    await send(outside, { user, kind: 'reset', url: linkUrl(outside.config.publicUrl, token), expiresAt }, turn);
  },
});
