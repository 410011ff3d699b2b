// The feature of a kind of inspection, from what the kind declares.
import { defineFeature, type Feature, type Outside } from '../../../platform/feature/index.ts';
import type { StoredSource } from '../_message/index.ts';
import type { InspectionMachine } from './machine.ts';
import { listKind } from './kinds.ts';
import { standardEndpoints } from './standard.ts';

type Own = Partial<Pick<Feature, 'name' | 'endpoints' | 'jobs' | 'migrations'>>;

/**
 * The feature of a kind. One without endpoints of its own is started on an email, listed, shown and deleted as every
 * other; its declaration then says what these show.
 */
export function inspectionFeature<Input, Result, Need extends keyof Outside>(
  machine: InspectionMachine<Input, Result, Need>,
  own: Own = {},
): Feature {
  return defineFeature({
    name: machine.kind,
    ...own,
    endpoints:
      own.endpoints ?? allOf(standardEndpoints(machine as unknown as InspectionMachine<StoredSource, object, never>)),
    jobs: [machine.job, ...(own.jobs ?? [])],
    adds: [listKind(machine)],
  });
}

const allOf = ({ create, list, get, remove }: ReturnType<typeof standardEndpoints>): Feature['endpoints'] => [
  create,
  list,
  get,
  remove,
];
