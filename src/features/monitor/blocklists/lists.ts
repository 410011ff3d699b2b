// The lists of this installation: the catalog with what the operator set.
import { listsOf, type Blocklist, type OwnList } from '../../../engines/blocklists/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';

const known = new WeakMap<object, readonly Blocklist[]>();

/** All of them, those that are not asked too. */
export function allLists({ config }: Pick<Outside, 'config'>): readonly Blocklist[] {
  const { own, ...options } = config.blocklists;
  const lists = known.get(config) ?? listsOf({ ...options, own: own as readonly OwnList[] });
  known.set(config, lists);
  return lists;
}

/** Those that are asked. */
export function askedLists(doors: Pick<Outside, 'config'>): Blocklist[] {
  return allLists(doors).filter(({ notAsked }) => notAsked === undefined);
}
