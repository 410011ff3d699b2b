import { AppError } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { admitStored, changeAccess, recallAccess } from '../accounts/index.ts';
import { invitationPurpose, sendInvitation } from './send-links.ts';
import { linkUrl, makeLink } from './links.ts';
import { deleteIdentities } from './identities.ts';
import { endSessionsOfUser, waysOfUser } from './ports.ts';
import * as store from './store.ts';
import type { User, UserRole } from './store.ts';
import { readEmail } from './words.ts';

interface NewUser {
  email: string;
  name: string;
  role: UserRole;
}

interface Invited {
  user: User;
  /** Stands for the person until it is used or ends. */
  token: string;
  expiresAt: Date;
}

/** A user without a password, and the link with which to choose one. Throws `conflict` for an address that is taken. */
export async function addUser(tx: Sql, accountId: string, given: NewUser & { now: Date }): Promise<Invited> {
  const { name, role, now } = given;
  const email = readEmail(given.email);
  await tx.lock(`user ${email}`);
  if (await store.findUserByEmail(tx, email)) throw isTaken(email);
  const user: User = {
    id: newId(),
    accountId,
    email,
    name: name.trim(),
    role,
    passwordHash: null,
    passwordUpdatedAt: null,
    isMaster: (await store.countUsers(tx, accountId)) === 0,
    openedIp: null,
    activatedAt: null,
    disabledAt: null,
    deletedAt: null,
    lastSignInAt: null,
    lastSignInBy: null,
    priorSignInBy: null,
    networks: [],
    mailProblem: null,
    tfaCreatedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  await store.insertUser(tx, user);
  return { user, ...(await makeLink(tx, user, { kind: 'invitation', now })) };
}

const isTaken = (email: string): AppError =>
  new AppError('conflict', `email: ${email} belongs to a user already.`, { details: { field: 'email' } });

/** A new link for who was invited before and has not come; undefined where there is nobody like that in the account. */
export async function inviteByLink(
  tx: Sql,
  { accountId, email, now }: { accountId: string; email: string; now: Date },
): Promise<Invited | undefined> {
  const user = await store.findUserByEmail(tx, readEmail(email));
  if (user?.accountId !== accountId || user.activatedAt || user.disabledAt) return undefined;
  return { user, ...(await makeLink(tx, user, { kind: 'invitation', now })) };
}

type InviteDoors = Pick<Context, 'config' | 'db' | 'clock' | 'jobs' | 'secrets' | 'principal' | 'baseUrl'>;

/** The email, in the transaction that makes the link. */
async function queueInvitation(ctx: InviteDoors, tx: Sql, { user, token, expiresAt }: Invited): Promise<void> {
  await ctx.jobs.enqueue(tx, sendInvitation, {
    payloads: [
      {
        userId: user.id,
        sealedToken: ctx.secrets.seal(token, invitationPurpose(user.id)),
        baseUrl: ctx.config.publicUrl || ctx.baseUrl,
        expiresAt: expiresAt.toISOString(),
      },
    ],
    account: user.accountId,
  });
}

export interface Invitation {
  user: User;
  url: string;
  expiresAt: Date;
}

const invitationOf = (ctx: InviteDoors, { user, token, expiresAt }: Invited): Invitation => ({
  user,
  url: linkUrl(ctx.config.publicUrl || ctx.baseUrl, token),
  expiresAt,
});

/** Makes a user who is not activated yet, and sends an invitation. */
export async function inviteUser(ctx: InviteDoors, given: NewUser): Promise<Invitation> {
  const { accountId } = ctx.principal;
  await admitStored(ctx, accountId, { quota: 'users', count: () => store.countUsers(ctx.db, accountId) });
  const invited = await ctx.db.tx(async (tx) => {
    const added = await addUser(tx, accountId, { ...given, now: ctx.clock.now() });
    await queueInvitation(ctx, tx, added);
    return added;
  });
  ctx.jobs.wake();
  return invitationOf(ctx, invited);
}

export async function getUser(ctx: Pick<Context, 'db' | 'principal'>, id: string): Promise<User> {
  const user = await store.findUser(ctx.db, ctx.principal.accountId, id);
  if (!user) throw noSuchUser();
  return user;
}

const noSuchUser = (): AppError => new AppError('not_found', 'No such user exists');

/** A new link, by email again; the one before it is worth nothing from now on. */
export async function inviteAgain(ctx: InviteDoors, id: string): Promise<Invitation> {
  const user = await getUser(ctx, id);
  if (user.activatedAt) throw new AppError('conflict', 'This user has accepted an invitation already.');
  const invited = await ctx.db.tx(async (tx) => {
    const made = { user, ...(await makeLink(tx, user, { kind: 'invitation', now: ctx.clock.now() })) };
    await queueInvitation(ctx, tx, made);
    return made;
  });
  ctx.jobs.wake();
  return invitationOf(ctx, invited);
}

interface UserChange {
  name?: string;
  role?: UserRole;
  is_disabled?: boolean;
}

/**
 * Changes of an account's users follow each other, and who was disabled meanwhile, or is no admin any more, changes
 * nobody: two admins who disable each other at the same moment would leave none. Throws `forbidden`.
 */
async function holdUsers({ principal }: Pick<Context, 'principal'>, tx: Sql): Promise<void> {
  await tx.lock(`users ${principal.accountId}`);
  if (principal.userId === undefined) return;
  const self = await store.findUserById(tx, principal.userId);
  // A key of theirs has a role of its own.
  const isAdmin = principal.keyId !== null || self?.role === 'admin';
  if (!self || self.disabledAt || !isAdmin)
    throw new AppError('forbidden', 'You were disabled, or your role was changed, by another admin meanwhile.');
}

/** Changes hold at once, in every session of the user. Keys keep their own role, and are refused while it is disabled. */
export async function changeUser(
  ctx: Pick<Context, 'db' | 'clock' | 'principal' | 'ports'>,
  id: string,
  { name, role, is_disabled: isDisabled }: UserChange,
): Promise<User> {
  const user = await getUser(ctx, id);
  const isSelf = ctx.principal.userId === id;
  if (isSelf && (isDisabled || (role !== undefined && role !== user.role)))
    throw new AppError('conflict', 'Nobody can disable themselves or change their own role; another admin can.');
  const now = ctx.clock.now();
  const disabling = isDisabled === undefined ? {} : { disabledAt: isDisabled ? (user.disabledAt ?? now) : null };
  const change = {
    ...(name !== undefined && { name: name.trim() }),
    ...(role !== undefined && { role }),
    ...disabling,
    updatedAt: now,
  };
  const changed = await changeAccess(ctx, async (tx) => {
    await holdUsers(ctx, tx);
    if (isDisabled) {
      await ctx.ports.get(endSessionsOfUser)(tx, user);
      await store.deleteLinks(tx, { userId: id, accountId: user.accountId });
    }
    return store.saveUser(tx, user, change);
  });
  if (!changed) throw noSuchUser();
  return changed;
}

/** The person is gone, with what was known of them; the id stays, so that nobody gets it again. */
export async function deleteUser(
  ctx: Pick<Context, 'db' | 'clock' | 'principal' | 'ports' | 'lists'>,
  id: string,
): Promise<void> {
  const user = await getUser(ctx, id);
  if (ctx.principal.userId === id) throw new AppError('conflict', 'Nobody can delete themselves; another admin can.');
  const now = ctx.clock.now();
  await changeAccess(ctx, async (tx) => {
    await holdUsers(ctx, tx);
    await ctx.ports.get(endSessionsOfUser)(tx, user);
    await store.deleteLinks(tx, { userId: id, accountId: user.accountId });
    await deleteIdentities(tx, user);
    for (const forget of ctx.lists.of(waysOfUser)) await forget(tx, user);
    const nothing = { email: null, name: '', passwordHash: null, networks: [], openedIp: null, mailProblem: null };
    await store.saveUser(tx, user, { ...nothing, tfaCreatedAt: null, disabledAt: now, deletedAt: now, updatedAt: now });
  });
}

/** Asked for by every request of theirs: kept for as long as nobody's access changes. Who is deleted is disabled. */
export function recallUser(outside: Pick<Outside, 'db'>, id: string): Promise<User | undefined> {
  return recallAccess(outside, `user ${id}`, () => store.findAnyUserById(outside.db, id));
}
