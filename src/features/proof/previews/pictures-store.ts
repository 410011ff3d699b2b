import { anyOf, expressionBuilder, jsonb, sql, type Row, type Sql, type Tables } from '../../../platform/db/index.ts';

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

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    /** `default`, `no_images` or `horizontal`. */
    'previewShots.shot': string;
    'previewRenders.picture': Picture;
  }
}

/** One screenshot that a client needs. */
export type Shot = Omit<Row<'previewShots'>, 'testId'>;

/** Holds a test until the transaction ends. False when it is gone. */
async function holdTest(tx: Sql, id: string): Promise<boolean> {
  const test = tx.ofAnyone.selectFrom('previewTests').select('id').where('id', '=', id).forUpdate();
  return (await test.executeTakeFirst()) !== undefined;
}

/**
 * Saves what the clients need and returns the keys of the pictures to make. Pictures that nothing needs any more are
 * forgotten.
 */
export async function replaceShots(
  tx: Sql,
  testId: string,
  { shots, notes }: { shots: readonly Shot[]; notes: Record<string, string[]> },
): Promise<string[]> {
  // Serializes with pictures that finish meanwhile, and with deletion.
  if (!(await holdTest(tx, testId))) return [];
  await insertShots(tx, testId, shots);
  await tx.ofAnyone
    .updateTable('previewResults')
    .from(sql<{ key: string; value: string[] }>`jsonb_each(${jsonb(notes)}::jsonb)`.as('noted'))
    .set(({ ref }) => ({ notes: ref('noted.value') }))
    .where('testId', '=', testId)
    .whereRef('clientId', '=', 'noted.key')
    .execute();
  await tx.ofAnyone
    .deleteFrom('previewRenders')
    .where('testId', '=', testId)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('previewShots')
            .select('previewShots.key')
            .whereRef('previewShots.testId', '=', 'previewRenders.testId')
            .whereRef('previewShots.key', '=', 'previewRenders.key'),
        ),
      ),
    )
    .execute();
  return [...new Set(shots.map((shot) => shot.key))];
}

/** In the place of those that the clients had, with a picture to be made for each key. */
async function insertShots(tx: Sql, testId: string, shots: readonly Shot[]): Promise<void> {
  const list = (column: keyof Shot) => sql`${shots.map((shot) => shot[column])}::text[]`;
  const wanted = sql<Shot>`unnest(${list('clientId')}, ${list('shot')}, ${list('key')})`.as<'wanted'>(
    sql`wanted(client_id, shot, key)`,
  );
  await tx.ofAnyone
    .insertInto('previewRenders')
    .columns(['testId', 'key', 'clientId', 'shot', 'status'])
    .expression(
      tx.ofAnyone
        .selectFrom(wanted)
        .distinctOn('wanted.key')
        .select(({ val }) => [
          val(testId).as('testId'),
          'wanted.key',
          'wanted.clientId',
          'wanted.shot',
          sql.lit('pending').as('status'),
        ]),
    )
    .onConflict((conflict) => conflict.columns(['testId', 'key']).doUpdateSet({ status: 'pending' }))
    .execute();
  await tx.ofAnyone
    .deleteFrom('previewShots')
    .where('testId', '=', testId)
    .where('clientId', '=', anyOf([...new Set(shots.map(({ clientId }) => clientId))]))
    .execute();
  await tx.ofAnyone
    .insertInto('previewShots')
    .columns(['testId', 'clientId', 'shot', 'key'])
    .expression(
      tx.ofAnyone
        .selectFrom(wanted)
        .innerJoin('previewResults', 'previewResults.clientId', 'wanted.clientId')
        .select(['previewResults.testId', 'wanted.clientId', 'wanted.shot', 'wanted.key'])
        .where('previewResults.testId', '=', testId),
    )
    .execute();
}

export function findPending(
  db: Sql,
  testId: string,
  key: string,
): Promise<Pick<Row<'previewRenders'>, 'clientId' | 'shot'> | undefined> {
  return db.ofAnyone
    .selectFrom('previewRenders')
    .select(['clientId', 'shot'])
    .where('testId', '=', testId)
    .where('key', '=', key)
    .where('status', '=', 'pending')
    .executeTakeFirst();
}

/** The clients in processing that need a picture. */
export async function listWaitingFor(db: Sql, testId: string, key: string): Promise<string[]> {
  const rows = await db.ofAnyone
    .selectFrom('previewShots')
    .innerJoin('previewResults', (join) =>
      join
        .onRef('previewResults.testId', '=', 'previewShots.testId')
        .onRef('previewResults.clientId', '=', 'previewShots.clientId'),
    )
    .select('previewShots.clientId')
    .distinct()
    .where('previewShots.testId', '=', testId)
    .where('previewShots.key', '=', key)
    .where('previewResults.status', '=', 'processing')
    .execute();
  return rows.map(({ clientId }) => clientId);
}

/** A picture that was made, as others of its test are compared with it. */
export interface MadePicture extends Pick<Picture, 'width' | 'height'> {
  key: string;
  look: string | null;
}

