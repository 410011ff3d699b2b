import type { Sql } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { canonicalNetwork } from '../../../platform/fetch/index.ts';
import { changeAccess } from '../accounts/index.ts';
import { admits } from './admit.ts';
import * as store from './store.ts';
import type { AllowlistEntry } from './store.ts';

/** Every request of the account is compared with each of them. */
const ENTRIES_MAX = 500;

type Doors = Pick<Context, 'db' | 'clock' | 'principal' | 'address'>;

const wrong = (message: string): AppError =>
  new AppError('invalid_request', message, { details: { field: 'address' } });

/** The one spelling of what was given. Throws `invalid_request`. */
function readNetwork(given: unknown): string {
  if (given === undefined || given === '') throw wrong('IP address can not be blank');
  const network = typeof given === 'string' ? canonicalNetwork(given.trim()) : undefined;
  if (network === undefined) {
    const shown = typeof given === 'string' ? given.slice(0, 100) : 'what was given twice';
    throw wrong(
      `Invalid IP Address or CIDR: "${shown}". Give an address such as 203.0.113.7, or a network without bits beyond ` +
        'its length, such as 203.0.113.0/24 or 2001:db8::/32.',
    );
  }
  return network;
}

/** Changes the list of an account, one at a time, and answers what it is then. */
async function change(
  { db }: Pick<Outside, 'db'>,
  accountId: string,
  work: (tx: Sql, before: AllowlistEntry[]) => Promise<void>,
): Promise<AllowlistEntry[]> {
  return changeAccess({ db }, async (tx) => {
    await tx.lock(`ip allowlist ${accountId}`);
    await work(tx, await store.listAllowlist(tx, accountId));
    return store.listAllowlist(tx, accountId);
  });
}

/** Throws `invalid_request` for a list that would not let its account in from where the caller is. */
function checkCaller(entries: readonly Pick<AllowlistEntry, 'address'>[], address: string): void {
  if (admits(entries, address)) return;
  throw wrong(
    `You call from ${address}, which the list would not contain: nobody at your address could use the account any ` +
      'more, you included. Add your own address, or a network that contains it, first.',
  );
}

/** Throws `invalid_request` for an address that is none, and for a list that would lock its caller out. */
export function addEntry(
  { db, clock, principal, address: caller }: Doors,
  { address, description }: { address?: unknown; description: string },
): Promise<AllowlistEntry[]> {
  const network = readNetwork(address);
  const createdAt = clock.now();
  return change({ db }, principal.accountId, async (tx, before) => {
    if (before.length >= ENTRIES_MAX && !before.some((entry) => entry.address === network))
      throw wrong(`The IP allowlist has ${ENTRIES_MAX} entries, which is as many as it may have; delete one first.`);
    checkCaller([...before, { address: network }], caller);
    await store.putEntry(tx, principal.accountId, { address: network, description, createdAt });
  });
}

const missing = (): AppError => wrong('IP not found');

/** Throws `invalid_request` for an address that is not in the list. */
export function updateEntry(
  { db, principal }: Doors,
  { address, description }: { address: unknown; description: string | undefined },
): Promise<AllowlistEntry[]> {
  const network = readNetwork(address);
  return change({ db }, principal.accountId, async (tx, before) => {
    const entry = before.find((one) => one.address === network);
    if (!entry) throw missing();
    await store.describeEntry(tx, principal.accountId, {
      address: network,
      description: description ?? entry.description,
    });
  });
}

/** Throws `invalid_request` for what is not in the list, and for what its caller needs while others stay. */
export function deleteEntry({ db, principal, address: caller }: Doors, address: unknown): Promise<AllowlistEntry[]> {
  const network = readNetwork(address);
  return change({ db }, principal.accountId, async (tx, before) => {
    const rest = before.filter((entry) => entry.address !== network);
    if (rest.length === before.length) throw missing();
    checkCaller(rest, caller);
    await store.deleteEntries(tx, principal.accountId, network);
  });
}

/** What the operator of the machine does: nobody is locked out of the machine. Without an address, all entries go. */
export function changeAsOperator(
  outside: Pick<Outside, 'db' | 'clock'>,
  accountId: string,
  { add, remove }: { add?: AllowlistEntry; remove?: string | 'all' },
): Promise<AllowlistEntry[]> {
  const createdAt = outside.clock.now();
  return change(outside, accountId, async (tx) => {
    if (add) await store.putEntry(tx, accountId, { ...add, address: readNetwork(add.address), createdAt });
    if (remove === undefined) return;
    const network = remove === 'all' ? undefined : readNetwork(remove);
    if ((await store.deleteEntries(tx, accountId, network)) === 0 && network !== undefined) throw missing();
  });
}
