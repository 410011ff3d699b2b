import type { Inspection } from '../_inspections/index.ts';
import { CHECK_PATHS, type CheckName, type CheckRef, type ContentChecks } from './contract.ts';

function problem(status: string, title: string, detail: string) {
  return { errors: [{ status, title, detail }] };
}

function refView(name: CheckName, ref: CheckRef, inspection: Inspection | undefined) {
  if (ref === null) return null;
  if ('error' in ref) return problem('500', 'processing_error', ref.error);
  if (!inspection) return problem('404', 'not_found', 'This check was deleted.');
  if (inspection.status === 'Failed')
    return problem('500', 'processing_error', inspection.error ?? 'The check could not run.');
  return {
    meta: { status: inspection.status },
    items: { id: ref.id, links: { self: `${CHECK_PATHS[name]}/${ref.id}` } },
  };
}

/**
 * `{ link_validation: { items: { id, links: { self } } } | { errors } | null, … }`: all four, or none when none was
 * mentioned.
 */
export function checksView(
  checks: ContentChecks,
  inspections: ReadonlyMap<CheckName, Inspection>,
): Record<string, unknown> {
  if (Object.keys(checks).length === 0) return {};
  return Object.fromEntries(
    (Object.keys(CHECK_PATHS) as CheckName[]).map((name) => [
      name,
      refView(name, checks[name] ?? null, inspections.get(name)),
    ]),
  );
}
