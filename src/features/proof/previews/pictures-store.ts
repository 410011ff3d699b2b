import type { Finding } from '../../../engines/findings/index.ts';
import {
  anyOf,
  expressionBuilder,
  jsonb,
  sql,
  type JoinBuilder,
  type Row,
  type Sql,
  type Tables,
} from '../../../platform/db/index.ts';

/** What is known of a picture once it was made; of a first screen the same, with the height of all its content. */
interface Picture {
  width: number;
  height: number;
  contentHeight: number;
  isCut: boolean;
  bytes: number;
  engine: string;
  engineVersion: string;
  /** What to know of it beside the notes of its client, where another engine drew it than was planned. */
  notes?: string[];
  /** Faults that the picture shows; absent in a first screen. */
  findings?: Finding[];
  /** Whether the whole of its layout and colors was looked at. */
  isMeasured?: boolean;
}

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    /** `default`, `no_images` or `horizontal`. */
    'previewShots.shot': string;
    'previewRenders.picture': Picture;
    'previewRenders.firstScreen': Picture;
  }
}

/** One screenshot that a client needs. */
export type Shot = Omit<Row<'previewShots'>, 'testId'>;

/** Holds a test until the transaction ends. False when it is gone. */
async function holdTest(tx: Sql, id: string): Promise<boolean> {
  const test = tx.ofAnyone.selectFrom('previewTests').select('id').where('id', '=', id).forUpdate();
  return (await test.executeTakeFirst()) !== undefined;
}

interface NewShots {
  shots: readonly Shot[];
  notes: Record<string, string[]>;
  /** Pictures that were queued a moment ago for others of these clients. */
  queued: ReadonlySet<string>;
  at: Date;
}

/**
 * Saves what the clients need and returns the keys of the pictures to make. Pictures that nothing needs any more are
 * forgotten. A client whose pictures were all made meanwhile is completed.
 */
export async function replaceShots(
  tx: Sql,
  testId: string,
  { shots, notes, queued, at }: NewShots,
): Promise<Set<string>> {
  // Serializes with pictures that finish meanwhile, and with deletion.
  if (!(await holdTest(tx, testId))) return new Set();
  await insertShots(tx, testId, { shots, queued });
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
  const keys = new Set(shots.map((shot) => shot.key));
  const wanted = new Set([...keys].filter((key) => !queued.has(key)));
  if (wanted.size < keys.size) await completeClients(tx, testId, { keys: [...keys], at });
  return wanted;
}

/** In the place of those that the clients had, with a picture to be made for each key. */
async function insertShots(
  tx: Sql,
  testId: string,
  { shots, queued }: Pick<NewShots, 'shots' | 'queued'>,
): Promise<void> {
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
        ])
        .where(({ not }) => not(sql<boolean>`wanted.key = ${anyOf([...queued])}`)),
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

/** A picture that is still to be made, with one of the screenshots that it is for. */
export interface Pending extends Pick<Row<'previewRenders'>, 'key' | 'clientId' | 'shot'> {
  hasFirstScreen: boolean;
}

/** Those of these pictures that are still to be made, in the order given. */
export async function listPending(db: Sql, testId: string, keys: readonly string[]): Promise<Pending[]> {
  const rows = await db.ofAnyone
    .selectFrom('previewRenders')
    .select(['key', 'clientId', 'shot', 'firstScreen'])
    .where('testId', '=', testId)
    .where('key', '=', anyOf(keys))
    .where('status', '=', 'pending')
    .execute();
  const found = new Map(rows.map(({ firstScreen, ...row }) => [row.key, { ...row, hasFirstScreen: !!firstScreen }]));
  return keys.flatMap((key) => found.get(key) ?? []);
}

/** The pictures that clients in processing lack, in an order that browsers like; with their first screens. */
export function listMissing(
  db: Sql,
  testId: string,
): Promise<Pick<Row<'previewRenders'>, 'key' | 'firstScreen' | 'shot'>[]> {
  return db.ofAnyone
    .selectFrom('previewRenders')
    .select(['key', 'firstScreen', 'shot'])
    .where('testId', '=', testId)
    .where('status', '=', 'pending')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('previewShots')
          .innerJoin('previewResults', ofClient)
          .select('previewShots.key')
          .whereRef('previewShots.testId', '=', 'previewRenders.testId')
          .whereRef('previewShots.key', '=', 'previewRenders.key')
          .where('previewResults.status', '=', 'processing'),
      ),
    )
    .orderBy(({ eb }) => eb('shot', '=', 'no_images'))
    .orderBy(({ ref }) => sql`(${ref('firstScreen')} ->> 'width')::int`)
    .orderBy('key')
    .execute();
}

