import { Type } from 'typebox';
import { defineFact } from '../../../platform/facts/index.ts';

/** What is told of a user who signs in, or whom somebody tries to be. */
const told = Type.Object({
  userId: Type.String(),
  email: Type.String(),
  /** `password`, `passkey`, `sso` or `link`. */
  by: Type.String(),
  address: Type.String(),
  userAgent: Type.String(),
  /** ISO 8601. */
  at: Type.String(),
  /** Why it failed; empty where it did not. */
  reason: Type.String(),
  /** What was proven besides the password: `code` or `recovery code`. */
  and: Type.Optional(Type.String()),
});

export const userSignedIn = defineFact({ name: 'user.signed_in', payload: told });

/** Somebody said to be this user and did not prove it. Nothing is told of addresses that are nobody's. */
export const userSignInFailed = defineFact({ name: 'user.sign_in_failed', payload: told });

/** An invitation was accepted. */
export const userJoined = defineFact({ name: 'user.joined', payload: told });

/** A password was set by a link from an email. */
export const userPasswordReset = defineFact({ name: 'user.password_reset', payload: told });

/** The user is known to the provider of single sign-on from now on. */
export const userLinked = defineFact({ name: 'user.sso_linked', payload: told });

/** The provider of single sign-on gave the user another role; the reason names both. */
export const userRoleFollowed = defineFact({ name: 'user.role_by_sso', payload: told });
