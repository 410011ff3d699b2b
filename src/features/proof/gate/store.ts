import type { Policy } from '../../../engines/gate/index.ts';
import { anyOf, jsonb, sql, type Sql } from '../../../platform/db/index.ts';

/** What a gate is known by whatever becomes of it. */
export interface GateHead {
  email: string;
  baseline: string | null;
  policy: Policy;
}

export async function insertHead(
  tx: Sql,
  gate: { id: string; accountId: string },
  { email, baseline, policy }: GateHead,
): Promise<void> {
  await tx.run(sql`
    insert into gates (inspection_id, account_id, head)
    values (${gate.id}, ${gate.accountId}, ${jsonb({ email, baseline, policy })}::jsonb)
  `);
}

export async function findHead(db: Sql, accountId: string, id: string): Promise<GateHead | undefined> {
  return (
    await db.first(
      sql<{ head: GateHead }>`select head from gates where account_id = ${accountId} and inspection_id = ${id}`,
    )
  )?.head;
}

/** By the ids of gates. */
export async function emailsOf(db: Sql, accountId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows(sql<{ id: string; email: string }>`
    select inspection_id as id, head ->> 'email' as email
    from gates
    where account_id = ${accountId} and inspection_id = ${anyOf(ids)}
  `);
  return new Map(rows.map(({ id, email }) => [id, email]));
}

export interface BaselinePicture {
  clientId: string;
  /** Everything of this picture lies below it. */
  objectPrefix: string;
  engine: string;
  gateId: string;
  approvedAt: Date;
}

const COLUMNS = sql.raw(
  `client_id as "clientId", object_prefix as "objectPrefix", engine, gate_id as "gateId", approved_at as "approvedAt"`,
);

export function listPictures(db: Sql, accountId: string, name: string): Promise<BaselinePicture[]> {
  return db.rows(sql<BaselinePicture>`
    select ${COLUMNS}
    from gate_baselines
    where account_id = ${accountId} and name = ${name}
    order by client_id
  `);
}

export function findPicture(
  db: Sql,
  { accountId, name, clientId }: { accountId: string; name: string; clientId: string },
): Promise<BaselinePicture | undefined> {
  return db.first(sql<BaselinePicture>`
    select ${COLUMNS}
    from gate_baselines
    where account_id = ${accountId} and name = ${name} and client_id = ${clientId}
  `);
}

/** The baselines that pictures of a gate stand in, by client. */
export async function approvedOf(db: Sql, accountId: string, gateId: string): Promise<Map<string, string[]>> {
  const rows = await db.rows(sql<{ clientId: string; names: string[] }>`
    select client_id as "clientId", array_agg(name order by name) as names
    from gate_baselines
    where account_id = ${accountId} and gate_id = ${gateId}
    group by client_id
  `);
  return new Map(rows.map(({ clientId, names }) => [clientId, names]));
}

/** Puts a picture in the place of the one before; returns where that one lay. */
export async function putPicture(
  tx: Sql,
  owner: { accountId: string; name: string },
  picture: BaselinePicture,
): Promise<string | undefined> {
  const before = await tx.first(sql<{ objectPrefix: string }>`
    select object_prefix as "objectPrefix"
    from gate_baselines
    where account_id = ${owner.accountId} and name = ${owner.name} and client_id = ${picture.clientId}
    for update
  `);
  await tx.run(sql`
    insert into gate_baselines (account_id, name, client_id, object_prefix, engine, gate_id, approved_at)
    values (
      ${owner.accountId}, ${owner.name}, ${picture.clientId}, ${picture.objectPrefix}, ${picture.engine},
      ${picture.gateId}, ${picture.approvedAt}
    )
    on conflict (account_id, name, client_id)
    do update set object_prefix = excluded.object_prefix, engine = excluded.engine, gate_id = excluded.gate_id,
      approved_at = excluded.approved_at
  `);
  return before?.objectPrefix;
}

export interface Baseline {
  name: string;
  approvedAt: Date;
  /** By the ids of clients. */
  pictures: BaselinePicture[];
}

export async function listBaselines(
  db: Sql,
  accountId: string,
  page: { limit: number; skip: number },
): Promise<{ items: Baseline[]; total: number }> {
  const found = await db.rows(sql<{ name: string; approvedAt: Date }>`
    select name, max(approved_at) as "approvedAt"
    from gate_baselines
    where account_id = ${accountId}
    group by name
    order by name
    limit ${page.limit} offset ${page.skip}
  `);
  const rows = await db.rows(sql<BaselinePicture & { name: string }>`
    select name, ${COLUMNS}
    from gate_baselines
    where account_id = ${accountId} and name = ${anyOf(found.map(({ name }) => name))}
    order by client_id
  `);
  const pictures = Map.groupBy(rows, ({ name }) => name);
  const counted = await db.first(sql<{ total: number }>`
    select count(distinct name)::int as total
    from gate_baselines
    where account_id = ${accountId}
  `);
  return {
    items: found.map((baseline) => ({ ...baseline, pictures: pictures.get(baseline.name) ?? [] })),
    total: counted?.total ?? 0,
  };
}

/** Returns where its pictures lay. */
export async function deleteBaseline(tx: Sql, accountId: string, name: string): Promise<string[]> {
  const rows = await tx.rows(sql<{ objectPrefix: string }>`
    delete from gate_baselines
    where account_id = ${accountId} and name = ${name}
    returning object_prefix as "objectPrefix"
  `);
  return rows.map((row) => row.objectPrefix);
}
