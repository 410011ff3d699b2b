// `galley users`: invite and list users, and let in again who lost a device, on the database itself. With the embedded
// database Galley must not be running. Invitations are printed here instead of sent.
import { readConfig, type Config } from '../../platform/config/index.ts';
import { systemClock } from '../../platform/clock/index.ts';
import { openDataDir } from '../../platform/data-dir/index.ts';
import type { Db } from '../../platform/db/index.ts';
import { findFirstAccount } from '../../features/account/accounts/index.ts';
import {
  addUser,
  findUserByEmail,
  inviteByLink,
  linkUrl,
  listUsers,
  normalEmail,
  USER_ROLES,
  type UserRole,
} from '../../features/account/users/index.ts';
import { resetAsOperator } from '../../features/account/passkeys/index.ts';
import { AppError } from '../../platform/errors/index.ts';
import { openMigratedDatabase } from '../outside.ts';
import { readArguments, suggestionFor, UsageError } from './usage.ts';

const VERBS = ['list', 'invite', 'reset'];
const USERS_MAX = 1000;
const USAGE = `galley users list | invite EMAIL | reset EMAIL [options]

  --account ID   with list and invite: whose users; default: the first account's
  --role NAME    with invite: admin (default), developer, support, billing or basic
  --name TEXT    with invite: the person's name

invite prints a link with which the person chooses a password; it works once, for seven days. For a user who has not
followed one yet, it prints a new one. GALLEY_PUBLIC_URL says where the link leads.
reset turns the second factor of a user of any account off, deletes all passkeys, and ends every session: for who lost
the device. The password stays as it is, and signs in without a code. The audit log has it.

Works on the database itself: with the embedded one, Galley must not be running.
Exit codes: 0 done, 1 failed, 2 wrong usage.`;

interface Given {
  verb: string;
  email: string | undefined;
  role: UserRole;
  name: string;
  account: string | undefined;
}

/** Undefined: what was asked for is the help. Throws {@link UsageError}. */
function readGiven(args: string[]): Given | undefined {
  const { values, positionals } = readArguments('users', args, {
    role: { type: 'string' },
    name: { type: 'string' },
    account: { type: 'string' },
  });
  if (values.help) return undefined;
  const [verb, email, ...more] = positionals;
  if (verb === undefined) throw new UsageError(USAGE);
  if (!VERBS.includes(verb))
    throw new UsageError(`Unknown command "users ${verb}".${suggestionFor(verb, VERBS)}\n\n${USAGE}`);
  if (verb !== 'list' && email === undefined) throw new UsageError(`Name the email address of the user to ${verb}.`);
  if (more.length > 0 || (verb === 'list' && email !== undefined))
    throw new UsageError(
      `galley users ${verb} takes ${verb === 'list' ? 'no arguments' : 'one email address'}; ` +
        `"${[...(verb === 'list' ? [email] : []), ...more].join(' ')}" is too much.`,
    );
  const strange = (['role', 'name'] as const).find((option) => verb !== 'invite' && values[option] !== undefined);
  if (strange !== undefined) throw new UsageError(`--${strange} goes with \`galley users invite\` only.`);
  if (verb === 'reset' && values.account !== undefined)
    throw new UsageError(
      '--account does not go with `galley users reset`: an address belongs to one user of them all.',
    );
  const { role = 'admin', name = '', account } = values;
  if (!(USER_ROLES as readonly string[]).includes(role))
    throw new UsageError(`--role must be one of ${USER_ROLES.join(', ')}; it is "${role}".`);
  return { verb, email, role: role as UserRole, name, account };
}

async function invite(db: Db, config: Config, given: Given & { accountId: string; email: string }): Promise<void> {
  const now = systemClock.now();
  const { accountId, email, name, role } = given;
  const { user, token, expiresAt } = await db.tx(
    async (tx) =>
      (await inviteByLink(tx, { accountId, email, now })) ?? (await addUser(tx, accountId, { email, name, role, now })),
  );
  const base = config.publicUrl || `http://localhost:${config.port}`;
  process.stdout.write(`${linkUrl(base, token)}\n`);
  process.stderr.write(
    `${user.email} (${user.role}) is invited. The link works once, until ${expiresAt.toISOString()}; it will not be ` +
      'shown again.\n',
  );
}

async function list(db: Db, accountId: string): Promise<void> {
  const { items } = await listUsers(db, accountId, { role: undefined, limit: USERS_MAX, skip: 0 });
  for (const user of items) {
    const state = user.disabledAt ? 'disabled' : user.activatedAt ? 'active' : 'invited';
    process.stdout.write(`${user.id}  ${user.role.padEnd(9)}  ${state.padEnd(8)}  ${user.email}  ${user.name}\n`);
  }
}

/** Throws `not_found`. */
async function reset(db: Db, email: string): Promise<void> {
  const user = await findUserByEmail(db, normalEmail(email));
  if (!user || user.deletedAt) throw new AppError('not_found', `There is no user with the address ${email}.`);
  const { hadFactor, passkeys } = await resetAsOperator({ db, clock: systemClock }, user);
  const factor = hadFactor ? 'The second factor is off' : 'There was no second factor';
  const keys = passkeys === 1 ? 'one passkey is deleted' : `${passkeys === 0 ? 'no' : passkeys} passkeys are deleted`;
  process.stdout.write(`${user.email}: ${factor}, ${keys}, and every session is ended. The password is as it was.\n`);
}

/** Prints what it did; the link of an invitation once. Exit code 0, or throws {@link UsageError}. */
export async function users(args: string[]): Promise<number> {
  const given = readGiven(args);
  if (!given) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const config = readConfig(process.env);
  process.umask(0o077);
  const warning = await openDataDir(config.dataDir);
  if (warning !== undefined) process.stderr.write(`${warning}\n`);
  const db = await openMigratedDatabase(config);
  try {
    if (given.verb === 'reset') {
      await reset(db, given.email as string);
      return 0;
    }
    const accountId = given.account ?? (await findFirstAccount(db))?.id;
    if (!accountId) throw new UsageError('No account exists yet. Start Galley once to create it.');
    if (given.verb === 'invite') await invite(db, config, { ...given, accountId, email: given.email as string });
    else await list(db, accountId);
    return 0;
  } finally {
    await db.close();
  }
}
