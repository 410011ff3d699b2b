import type { Sql } from '../../../platform/db/index.ts';
import { deleteSums } from '../../../platform/figures/index.ts';
import { GROUPINGS } from './gather.ts';

/** Deletes the figures of a tag, of one domain or of all of an account. */
export function forgetTag(
  tx: Sql,
  accountId: string,
  { domain, tag }: { domain?: string | undefined; tag: string },
): Promise<void> {
  return deleteSums(tx, accountId, { grouping: GROUPINGS.tags, detail: tag, domain });
}
