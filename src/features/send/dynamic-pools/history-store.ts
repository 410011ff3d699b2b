// When domains came into which band, and why.
import type { NewRow, Row, Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';
import type { Band } from '../../../engines/reputation-bands/index.ts';

/** With what the account is called. */
export interface Move extends Row<'dynamicPoolMoves'> {
  accountName: string;
}

export async function insertMove(tx: Sql, { accountId, ...move }: NewRow<'dynamicPoolMoves'>): Promise<void> {
  await tx.of(accountId).insert('dynamicPoolMoves', move).execute();
}

interface MoveFilter extends SkipPage {
  /** Moves of subaccounts in the account's pools, too. */
  isOfParts: boolean;
  domain: string | undefined;
  before: Date | undefined;
  after: Date | undefined;
  to: Band | undefined;
  from: Band | undefined;
}

/** The newest first. */
export function listMoves(
  db: Sql,
  accountId: string,
  { isOfParts, domain, before, after, to, from, ...page }: MoveFilter,
): Promise<Paged<Move>> {
  const ordered = db.ofAnyone
    .selectFrom('dynamicPoolMoves')
    .innerJoin('accounts', 'accounts.id', 'dynamicPoolMoves.accountId')
    .selectAll('dynamicPoolMoves')
    .select('accounts.name as accountName')
    .where((row) =>
      row.or([
        row('dynamicPoolMoves.accountId', '=', accountId),
        ...(isOfParts ? [row('dynamicPoolMoves.ownerId', '=', accountId)] : []),
      ]),
    )
    .$if(domain !== undefined, (all) => all.where('domainName', '=', domain!.toLowerCase()))
    .$if(before !== undefined, (all) => all.where('at', '<', before!))
    .$if(after !== undefined, (all) => all.where('at', '>', after!))
    .$if(to !== undefined, (all) => all.where('newBand', '=', to!))
    .$if(from !== undefined, (all) => all.where('prevBand', '=', from!))
    .orderBy('at', 'desc')
    .orderBy('dynamicPoolMoves.id', 'desc');
  return readSkipPage(ordered, page);
}

export async function deleteOldMoves(db: Sql, before: Date): Promise<void> {
  await db.ofAnyone.deleteFrom('dynamicPoolMoves').where('at', '<', before).execute();
}
