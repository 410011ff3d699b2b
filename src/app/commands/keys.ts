// `galley keys`: create, list and revoke API keys, on the database itself. With the embedded database Galley must not
// be running.
import { readConfig } from '../../platform/config/index.ts';
import { systemClock } from '../../platform/clock/index.ts';
import { openDataDir } from '../../platform/data-dir/index.ts';
import { findFirstAccount } from '../../features/account/accounts/index.ts';
import { ROLES } from '../../platform/http/index.ts';
import { daysAfter } from '../../platform/times/index.ts';
import { createKey, listKeys, revokeKey, type KeyRole } from '../../features/account/keys/index.ts';
import { openMigratedDatabase } from '../outside.ts';
import { readArguments, suggestionFor, UsageError } from './usage.ts';

const DAYS_MAX = 3650;
const VERBS = ['list', 'create', 'revoke'];
const USAGE = `galley keys list | create | revoke ID [options]

  --account ID        whose keys; default: the first account's
  --role NAME         with create: admin (default), developer, support, basic or sending
  --description TEXT  with create: what the key is for
  --expires-days N    with create: days until it ends; default: never

Works on the database itself: with the embedded one, Galley must not be running.
Exit codes: 0 done, 1 failed, 2 wrong usage.`;

function day(date: Date | null): string {
  return date ? date.toISOString().slice(0, 16).replace('T', ' ') : '–';
}

interface Given {
  verb: string;
  id: string | undefined;
  role: KeyRole;
  description: string;
  /** 0: it never ends. */
  days: number;
  account: string | undefined;
}

/** Undefined: what was asked for is the help. Throws {@link UsageError}. */
function readGiven(args: string[]): Given | undefined {
  const { values, positionals } = readArguments('keys', args, {
    role: { type: 'string' },
    description: { type: 'string' },
    'expires-days': { type: 'string' },
    account: { type: 'string' },
  });
  if (values.help) return undefined;
  const [verb, id, ...more] = positionals;
  if (verb === undefined) throw new UsageError(USAGE);
  if (!VERBS.includes(verb))
    throw new UsageError(`Unknown command "keys ${verb}".${suggestionFor(verb, VERBS)}\n\n${USAGE}`);
  if (verb === 'revoke' && id === undefined)
    throw new UsageError('Name the id of the key to revoke; `galley keys list` shows them.');
  if (more.length > 0 || (verb !== 'revoke' && id !== undefined))
    throw new UsageError(
      `galley keys ${verb} takes ${verb === 'revoke' ? 'one id' : 'no arguments'}; ` +
        `"${[...(verb === 'revoke' ? [] : [id]), ...more].join(' ')}" is too much.`,
    );
  const strange = (['role', 'description', 'expires-days'] as const).find(
    (name) => verb !== 'create' && values[name] !== undefined,
  );
  if (strange !== undefined) throw new UsageError(`--${strange} goes with \`galley keys create\` only.`);
  const { role = 'admin', description = '' } = values;
  if (!(ROLES as readonly string[]).includes(role))
    throw new UsageError(`--role must be one of ${ROLES.join(', ')}; it is "${role}".`);
  const days = Number(values['expires-days'] ?? 0);
  if (values['expires-days'] !== undefined && !(/^\d+$/.test(values['expires-days']) && days >= 1 && days <= DAYS_MAX))
    throw new UsageError(
      `--expires-days must be a whole number from 1 to ${DAYS_MAX}; it is "${values['expires-days']}".`,
    );
  return { verb, id, role: role as KeyRole, description, days, account: values.account };
}

/** Prints what it did; the secret of a new key once. Exit code 0, or throws {@link UsageError}. */
export async function keys(args: string[]): Promise<number> {
  const given = readGiven(args);
  if (!given) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const { verb, id, role, description, days } = given;
  const config = readConfig(process.env);
  process.umask(0o077);
  const warning = await openDataDir(config.dataDir);
  if (warning !== undefined) process.stderr.write(`${warning}\n`);
  const db = await openMigratedDatabase(config);
  try {
    const accountId = given.account ?? (await findFirstAccount(db))?.id;
    if (!accountId) throw new UsageError('No account exists yet. Start Galley once to create it.');
    if (verb === 'create') {
      const now = systemClock.now();
      const { key, secret } = await createKey(db, now, {
        accountId,
        role,
        description,
        expiresAt: days ? daysAfter(now, days) : null,
      });
      process.stdout.write(`${secret}\n`);
      process.stderr.write(`Key ${key.id} (${key.role}) was created. It will not be shown again.\n`);
    } else if (verb === 'revoke') {
      await revokeKey({ db, clock: systemClock }, accountId, id as string);
      process.stdout.write(`Key ${id} is revoked.\n`);
    } else {
      for (const key of await listKeys(db, accountId))
        process.stdout.write(
          `${key.id}  ${key.role.padEnd(9)}  expires ${day(key.expiresAt)} ` +
            ` last used ${day(key.lastUsedAt)}  ${key.description}\n`,
        );
    }
    return 0;
  } finally {
    await db.close();
  }
}
