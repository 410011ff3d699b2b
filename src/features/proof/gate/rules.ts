import { gateRules, type GateRules } from '../../../engines/gate/index.ts';
import type { Lists } from '../../../platform/ports/index.ts';
import { inspectionKinds } from '../_inspections/index.ts';

const known = new WeakMap<Lists, GateRules>();

/** What the gate goes by: the checks of all kinds that declare one, and its own. Throws where two are at odds. */
export function rulesOf({ lists }: { lists: Lists }): GateRules {
  const rules = known.get(lists) ?? gateRules(lists.of(inspectionKinds).flatMap(({ gate = [] }) => gate));
  known.set(lists, rules);
  return rules;
}
