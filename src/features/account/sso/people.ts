// Whom the provider means.
import type { OidcConfig } from '../../../platform/config/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import type { Claims } from '../../../platform/oidc/index.ts';
import { findFirstAccount } from '../accounts/index.ts';
import { findIdentity, findUserByEmail, hasIdentity, normalEmail, recallUser, type User } from '../users/index.ts';

type UserRole = User['role'];

export interface Person {
  accountId: string;
  /** Undefined for who is to be made. */
  user?: User;
  /** Why they may not come in: for the audit log, and for them. */
  refusal?: string;
  words?: string;
}

/** The role that groups give; undefined where roles are given by admins, null where none of the groups has one. */
export function roleFrom({ roles }: OidcConfig, { groups }: Claims): UserRole | null | undefined {
  if (roles.length === 0) return undefined;
  return roles.find(({ value }) => groups.includes(value))?.role ?? null;
}

const refused = (refusal: string, words: string, user?: User): Person => ({
  accountId: user?.accountId ?? '',
  ...(user && { user }),
  refusal,
  words,
});

const isDisabled = (user: User): Person =>
  refused('disabled', 'this user is disabled. An admin of the account can enable it.', user);

/** The user, or who is to be made; a refusal where there is no way in. */
export async function findPerson({ db }: Pick<Context, 'db'>, oidc: OidcConfig, claims: Claims): Promise<Person> {
  const { issuer, name } = oidc;
  const identity = await findIdentity(db, { issuer, subject: claims.subject });
  const known = identity && (await recallUser({ db }, identity.userId));
  if (known) return known.disabledAt ? isDisabled(known) : { accountId: known.accountId, user: known };
  if (claims.email === '') return refused('', `the provider of ${name} does not tell your email address.`);
  if (!claims.isEmailVerified)
    return refused('', `the provider of ${name} does not say that ${claims.email.slice(0, 320)} is verified.`);
  const email = normalEmail(claims.email);
  const user = await findUserByEmail(db, email);
  if (user?.disabledAt) return isDisabled(user);
  if (user && (await hasIdentity(db, user, issuer)))
    return refused(
      'linked with another person of the provider',
      `the user ${email} belongs to another person at the provider of ${name}. An admin can delete and invite it again.`,
      user,
    );
  if (user) return { accountId: user.accountId, user };
  const account = oidc.createdRole === undefined ? undefined : await findFirstAccount(db);
  if (!account) return refused('', `there is no user with the address ${email}. An admin can invite you.`);
  return { accountId: account.id };
}
