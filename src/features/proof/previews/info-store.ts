// A test as whoever waits for it asks again and again: by one statement, for the database does most of the work.
import { sql, type Sql } from '../../../platform/db/index.ts';
import type { PreviewResult, PreviewTest } from './store.ts';

/** A test, and the ids of its clients by how far they are. */
export type TestInfo = PreviewTest & Record<PreviewResult['status'], string[]>;

export async function findInfo(db: Sql, accountId: string, id: string): Promise<TestInfo | undefined> {
  // One list of texts is what costs the database least.
  const clientsOf = sql<string[]>`
    array(select status || ' ' || client_id from preview_results where test_id = ${id} order by client_id)
  `;
  const found = await db
    .of(accountId)
    .selectFrom('previewTests')
    .selectAll()
    .select(clientsOf.as('clients'))
    .where('id', '=', id)
    .executeTakeFirst();
  if (!found) return undefined;
  const { clients, ...test } = found;
  const idsOf = (status: PreviewResult['status']): string[] =>
    clients.filter((one) => one.startsWith(`${status} `)).map((one) => one.slice(status.length + 1));
  return { ...test, completed: idsOf('completed'), processing: idsOf('processing'), bounced: idsOf('bounced') };
}
