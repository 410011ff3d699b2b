// What is watched: other features add to it and take away.
import type { Sql } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { admitStored } from '../../account/accounts/index.ts';
import { sweeping } from './names.ts';
import * as store from './store.ts';
import { listedOf, type listedView } from './views.ts';

type ListedView = ReturnType<typeof listedView>;

/**
 * Throws `too_many_requests` when the account watches as much as it may; `waiting` counts what is not watched yet and
 * takes a place, too.
 */
export function admitWatched(
  doors: Pick<Outside, 'db' | 'config'>,
  accountId: string,
  waiting: () => Promise<number> = async () => 0,
): Promise<void> {
  return admitStored(doors, accountId, {
    quota: 'watched',
    count: async () => (await store.countTargets(doors.db, accountId)) + (await waiting()),
  });
}

/**
 * Begins to watch, in the transaction of what wants it watched, and asks the lists soon. False: it is watched already.
 * Call `jobs.wake()` after its commit.
 */
export async function watch(
  { clock, jobs }: Pick<Outside, 'clock' | 'jobs'>,
  tx: Sql,
  { accountId, kind, name, parent = '' }: store.Watched & { accountId: string },
): Promise<boolean> {
  const now = clock.now();
  const target = {
    id: newId(),
    kind,
    name,
    parent,
    createdAt: now,
    checkedAt: null,
    dueAt: now,
    nextAt: now,
    result: {},
  };
  if (!(await store.insertTarget(tx, accountId, target))) return false;
  await jobs.enqueue(tx, sweeping, { payloads: [{}], account: accountId });
  return true;
}

/** Ends it, and forgets its listings; the history stays. With a domain go its email addresses. */
export async function unwatch(doors: { db: Sql }, accountId: string, watched: store.Watched): Promise<boolean> {
  if (watched.kind === 'domain') await store.deleteParts(doors.db, accountId, watched.name);
  return store.deleteTarget(doors.db, accountId, watched);
}

/** Listings that are certain, by kind and name (`ip4 192.0.2.1`). */
export async function listingsOf(
  doors: Pick<Outside, 'db' | 'config'>,
  accountIds: readonly string[],
  { kinds, limit, name }: { kinds: readonly ('ip4' | 'ip6')[]; limit: number; name?: string },
): Promise<Map<string, ListedView[]>> {
  const targets = await store.listTargets(doors.db, accountIds, { kinds, limit, name });
  const listings = Map.groupBy(
    await store.listListings(
      doors.db,
      targets.map(({ id }) => id),
    ),
    ({ targetId }) => targetId,
  );
  return new Map(targets.map((target) => [target.name, listedOf(doors, listings.get(target.id) ?? [])]));
}

/** The domain that an account watches. Throws `not_found`. */
export async function getDomainTarget(db: Outside['db'], accountId: string, name: string): Promise<store.Target> {
  const target = await store.findTarget(db, accountId, { kind: 'domain', name: name.trim().toLowerCase() });
  if (!target)
    throw new AppError(
      'not_found',
      `The domain ${name.slice(0, 100)} is not watched; add it to /v1/optimize/domains and verify it.`,
    );
  return target;
}
