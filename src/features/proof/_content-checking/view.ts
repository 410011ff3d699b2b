import type { Lists } from '../../../platform/ports/index.ts';
import type { Inspection } from '../_inspections/index.ts';
import { checkedKinds, type CheckRef, type ContentChecks } from './contract.ts';

function problem(status: string, title: string, detail: string) {
  return { errors: [{ status, title, detail }] };
}

function refView(path: string, ref: CheckRef, inspection: Inspection | undefined) {
  if (ref === null) return null;
  if ('error' in ref) return problem('500', 'processing_error', ref.error);
  if (!inspection) return problem('404', 'not_found', 'This check was deleted.');
  if (inspection.status === 'Failed')
    return problem('500', 'processing_error', inspection.error ?? 'The check could not run.');
  return {
    meta: { status: inspection.status },
    items: { id: ref.id, links: { self: `${path}/${ref.id}` } },
  };
}

/**
 * `{ link_validation: { items: { id, links: { self } } } | { errors } | null, … }`: all checks that there are, or none
 * when none was mentioned.
 */
export function checksView(
  lists: Lists,
  checks: ContentChecks,
  inspections: ReadonlyMap<string, Inspection>,
): Record<string, unknown> {
  if (Object.keys(checks).length === 0) return {};
  return Object.fromEntries(
    [...checkedKinds({ lists })].map(([name, { path }]) => [
      name,
      refView(path, checks[name] ?? null, inspections.get(name)),
    ]),
  );
}
