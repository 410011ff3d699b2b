import type { Db } from '../../../platform/db/index.ts';
import { AppError, messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { accessibilityTests } from '../accessibility/index.ts';
import { codeAnalyses } from '../code-analysis/index.ts';
import type { StoredSource } from '../_message/index.ts';
import { imageTests } from '../images/index.ts';
import { findInspections, type Inspection, type InspectionMachine } from '../_inspections/index.ts';
import { linkTests } from '../links/index.ts';
import { CHECK_PATHS, type CheckName, type CheckRef, type ContentChecks } from './contract.ts';

/** An email, with the subject that it is to be sent with. */
type CheckedEmail = StoredSource & { subject: string };

type CheckMachine = Pick<InspectionMachine<CheckedEmail, unknown>, 'kind' | 'start' | 'remove' | 'inspect'>;

const MACHINES: Record<CheckName, CheckMachine> = {
  link_validation: linkTests,
  image_validation: imageTests,
  accessibility: accessibilityTests,
  code_analysis: codeAnalyses,
};

const entriesOf = (checks: ContentChecks): [CheckName, CheckRef][] => Object.entries(checks) as [CheckName, CheckRef][];

/** Starts the checks that are wanted. A check that cannot start is part of the answer, never a throw. */
export async function startChecks(
  outside: Outside,
  accountId: string,
  { email, wanted }: { email: CheckedEmail; wanted: Partial<Record<CheckName, boolean>> },
): Promise<ContentChecks> {
  const start = async (name: CheckName): Promise<CheckRef> => {
    if (!wanted[name]) return null;
    try {
      const { id } = await MACHINES[name].start(outside, accountId, email);
      return { id };
    } catch (error) {
      outside.log.error({ err: error, check: name }, 'a content check could not be started');
      return { error: `The check could not be started: ${messageOf(error)}` };
    }
  };
  const names = (Object.keys(CHECK_PATHS) as CheckName[]).filter((name) => wanted[name] !== undefined);
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await start(name)] as const)));
}

/**
 * The inspections behind the checks, by name; one that is gone is absent. Findings only when they are wanted: they may
 * be many.
 */
export async function inspectionsOf(
  db: Db,
  { accountId, checks }: { accountId: string; checks: ContentChecks },
  wanted = { findings: false },
): Promise<Map<CheckName, Inspection>> {
  const ids = entriesOf(checks).flatMap(([, ref]) => (ref && 'id' in ref ? [ref.id] : []));
  if (ids.length === 0) return new Map();
  const found = new Map(
    (await findInspections(db, { accountId, ids }, wanted)).map((inspection) => [inspection.id, inspection]),
  );
  return new Map(
    entriesOf(checks).flatMap(([name, ref]) => {
      const inspection = ref && 'id' in ref ? found.get(ref.id) : undefined;
      return inspection ? [[name, inspection] as const] : [];
    }),
  );
}

/** The checks that are wanted and not there: never started, failed, or deleted since. */
export async function missingChecks(
  db: Db,
  { wanted, ...held }: { accountId: string; checks: ContentChecks; wanted: Partial<Record<CheckName, boolean>> },
): Promise<Partial<Record<CheckName, true>>> {
  const found = await inspectionsOf(db, held);
  const isThere = (name: CheckName): boolean => ['Processing', 'Complete'].includes(found.get(name)?.status ?? '');
  const names = (Object.keys(CHECK_PATHS) as CheckName[]).filter((name) => wanted[name] && !isThere(name));
  return Object.fromEntries(names.map((name) => [name, true]));
}

/** Deletes the inspections behind the checks; one that is gone already is none. */
export async function removeChecks(outside: Outside, accountId: string, checks: ContentChecks): Promise<void> {
  for (const [name, ref] of entriesOf(checks)) {
    if (!ref || !('id' in ref)) continue;
    await MACHINES[name].remove(outside, accountId, ref.id).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'not_found')) throw error;
    });
  }
}
