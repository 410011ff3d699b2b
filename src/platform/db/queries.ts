// Typed queries: on the rows of one account, or on those of anyone in so many words.
import {
  sql,
  type DeleteQueryBuilder,
  type DeleteResult,
  type Insertable,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type QueryCreator,
  type Selectable,
  type SelectQueryBuilder,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely';
import { OWNERS, type Tables } from './tables.generated.ts';

/** A row as it is read. */
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;

/** A row as it is inserted: what may be null or has a default may be left out. */
export type NewRow<Table extends keyof Tables> = Insertable<Tables[Table]>;

/** Tables that name the account of each row. */
type AccountTable = { [Table in keyof Tables]: 'accountId' extends keyof Tables[Table] ? Table : never }[keyof Tables];
/** Tables whose rows are parts of rows that name their account. */
type PartTable = keyof typeof OWNERS;
type OwnedTable = AccountTable | PartTable;

/** An insert without its account, which `of` adds. */
type OwnNewRow<Table extends AccountTable> = Omit<NewRow<Table>, 'accountId'>;

/** Queries that see the rows of one account and no others. */
export interface OwnedQueries {
  selectFrom<Table extends OwnedTable>(table: Table): SelectQueryBuilder<Tables, Table, object>;
  updateTable<Table extends OwnedTable>(table: Table): UpdateQueryBuilder<Tables, Table, Table, UpdateResult>;
  deleteFrom<Table extends OwnedTable>(table: Table): DeleteQueryBuilder<Tables, Table, DeleteResult>;
  /** The account is added to each row. The rows of a part name what they are part of, so they go in by `ofAnyone`. */
  insert<Table extends AccountTable>(
    table: Table,
    rows: OwnNewRow<Table> | readonly OwnNewRow<Table>[],
  ): InsertQueryBuilder<Tables, Table, InsertResult>;
}

/**
 * Queries on the rows of any account: for jobs, and for callers who hold something unguessable that names the row. An
 * insert names its account itself.
 */
export type AnyonesQueries = QueryCreator<Tables>;

/** A number of rows; PostgreSQL's own count is a bigint, which arrives as a text. */
export const rowCount = sql<number>`count(*)::int`;

/** Runs a change and answers how many rows it changed. */
export async function changedRows(query: {
  execute(): Promise<readonly (Partial<UpdateResult> & Partial<DeleteResult> & Partial<InsertResult>)[]>;
}): Promise<number> {
  const [result] = await query.execute();
  return Number(result?.numUpdatedRows ?? result?.numDeletedRows ?? result?.numInsertedOrUpdatedRows ?? 0n);
}

// The names of tables and columns below come from the generated tables; the builder's types cannot follow a table that
// is a variable.
interface Filtered {
  where(column: unknown, operator: string, value: unknown): never;
}

/** The queries of an account. Throws for no account: an empty owner is a fault of the caller, never everybody. */
export function queriesOf(executor: Kysely<Tables>, accountId: string): OwnedQueries {
  if (!accountId) throw new Error('A query on the rows of an account needs the account.');
  const own = (table: OwnedTable, query: unknown): never => {
    if (!Object.hasOwn(OWNERS, table)) return (query as Filtered).where(sql.ref(`${table}.accountId`), '=', accountId);
    const { column, owner, key } = OWNERS[table as PartTable];
    const owned = sql`(select ${sql.ref(key)} from ${sql.table(owner)} where ${sql.ref('accountId')} = ${accountId})`;
    return (query as Filtered).where(sql.ref(`${table}.${column}`), 'in', owned);
  };
  return {
    selectFrom: (table) => own(table, executor.selectFrom(table as never)),
    updateTable: (table) => own(table, executor.updateTable(table as never)),
    deleteFrom: (table) => own(table, executor.deleteFrom(table as never)),
    insert: (table, rows) =>
      executor
        .insertInto(table)
        .values([rows].flat().map((row) => ({ ...(row as object), accountId })) as never) as never,
  };
}
