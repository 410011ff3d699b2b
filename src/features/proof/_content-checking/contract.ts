// The content checks of an email, by the fields that a request names them with: every kind of inspection that declares
// one.
import { Type } from 'typebox';
import type { Lists } from '../../../platform/ports/index.ts';
import { inspectionKinds, type ListedKind } from '../_inspections/index.ts';
import { Nullable } from '../_message/index.ts';

/** What became of one check: running or done under this id, not started for this reason, or not wanted. */
export type CheckRef = { id: string } | { error: string } | null;
/** By field. */
export type ContentChecks = Record<string, CheckRef>;

/** The kinds by their fields, in the order of answers. Throws when two have one field. */
export function checkedKinds({ lists }: { lists: Lists }): ReadonlyMap<string, ListedKind> {
  const fields = lists
    .of(inspectionKinds)
    .flatMap((kind) => (kind.contentChecking ? [{ ...kind.contentChecking, kind }] : []))
    .toSorted((a, b) => a.order - b.order);
  const kinds = new Map(fields.map(({ field, kind }) => [field, kind]));
  if (kinds.size < fields.length) throw new Error('Two kinds of inspections have one field of content_checking.');
  return kinds;
}

const Wanted = Type.Optional(Nullable(Type.Boolean()));

/** The fields of a request that asks for checks. */
export function checkFields(lists: Lists): Record<string, typeof Wanted> {
  return Object.fromEntries([...checkedKinds({ lists }).keys()].map((field) => [field, Wanted]));
}
