import { changedRows, type Sql } from '../../../platform/db/index.ts';

interface Returned {
  messageId: string;
  position: number;
  kind: 'bounce' | 'complaint';
  at: Date;
}

/** Notes that something came back for a delivery of an account. False: the same was noted before. */
export async function noteReturned(tx: Sql, accountId: string, returned: Returned): Promise<boolean> {
  const noted = tx
    .of(accountId)
    .insert('returnedMail', returned)
    .onConflict((conflict) => conflict.columns(['messageId', 'position', 'kind']).doNothing());
  return (await changedRows(noted)) > 0;
}
