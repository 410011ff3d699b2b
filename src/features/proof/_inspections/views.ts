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

/** Absolute addresses only: clients parse each; a page that is not there is left out. */
export const Paging = Type.Object(
  {
    first: Type.Optional(Type.String()),
    last: Type.Optional(Type.String()),
    next: Type.Optional(Type.String()),
    previous: Type.Optional(Type.String()),
  },
  { title: 'Paging' },
);

export const pageFields = {
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
  skip: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
};

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

/** The addresses of the pages around this one. */
export function pagingView(url: string, page: { limit: number; skip: number }, total: number) {
  const at = (skip: number): string => {
    const address = new URL(url);
    address.searchParams.set('limit', String(page.limit));
    address.searchParams.set('skip', String(skip));
    return address.href;
  };
  const last = Math.max(0, Math.ceil(total / page.limit) - 1) * page.limit;
  return {
    first: at(0),
    last: at(last),
    ...(page.skip + page.limit < total && { next: at(page.skip + page.limit) }),
    ...(page.skip > 0 && { previous: at(Math.max(0, page.skip - page.limit)) }),
  };
}
