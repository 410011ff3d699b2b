// The user whom the provider vouches for, made or linked where this is the first time.
import type { OidcConfig } from '../../../platform/config/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import type { Claims } from '../../../platform/oidc/index.ts';
import { admitStored, changeAccess } from '../accounts/index.ts';
import {
  addUser,
  countUsers,
  findIdentity,
  findUser,
  insertIdentity,
  saveUser,
  toldOf,
  userJoined,
  userLinked,
  userRoleFollowed,
  type User,
} from '../users/index.ts';
import { notBegunHere } from './flow.ts';
import { roleFrom, type Person } from './people.ts';

type LinkDoors = Pick<Context, 'config' | 'db' | 'clock' | 'facts' | 'address' | 'headers'>;

interface Linking {
  claims: Claims;
  oidc: OidcConfig;
  /** In the transaction: that this sign-in was not used before. */
  use(tx: Sql): Promise<void>;
}

/** Links, or makes and links. */
async function linkFirst(
  ctx: LinkDoors,
  tx: Sql,
  { person, claims, oidc, now }: { person: Person; claims: Claims; oidc: OidcConfig; now: Date },
): Promise<User> {
  const { email, name, subject } = claims;
  const role = roleFrom(oidc, claims) ?? oidc.createdRole ?? 'basic';
  const user = person.user ?? (await addUser(tx, person.accountId, { email, name, role, now })).user;
  const { issuer } = oidc;
  const { id: userId, accountId } = user;
  const identity = { issuer, subject, userId, accountId, email: user.email ?? '', createdAt: now };
  // Somebody else with the same address was faster.
  if (!(await insertIdentity(tx, identity))) throw notBegunHere();
  const told = toldOf(ctx, user, { by: 'sso', at: now });
  if (user.activatedAt === null) await ctx.facts.tell(tx, userJoined, told);
  await ctx.facts.tell(tx, userLinked, told);
  return user;
}

/** The user as they are from now on, with the role that the provider's groups give. Throws `unauthorized`. */
export async function linkPerson(ctx: LinkDoors, person: Person, { claims, oidc, use }: Linking): Promise<User> {
  const { accountId } = person;
  const now = ctx.clock.now();
  const { issuer } = oidc;
  const { subject } = claims;
  if (!person.user) await admitStored(ctx, accountId, { quota: 'users', count: () => countUsers(ctx.db, accountId) });
  return changeAccess(ctx, async (tx) => {
    await tx.lock(`sso ${issuer} ${subject}`);
    await use(tx);
    // Whoever comes twice at the same time is linked once.
    const identity = await findIdentity(tx, { issuer, subject });
    const linked = identity && (await findUser(tx, identity.accountId, identity.userId));
    const user = linked ?? (await linkFirst(ctx, tx, { person, claims, oidc, now }));
    const role = roleFrom(oidc, claims) ?? user.role;
    if (role === user.role) return user;
    const reason = `${user.role} became ${role}`;
    await ctx.facts.tell(tx, userRoleFollowed, toldOf(ctx, user, { by: 'sso', at: now, reason }));
    return (await saveUser(tx, user, { role, updatedAt: now })) ?? user;
  });
}
