import { anyOf, sql, type Sql } from '../../../platform/db/index.ts';
import { SIZE_TOLERANCE } from '../../../platform/browser/index.ts';

/** One screenshot that a client needs: `default`, `no_images` or `horizontal`. */
export interface Shot {
  clientId: string;
  shot: string;
  key: string;
}

/** What is known of a picture once it was made. */
interface Picture {
  width: number;
  height: number;
  contentHeight: number;
  isCut: boolean;
  bytes: number;
  engine: string;
  engineVersion: string;
}

/**
 * Saves what the clients need and returns the keys of the pictures to make. Pictures that nothing needs any more are
 * forgotten.
 */
export async function replaceShots(
  tx: Sql,
  testId: string,
  plan: { shots: readonly Shot[]; notes: Record<string, string[]> },
): Promise<string[]> {
  const clientIds = [...new Set(plan.shots.map((shot) => shot.clientId))];
  // Serialises with pictures that finish meanwhile, and with deletion.
  if (!(await tx.first(sql`select 1 from preview_tests where id = ${testId} for update`))) return [];
  const shots = JSON.stringify(plan.shots);
  await tx.run(sql`
    insert into preview_renders (test_id, key, client_id, shot, status)
    select distinct on (key) ${testId}, key, "clientId", shot, 'pending'
    from jsonb_to_recordset(${shots}::jsonb) as wanted("clientId" text, shot text, key text)
    on conflict (test_id, key) do update set status = 'pending'
  `);
  await tx.run(sql`delete from preview_shots where test_id = ${testId} and client_id = ${anyOf(clientIds)}`);
  await tx.run(sql`
    insert into preview_shots (test_id, client_id, shot, key)
    select ${testId}, wanted."clientId", wanted.shot, wanted.key
    from jsonb_to_recordset(${shots}::jsonb) as wanted("clientId" text, shot text, key text)
    join preview_results on preview_results.test_id = ${testId} and preview_results.client_id = wanted."clientId"
  `);
  await tx.run(sql`
    update preview_results
    set notes = noted.value
    from jsonb_each(${JSON.stringify(plan.notes)}::jsonb) as noted
    where test_id = ${testId} and client_id = noted.key
  `);
  await tx.run(sql`
    delete from preview_renders
    where test_id = ${testId}
      and not exists (
        select 1
        from preview_shots
        where preview_shots.test_id = preview_renders.test_id and preview_shots.key = preview_renders.key
      )
  `);
  return [...new Set(plan.shots.map((shot) => shot.key))];
}

export function findPending(
  db: Sql,
  testId: string,
  key: string,
): Promise<{ clientId: string; shot: string } | undefined> {
  return db.first(sql<{ clientId: string; shot: string }>`
    select client_id as "clientId", shot
    from preview_renders
    where test_id = ${testId} and key = ${key} and status = 'pending'
  `);
}

/** The clients in processing that need a picture. */
export async function listWaitingFor(db: Sql, testId: string, key: string): Promise<string[]> {
  const rows = await db.rows(sql<{ clientId: string }>`
    select distinct client_id as "clientId"
    from preview_shots
    join preview_results using (test_id, client_id)
    where test_id = ${testId} and key = ${key} and status = 'processing'
  `);
  return rows.map(({ clientId }) => clientId);
}

/** A picture that others of its test may look like. */
interface Leader {
  key: string;
  width: number;
  height: number;
}

/** The first picture of each look of a test, of those about as large. */
export function listLeaders(
  db: Sql,
  testId: string,
  { key, picture: { width, height } }: { key: string; picture: Pick<Picture, 'width' | 'height'> },
): Promise<Leader[]> {
  const near = (side: 'width' | 'height', value: number) => sql`
    (picture->>${side})::int between ${Math.floor(value * (1 - SIZE_TOLERANCE))} and
      ${Math.ceil(value / (1 - SIZE_TOLERANCE))}
  `;
  return db.rows(sql<Leader>`
    select key, (picture->>'width')::int as width, (picture->>'height')::int as height
    from preview_renders
    where test_id = ${testId}
      and key <> ${key}
      and look = key
      and status = 'done'
      and ${near('width', width)}
      and ${near('height', height)}
    order by key
  `);
}

/** Records a picture and completes every client that now has all of its own. False when the test is gone. */
export async function savePicture(
  tx: Sql,
  testId: string,
  made: { key: string; picture: Picture; look: string; at: Date },
): Promise<boolean> {
  if (!(await tx.first(sql`select 1 from preview_tests where id = ${testId} for update`))) return false;
  await tx.run(sql`
    update preview_renders
    set status = 'done', picture = ${JSON.stringify(made.picture)}, look = ${made.look}
    where test_id = ${testId} and key = ${made.key}
  `);
  await tx.run(sql`
    update preview_results
    set status = 'completed', completed_at = ${made.at}
    where test_id = ${testId}
      and status = 'processing'
      and client_id in (select client_id from preview_shots where test_id = ${testId} and key = ${made.key})
      and not exists (
        select 1
        from preview_shots
        join preview_renders using (test_id, key)
        where preview_shots.test_id = preview_results.test_id
          and preview_shots.client_id = preview_results.client_id
          and preview_renders.status = 'pending'
      )
  `);
  return true;
}

export interface ShotPicture extends Shot {
  picture: Picture | null;
  /** Equal for pictures of the test that look the same. */
  look: string;
}

/** The screenshots of a test, of one client when it is named. */
export function listShots(db: Sql, testId: string, clientId?: string): Promise<ShotPicture[]> {
  const ofClient = clientId === undefined ? sql`true` : sql`preview_shots.client_id = ${clientId}`;
  return db.rows(sql<ShotPicture>`
    select preview_shots.client_id as "clientId", preview_shots.shot, key, picture, coalesce(look, key) as look
    from preview_shots
    join preview_renders using (test_id, key)
    where test_id = ${testId} and ${ofClient}
    order by preview_shots.client_id, preview_shots.shot
  `);
}

/** The picture that is a screenshot of a client; undefined when the test does not have that client. */
export function findShot(
  db: Sql,
  wanted: { testId: string; clientId: string; shot: string },
): Promise<{ status: string; key: string | null; picture: Picture | null } | undefined> {
  return db.first(sql<{ status: string; key: string | null; picture: Picture | null }>`
    select preview_results.status, preview_shots.key, picture
    from preview_results
    left join preview_shots on preview_shots.test_id = preview_results.test_id
      and preview_shots.client_id = preview_results.client_id
      and preview_shots.shot = ${wanted.shot}
    left join preview_renders on preview_renders.test_id = preview_results.test_id
      and preview_renders.key = preview_shots.key
    where preview_results.test_id = ${wanted.testId} and preview_results.client_id = ${wanted.clientId}
  `);
}