/** The pictures of a test that are made, in the order of their keys. */
export async function listPictures(db: Sql, testId: string): Promise<MadePicture[]> {
  const rows = await db.ofAnyone
    .selectFrom('previewRenders')
    .select(['key', 'look', 'picture'])
    .where('testId', '=', testId)
    .where('status', '=', 'done')
    .orderBy('key')
    .execute();
  return rows.flatMap(({ key, look, picture }) =>
    picture ? [{ key, look, width: picture.width, height: picture.height }] : [],
  );
}

/** Which look pictures of a test have, by their keys. */
export async function saveLooks(db: Sql, testId: string, looks: Record<string, string>): Promise<void> {
  await db.ofAnyone
    .updateTable('previewRenders')
    .from(sql<{ key: string; value: string }>`jsonb_each_text(${jsonb(looks)}::jsonb)`.as('found'))
    .set(({ ref }) => ({ look: ref('found.value') }))
    .where('testId', '=', testId)
    .whereRef('previewRenders.key', '=', 'found.key')
    .execute();
}

const ofResult = expressionBuilder<Tables, 'previewResults'>();

/** Whether a picture of a client is still to be made, for a query that reads `previewResults`. */
export const lacksPicture = ofResult.exists(
  ofResult
    .selectFrom('previewShots')
    .innerJoin('previewRenders', (join) =>
      join
        .onRef('previewRenders.testId', '=', 'previewShots.testId')
        .onRef('previewRenders.key', '=', 'previewShots.key'),
    )
    .select('previewShots.key')
    .whereRef('previewShots.testId', '=', 'previewResults.testId')
    .whereRef('previewShots.clientId', '=', 'previewResults.clientId')
    .where('previewRenders.status', '=', 'pending'),
);

/** Records a picture and completes every client that now has all of its own. False when the test is gone. */
export async function savePicture(
  tx: Sql,
  testId: string,
  made: { key: string; picture: Picture; at: Date },
): Promise<boolean> {
  if (!(await holdTest(tx, testId))) return false;
  await tx.ofAnyone
    .updateTable('previewRenders')
    .set({ status: 'done', picture: made.picture })
    .where('testId', '=', testId)
    .where('key', '=', made.key)
    .execute();
  await tx.ofAnyone
    .updateTable('previewResults')
    .set({ status: 'completed', completedAt: made.at })
    .where('testId', '=', testId)
    .where('status', '=', 'processing')
    .where('clientId', 'in', ({ selectFrom }) =>
      selectFrom('previewShots')
        .select('previewShots.clientId')
        .where('previewShots.testId', '=', testId)
        .where('previewShots.key', '=', made.key),
    )
    .where(({ not }) => not(lacksPicture))
    .execute();
  return true;
}

function shotsOf(db: Sql, accountId: string) {
  return db.of(accountId).selectFrom('previewShots');
}

/** Screenshots with their pictures, as far as they are made. */
function withPictures(shots: ReturnType<typeof shotsOf>) {
  return shots
    .innerJoin('previewRenders', (join) =>
      join
        .onRef('previewRenders.testId', '=', 'previewShots.testId')
        .onRef('previewRenders.key', '=', 'previewShots.key'),
    )
    .select(({ fn }) => [
      'previewShots.clientId',
      'previewShots.shot',
      'previewShots.key',
      'previewRenders.picture',
      // Equal for pictures of the test that look the same.
      fn.coalesce('previewRenders.look', 'previewShots.key').as('look'),
    ])
    .orderBy('previewShots.clientId')
    .orderBy('previewShots.shot');
}

export type ShotPicture = Awaited<ReturnType<typeof listShots>>[number];

/** The screenshots of a test, for jobs: the account is not asked. */
export function listShots(db: Sql, testId: string) {
  return withPictures(db.ofAnyone.selectFrom('previewShots')).where('previewShots.testId', '=', testId).execute();
}

/** The screenshots of a test of an account, of one client when it is named. */
export function listOwnShots(
  db: Sql,
  accountId: string,
  { testId, clientId }: { testId: string; clientId?: string | undefined },
): Promise<ShotPicture[]> {
  const shots = withPictures(shotsOf(db, accountId)).where('previewShots.testId', '=', testId);
  return (clientId === undefined ? shots : shots.where('previewShots.clientId', '=', clientId)).execute();
}

/**
 * The picture that is a screenshot of a client, for whoever holds an address of the test; undefined when the test does
 * not have that client.
 */
export function findShot(db: Sql, wanted: { testId: string; clientId: string; shot: string }) {
  return db.ofAnyone
    .selectFrom('previewResults')
    .leftJoin('previewShots', (join) =>
      join
        .onRef('previewShots.testId', '=', 'previewResults.testId')
        .onRef('previewShots.clientId', '=', 'previewResults.clientId')
        .on('previewShots.shot', '=', wanted.shot),
    )
    .leftJoin('previewRenders', (join) =>
      join
        .onRef('previewRenders.testId', '=', 'previewResults.testId')
        .onRef('previewRenders.key', '=', 'previewShots.key'),
    )
    .select(['previewResults.status', 'previewShots.key', 'previewRenders.picture'])
    .where('previewResults.testId', '=', wanted.testId)
    .where('previewResults.clientId', '=', wanted.clientId)
    .executeTakeFirst();
}
