// The wire shapes that the groups of inspections have in common.
import { Type } from 'typebox';
import { UNTITLED } from '../../../engines/html/index.ts';
import { VERSION } from '../../../platform/version/index.ts';
import type { Inspection } from './store.ts';

/** What reports say made them. */
export const TOOL = { name: 'Galley', version: VERSION };

const Links = Type.Object({ self: Type.String() });
const Reference = Type.Object({ id: Type.String(), links: Links }, { title: 'InspectionReference' });

/** `{ meta: { status }, items: { id, links: { self } } }` */
export const Started = Type.Object(
  { meta: Type.Object({ status: Type.String() }), items: Reference },
  { title: 'StartedInspection' },
);

export const Deleted = Type.Object({ message: Type.String() }, { title: 'DeletedInspection' });

/** What to call it; never empty. */
export function nameView({ name }: Pick<Inspection, 'name'>): string {
  return name || UNTITLED;
}

export function startedView(inspection: Inspection, path: string) {
  return {
    meta: { status: inspection.status },
    items: { id: inspection.id, links: { self: `${path}/${inspection.id}` } },
  };
}
