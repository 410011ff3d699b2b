import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { deleteSums } from '../../../platform/figures/index.ts';
import { furtherFigures } from './additions.ts';

/** Deletes the figures of a tag, of one domain or of all of an account. */
export async function forgetTag(
  { lists }: Pick<Outside, 'lists'>,
  tx: Sql,
  { accountId, domain, tag }: { accountId: string; domain?: string | undefined; tag: string },
): Promise<void> {
  await deleteSums(tx, accountId, { of: 'tag', detail: tag, domain });
  for (const further of lists.of(furtherFigures)) await further.forgetTag(tx, accountId, { domain, tag });
}