/** The clients in processing that need a picture. */
export async function listWaitingFor(db: Sql, testId: string, key: string): Promise<string[]> {
  const rows = await db.ofAnyone
    .selectFrom('previewShots')
    .innerJoin('previewResults', ofClient)
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

/** Joins screenshots with the results of their clients. */
export function ofClient(join: JoinBuilder<Tables, 'previewShots' | 'previewResults'>) {
  return join
    .onRef('previewResults.testId', '=', 'previewShots.testId')
    .onRef('previewResults.clientId', '=', 'previewShots.clientId');
}

/** Joins screenshots with their pictures. */
export function ofShot(join: JoinBuilder<Tables, 'previewShots' | 'previewRenders'>) {
  return join
    .onRef('previewRenders.testId', '=', 'previewShots.testId')
    .onRef('previewRenders.key', '=', 'previewShots.key');
}

const ofResult = expressionBuilder<Tables, 'previewResults'>();

const lackingOfResult = ofResult
  .selectFrom('previewShots')
  .innerJoin('previewRenders', ofShot)
  .select('previewShots.key')
  .whereRef('previewShots.testId', '=', 'previewResults.testId')
  .whereRef('previewShots.clientId', '=', 'previewResults.clientId')
  .where('previewRenders.status', '=', 'pending');

/** Whether a picture of a client is still to be made, for a query that reads `previewResults`. */
export const lacksPicture = ofResult.exists(lackingOfResult);

/** The same, of pictures other than these. */
function lacksPictureBut(keys: readonly string[]) {
  return ofResult.exists(lackingOfResult.where(({ not }) => not(sql<boolean>`preview_renders.key = ${anyOf(keys)}`)));
}

export interface DrawnPicture extends Picture {
  key: string;
  /** False: it is the first screen of one. */
  isWhole: boolean;
}

type DrawnRow = Pick<Row<'previewRenders'>, 'key' | 'status' | 'picture' | 'firstScreen'>;

/**
 * Records pictures and first screens, and completes every client that now has all of its own, by one statement. False:
 * no such test.
 *
 * What another process saves of the same test at the same moment is not seen here: whoever ends some work on a test
 * looks at its clients again, by {@link completeClients}.
 */
export async function saveDrawn(
  db: Sql,
  testId: string,
  { drawn, at }: { drawn: readonly DrawnPicture[]; at: Date },
): Promise<boolean> {
  if (drawn.length === 0) return holdTest(db, testId);
  const rows = drawn.map(({ key, isWhole, ...made }) => ({
    key,
    status: isWhole ? 'done' : 'pending',
    [isWhole ? 'picture' : 'first_screen']: shown(made),
  }));
  const made = sql<DrawnRow>`jsonb_to_recordset(${jsonb(rows)}::jsonb)`.as<'made'>(
    sql`made(key text, status text, picture jsonb, first_screen jsonb)`,
  );
  const whole = drawn.filter(({ isWhole }) => isWhole).map(({ key }) => key);
  const held = await db.ofAnyone
    .with('held', (from) => from.selectFrom('previewTests').select('id').where('id', '=', testId).forUpdate())
    .with('saved', (from) =>
      from
        .updateTable('previewRenders')
        .from([made, 'held'])
        .set(({ fn, ref, val }) => ({
          status: ref('made.status'),
          picture: fn.coalesce('made.picture', 'previewRenders.picture'),
          firstScreen: ref('made.firstScreen'),
          previewAt: fn.coalesce('previewRenders.previewAt', val(at)),
        }))
        .whereRef('previewRenders.testId', '=', 'held.id')
        .whereRef('previewRenders.key', '=', 'made.key')
        .where('previewRenders.status', '=', 'pending')
        .returning('previewRenders.key'),
    )
    .with('completed', (from) =>
      from
        .updateTable('previewResults')
        .from('held')
        .set({ status: 'completed', completedAt: at })
        .whereRef('previewResults.testId', '=', 'held.id')
        .where('status', '=', 'processing')
        .where('clientId', 'in', clientsOf(testId, whole))
        // The statement sees the pictures as they were before it.
        .where(({ not }) => not(lacksPictureBut(whole)))
        .returning('previewResults.clientId'),
    )
    .selectFrom('held')
    .select('id')
    .executeTakeFirst();
  return held !== undefined;
}

function shown({ width, height, contentHeight, isCut, bytes, engine, engineVersion, ...more }: Picture): Picture {
  const { notes, findings, isMeasured } = more;
  const base = { width, height, contentHeight, isCut, bytes, engine, engineVersion };
  return { ...base, ...(notes && { notes }), ...(findings && { findings, isMeasured: isMeasured === true }) };
}

/** Completes those of the clients that need one of these pictures which have all of theirs. */
export async function completeClients(
  tx: Sql,
  testId: string,
  made: { keys: readonly string[]; at: Date },
): Promise<void> {
  await tx.ofAnyone
    .updateTable('previewResults')
    .set({ status: 'completed', completedAt: made.at })
    .where('testId', '=', testId)
    .where('status', '=', 'processing')
    .where('clientId', 'in', clientsOf(testId, made.keys))
    .where(({ not }) => not(lacksPicture))
    .execute();
}

const ofShots = expressionBuilder<Tables, never>();

/** The clients that need one of these pictures. */
function clientsOf(testId: string, keys: readonly string[]) {
  return ofShots
    .selectFrom('previewShots')
    .select('previewShots.clientId')
    .where('previewShots.testId', '=', testId)
    .where('previewShots.key', '=', anyOf(keys));
}

function shotsOf(db: Sql, accountId: string) {
  return db.of(accountId).selectFrom('previewShots');
}

/** Screenshots with their pictures, as far as they are made. */
function withPictures(shots: ReturnType<typeof shotsOf>) {
  return shots
    .innerJoin('previewRenders', ofShot)
    .select(({ fn }) => [
      'previewShots.clientId',
      'previewShots.shot',
      'previewShots.key',
      'previewRenders.picture',
      'previewRenders.firstScreen',
      'previewRenders.previewAt',
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
    .leftJoin('previewRenders', ofShot)
    .select(['previewResults.status', 'previewShots.key', 'previewRenders.picture', 'previewRenders.firstScreen'])
    .where('previewResults.testId', '=', wanted.testId)
    .where('previewResults.clientId', '=', wanted.clientId)
    .executeTakeFirst();
}
