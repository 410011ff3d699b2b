import { sql, type Sql } from '../../platform/db/index.ts';

export interface BaselinePicture {
  clientId: string;
  /** Everything of this picture lies below it. */
  objectPrefix: string;
  engine: string;
  gateId: string;
  approvedAt: Date;
}

const COLUMNS = sql.raw(`client_id as "clientId", object_prefix as "objectPrefix", engine, gate_id as "gateId", approved_at as "approvedAt"`);

export function listPictures(db: Sql, accountId: string, name: string): Promise<BaselinePicture[]> {
  return db.rows(sql<BaselinePicture>`select ${COLUMNS} from gate_baselines where account_id = ${accountId} and name = ${name} order by client_id`);
}

/** Puts a picture in the place of the one before; returns where that one lay. */
export async function putPicture(tx: Sql, owner: { accountId: string; name: string }, picture: BaselinePicture): Promise<string | undefined> {
  const before = await tx.first(sql<{ objectPrefix: string }>`select object_prefix as "objectPrefix" from gate_baselines where account_id = ${owner.accountId} and name = ${owner.name} and client_id = ${picture.clientId} for update`);
  await tx.run(sql`insert into gate_baselines (account_id, name, client_id, object_prefix, engine, gate_id, approved_at)
    values (${owner.accountId}, ${owner.name}, ${picture.clientId}, ${picture.objectPrefix}, ${picture.engine}, ${picture.gateId}, ${picture.approvedAt})
    on conflict (account_id, name, client_id) do update set object_prefix = excluded.object_prefix, engine = excluded.engine, gate_id = excluded.gate_id, approved_at = excluded.approved_at`);
  return before?.objectPrefix;
}

export interface Baseline {
  name: string;
  clientIds: string[];
  approvedAt: Date;
}

export async function listBaselines(db: Sql, accountId: string, page: { limit: number; skip: number }): Promise<{ items: Baseline[]; total: number }> {
  const items = await db.rows(sql<Baseline>`select name, array_agg(client_id order by client_id) as "clientIds", max(approved_at) as "approvedAt" from gate_baselines where account_id = ${accountId} group by name order by name limit ${page.limit} offset ${page.skip}`);
  const counted = await db.first(sql<{ total: number }>`select count(distinct name)::int as total from gate_baselines where account_id = ${accountId}`);
  return { items, total: counted?.total ?? 0 };
}

/** Returns where its pictures lay. */
export async function deleteBaseline(tx: Sql, accountId: string, name: string): Promise<string[]> {
  const rows = await tx.rows(sql<{ objectPrefix: string }>`delete from gate_baselines where account_id = ${accountId} and name = ${name} returning object_prefix as "objectPrefix"`);
  return rows.map((row) => row.objectPrefix);
}
