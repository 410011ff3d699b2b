// Installations of the Slack app that were begun.
import type { Row, Sql } from '../../../platform/db/index.ts';

type Install = Omit<Row<'alertSlackInstalls'>, 'accountId'>;

/** An account begins so many at a time; an older one no longer counts. */
const OPEN_MAX = 10;

/** Remembers one, and forgets those that are over. */
export async function beginInstall(tx: Sql, accountId: string, install: Install): Promise<void> {
  const own = tx.of(accountId);
  await own.deleteFrom('alertSlackInstalls').where('expiresAt', '<=', install.createdAt).execute();
  const open = await own
    .selectFrom('alertSlackInstalls')
    .select('stateHash')
    .orderBy('createdAt', 'desc')
    .orderBy('stateHash')
    .execute();
  const gone = open.slice(OPEN_MAX - 1).map(({ stateHash }) => stateHash);
  if (gone.length > 0) await own.deleteFrom('alertSlackInstalls').where('stateHash', 'in', gone).execute();
  await own.insert('alertSlackInstalls', install).execute();
}

/** Takes one, so that nobody takes it again. Undefined: there is none of this account and this session. */
export function takeInstall(
  db: Sql,
  accountId: string,
  { stateHash, begunBy }: Pick<Install, 'stateHash' | 'begunBy'>,
): Promise<Install | undefined> {
  return db
    .of(accountId)
    .deleteFrom('alertSlackInstalls')
    .where('stateHash', '=', stateHash)
    .where('begunBy', '=', begunBy)
    .returning(['stateHash', 'begunBy', 'redirectUri', 'createdAt', 'expiresAt'])
    .executeTakeFirst();
}
