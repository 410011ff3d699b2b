// A test as whoever waits for it asks again and again: by one statement, for the database does most of the work.
import { sql, type Sql } from '../../../platform/db/index.ts';
import type { PreviewResult, PreviewTest } from './store.ts';

/** A test, and the ids of its clients by how far they are. */
export type TestInfo = PreviewTest &
  Record<PreviewResult['status'], string[]> & {
    /** Clients in processing whose first screen is there. */
    firstScreens: string[];
    /** Whether it is known which of its pictures look the same. */
    isCompared: boolean;
  };

export async function findInfo(db: Sql, accountId: string, id: string): Promise<TestInfo | undefined> {
  // One list of texts is what costs the database least.
  const clientsOf = sql<string[]>`
    array(select status || ' ' || client_id from preview_results where test_id = ${id} order by client_id)
  `;
  const renders = sql`
    from preview_shots
    join preview_renders using (test_id, key)
    where preview_shots.test_id = ${id}
  `;
  const firstScreens = sql<string[]>`
    array(
      select preview_shots.client_id ${renders} and preview_shots.shot = 'default' and first_screen is not null
        and picture is null
      order by 1
    )
  `;
  const uncompared = sql<boolean>`exists (select 1 ${renders} and status = 'done' and look is null)`;
  const found = await db
    .of(accountId)
    .selectFrom('previewTests')
    .selectAll()
    .select([clientsOf.as('clients'), firstScreens.as('firstScreens'), uncompared.as('isUncompared')])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!found) return undefined;
  const { clients, firstScreens: shown, isUncompared, ...test } = found;
  const idsOf = (status: PreviewResult['status']): string[] =>
    clients.filter((one) => one.startsWith(`${status} `)).map((one) => one.slice(status.length + 1));
  const processing = idsOf('processing');
  return {
    ...test,
    completed: idsOf('completed'),
    processing,
    bounced: idsOf('bounced'),
    firstScreens: shown.filter((client) => processing.includes(client)),
    isCompared: !isUncompared,
  };
}
