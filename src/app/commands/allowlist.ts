// `galley allowlist`: the addresses from which an account is used, on the database itself: for whoever is locked out.
// With the embedded database Galley must not be running.
import { readConfig } from '../../platform/config/index.ts';
import { systemClock } from '../../platform/clock/index.ts';
import { openDataDir } from '../../platform/data-dir/index.ts';
import { findAccount, findFirstAccount } from '../../features/account/accounts/index.ts';
import { changeAsOperator, listAllowlist } from '../../features/account/ip-allowlist/index.ts';
import { openMigratedDatabase } from '../outside.ts';
import { readArguments, suggestionFor, UsageError } from './usage.ts';

const VERBS = ['list', 'add', 'remove', 'clear'];
const USAGE = `galley allowlist list | add ADDRESS | remove ADDRESS | clear [options]

  --account ID        whose list; default: the first account's
  --description TEXT  with add: what the address is

ADDRESS is an IPv4 or IPv6 address, or a network such as 203.0.113.0/24. While a list has entries, the account and its
subaccounts are used from these addresses only; clear deletes all entries, and opens the account to every address.
Works on the database itself: with the embedded one, Galley must not be running.
Exit codes: 0 done, 1 failed, 2 wrong usage.`;

function readGiven(args: string[]) {
  const { values, positionals } = readArguments('allowlist', args, {
    account: { type: 'string' },
    description: { type: 'string' },
  });
  if (values.help) return undefined;
  const [verb, address, ...more] = positionals;
  if (verb === undefined) throw new UsageError(USAGE);
  if (!VERBS.includes(verb))
    throw new UsageError(`Unknown command "allowlist ${verb}".${suggestionFor(verb, VERBS)}\n\n${USAGE}`);
  const takesAddress = verb === 'add' || verb === 'remove';
  if (takesAddress === (address === undefined) || more.length > 0)
    throw new UsageError(`galley allowlist ${verb} takes ${takesAddress ? 'one address' : 'no arguments'}.`);
  if (values.description !== undefined && verb !== 'add') throw new UsageError('--description goes with add alone.');
  return { verb, address: address ?? '', account: values.account, description: values.description ?? '' };
}

/** Returns the exit code; throws {@link UsageError}. */
export async function allowlist(args: string[]): Promise<number> {
  const given = readGiven(args);
  if (!given) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const { verb, address, description } = given;
  const config = readConfig(process.env);
  process.umask(0o077);
  const warning = await openDataDir(config.dataDir);
  if (warning !== undefined) process.stderr.write(`${warning}\n`);
  const db = await openMigratedDatabase(config);
  try {
    const account = given.account === undefined ? await findFirstAccount(db) : await findAccount(db, given.account);
    if (!account)
      throw new UsageError(
        given.account === undefined
          ? 'No account exists yet. Start Galley once to create it.'
          : `There is no account ${given.account}.`,
      );
    const outside = { db, clock: systemClock };
    if (verb === 'add') await changeAsOperator(outside, account.id, { add: { address, description } });
    if (verb === 'remove') await changeAsOperator(outside, account.id, { remove: address });
    if (verb === 'clear') await changeAsOperator(outside, account.id, { remove: 'all' });
    const entries = await listAllowlist(db, account.id);
    for (const entry of entries) process.stdout.write(`${entry.address.padEnd(43)}  ${entry.description}\n`);
    if (entries.length === 0) process.stderr.write('The list is empty: the account is used from every address.\n');
    return 0;
  } finally {
    await db.close();
  }
}
