import type { Db } from '../../../platform/db/index.ts';
import { AppError, messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import type { Lists } from '../../../platform/ports/index.ts';
import type { StoredSource } from '../_message/index.ts';
import { findInspections, type Inspection, type ListedKind } from '../_inspections/index.ts';
import { checkedKinds, type CheckRef, type ContentChecks } from './contract.ts';

/** An email, with the subject that it is to be sent with. */
type CheckedEmail = StoredSource & { subject: string };

/** Starts the checks that are wanted. A check that cannot start is part of the answer, never a throw. */
export async function startChecks(
  outside: Pick<Outside, 'config' | 'db' | 'jobs' | 'blobs' | 'clock' | 'log' | 'lists'>,
  accountId: string,
  { email, wanted }: { email: CheckedEmail; wanted: Record<string, boolean> },
): Promise<ContentChecks> {
  const start = async (name: string, { machine }: ListedKind): Promise<CheckRef> => {
    if (!wanted[name]) return null;
    try {
      const { id } = await machine.start(outside, accountId, email);
      return { id };
    } catch (error) {
      outside.log.error({ err: error, check: name }, 'a content check could not be started');
      return { error: `The check could not be started: ${messageOf(error)}` };
    }
  };
  const named = [...checkedKinds(outside)].filter(([name]) => wanted[name] !== undefined);
  return Object.fromEntries(
    await Promise.all(named.map(async ([name, kind]) => [name, await start(name, kind)] as const)),
  );
}

/**
 * The inspections behind the checks, by name; one that is gone is absent. Findings only when they are wanted: they may
 * be many.
 */
export async function inspectionsOf(
  db: Db,
  { accountId, checks }: { accountId: string; checks: ContentChecks },
  wanted = { findings: false },
): Promise<Map<string, Inspection>> {
  const ids = Object.entries(checks).flatMap(([, ref]) => (ref && 'id' in ref ? [ref.id] : []));
  if (ids.length === 0) return new Map();
  const found = new Map(
    (await findInspections(db, { accountId, ids }, wanted)).map((inspection) => [inspection.id, inspection]),
  );
  return new Map(
    Object.entries(checks).flatMap(([name, ref]) => {
      const inspection = ref && 'id' in ref ? found.get(ref.id) : undefined;
      return inspection ? [[name, inspection] as const] : [];
    }),
  );
}

/** The checks that are wanted and not there: never started, failed, or deleted since. */
export async function missingChecks(
  { db, lists }: { db: Db; lists: Lists },
  { wanted, ...held }: { accountId: string; checks: ContentChecks; wanted: Record<string, boolean> },
): Promise<Record<string, true>> {
  const found = await inspectionsOf(db, held);
  const isThere = (name: string): boolean => ['Processing', 'Complete'].includes(found.get(name)?.status ?? '');
  const names = [...checkedKinds({ lists }).keys()].filter((name) => wanted[name] && !isThere(name));
  return Object.fromEntries(names.map((name) => [name, true]));
}

/**
 * Deletes the inspections behind the checks; one that is gone already is none. What a kind left that is not there any
 * more is deleted when its time is over.
 */
export async function removeChecks(
  outside: Pick<Outside, 'db' | 'jobs' | 'lists'>,
  accountId: string,
  checks: ContentChecks,
): Promise<void> {
  const kinds = checkedKinds(outside);
  for (const [name, ref] of Object.entries(checks)) {
    if (!ref || !('id' in ref)) continue;
    await kinds
      .get(name)
      ?.machine.remove(outside, accountId, ref.id)
      .catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === 'not_found')) throw error;
      });
  }
}
