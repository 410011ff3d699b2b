import type { Policy } from '../../../engines/gate/index.ts';
import { anyOf, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';

/** What a gate is known by whatever becomes of it. */
export interface GateHead {
  email: string;
  baseline: string | null;
  policy: Policy;
}

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'gates.head': GateHead;
    /** Everything of the picture lies below it. */
    'gateBaselines.objectPrefix': string;
  }
}

export async function insertHead(
  tx: Sql,
  gate: { id: string; accountId: string },
  { email, baseline, policy }: GateHead,
): Promise<void> {
  const head = { email, baseline, policy };
  await tx.of(gate.accountId).insert('gates', { inspectionId: gate.id, head }).execute();
}

export async function findHead(db: Sql, accountId: string, id: string): Promise<GateHead | undefined> {
  const gate = db.of(accountId).selectFrom('gates').select('head').where('inspectionId', '=', id);
  return (await gate.executeTakeFirst())?.head;
}

/** By the ids of gates. */
export async function emailsOf(db: Sql, accountId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .of(accountId)
    .selectFrom('gates')
    .select(({ ref }) => ['inspectionId', ref('head', '->>').key('email').as('email')])
    .where('inspectionId', '=', anyOf(ids))
    .execute();
  return new Map(rows.map(({ inspectionId, email }) => [inspectionId, email]));
}

export type BaselinePicture = Omit<Row<'gateBaselines'>, 'accountId' | 'name'>;

const COLUMNS = ['clientId', 'objectPrefix', 'engine', 'gateId', 'approvedAt'] as const;

export function listPictures(db: Sql, accountId: string, name: string): Promise<BaselinePicture[]> {
  return db
    .of(accountId)
    .selectFrom('gateBaselines')
    .select(COLUMNS)
    .where('name', '=', name)
    .orderBy('clientId')
    .execute();
}

export function findPicture(
  db: Sql,
  accountId: string,
  { name, clientId }: { name: string; clientId: string },
): Promise<BaselinePicture | undefined> {
  return db
    .of(accountId)
    .selectFrom('gateBaselines')
    .select(COLUMNS)
    .where('name', '=', name)
    .where('clientId', '=', clientId)
    .executeTakeFirst();
}

/** The baselines that pictures of a gate stand in, by client. */
export async function approvedOf(db: Sql, accountId: string, gateId: string): Promise<Map<string, string[]>> {
  const rows = await db
    .of(accountId)
    .selectFrom('gateBaselines')
    .select(({ ref }) => ['clientId', sql<string[]>`array_agg(${ref('name')} order by ${ref('name')})`.as('names')])
    .where('gateId', '=', gateId)
    .groupBy('clientId')
    .execute();
  return new Map(rows.map(({ clientId, names }) => [clientId, names]));
}

/** Puts a picture in the place of the one before; returns where that one lay. */
export async function putPicture(
  tx: Sql,
  accountId: string,
  picture: Omit<Row<'gateBaselines'>, 'accountId'>,
): Promise<string | undefined> {
  const { name, clientId, ...put } = picture;
  const before = await tx
    .of(accountId)
    .selectFrom('gateBaselines')
    .select('objectPrefix')
    .where('name', '=', name)
    .where('clientId', '=', clientId)
    .forUpdate()
    .executeTakeFirst();
  await tx
    .of(accountId)
    .insert('gateBaselines', picture)
    .onConflict((conflict) => conflict.columns(['accountId', 'name', 'clientId']).doUpdateSet(put))
    .execute();
  return before?.objectPrefix;
}

export interface Baseline extends Pick<Row<'gateBaselines'>, 'name' | 'approvedAt'> {
  /** By the ids of clients. */
  pictures: BaselinePicture[];
}

export async function listBaselines(db: Sql, accountId: string, page: SkipPage): Promise<Paged<Baseline>> {
  const baselines = db.of(accountId).selectFrom('gateBaselines');
  const named = baselines
    .select(({ fn }) => ['name', fn.max('approvedAt').as('approvedAt')])
    .groupBy('name')
    .orderBy('name');
  const names = sql<number>`count(distinct ${sql.ref('name')})::int`;
  const { items: found, total } = await readSkipPage(named, page, names);
  const rows = await baselines
    .select(['name', ...COLUMNS])
    .where('name', '=', anyOf(found.map(({ name }) => name)))
    .orderBy('clientId')
    .execute();
  const pictures = Map.groupBy(rows, ({ name }) => name);
  return {
    items: found.map((baseline) => ({ ...baseline, pictures: pictures.get(baseline.name) ?? [] })),
    total,
  };
}

/** Returns where its pictures lay. */
export async function deleteBaseline(tx: Sql, accountId: string, name: string): Promise<string[]> {
  const rows = await tx
    .of(accountId)
    .deleteFrom('gateBaselines')
    .where('name', '=', name)
    .returning('objectPrefix')
    .execute();
  return rows.map((row) => row.objectPrefix);
}
