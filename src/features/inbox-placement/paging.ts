// Lists of this group: `limit` with `offset`, or with a `cursor`, which holds its place while the list grows.
import { Type } from 'typebox';
import { invalid } from '../../platform/errors/index.ts';
import { sql, type RawBuilder, type Sql } from '../../platform/db/index.ts';

export const pageFields = {
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 25 }),
  offset: Type.Optional(Type.Integer({ minimum: 0 })),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'From `paging`; not together with `offset`.' })),
  ascending: Type.Boolean({ default: false }),
  sort: Type.Optional(Type.String({ maxLength: 40 })),
};

export interface PageQuery {
  limit: number;
  offset?: number | undefined;
  cursor?: string | undefined;
  ascending: boolean;
  sort?: string | undefined;
}

export interface Listing {
  table: 'seed_lists' | 'placement_results';
  id: 'kid' | 'result_id';
  columns: RawBuilder<unknown>;
  where: RawBuilder<unknown>[];
  /** What may be sorted by; the first is the default. */
  sorts: readonly string[];
}

export interface Paged<Row> {
  items: Row[];
  total: number;
}

/** Reads one page. A cursor is the id of the last row before the page, or of the first after it with `-` in front. */
export async function readPage<Row>(db: Sql, { table, id, columns, where, sorts }: Listing, page: PageQuery): Promise<Paged<Row>> {
  if (page.cursor !== undefined && page.offset !== undefined) throw invalid('cursor, offset:', 'give one of them, not both.');
  const sort = page.sort ?? (sorts[0] as string);
  if (!sorts.includes(sort)) throw invalid('sort', `must be one of ${sorts.join(', ')}.`);
  const isBackwards = page.cursor?.startsWith('-') ?? false;
  const isAscending = page.ascending !== isBackwards;
  const order = sql.raw(`${sort} ${isAscending ? 'asc' : 'desc'}, ${id} ${isAscending ? 'asc' : 'desc'}`);
  const clauses = [...where];
  if (page.cursor !== undefined) {
    const anchor = page.cursor.replace(/^-/, '');
    clauses.push(sql`(${sql.raw(sort)}, ${sql.raw(id)}) ${sql.raw(isAscending ? '>' : '<')} (select ${sql.raw(sort)}, ${sql.raw(id)} from ${sql.raw(table)} where ${sql.raw(id)} = ${anchor})`);
  }
  const items = await db.rows(sql<Row>`select ${columns} from ${sql.raw(table)} where ${sql.join(clauses, sql` and `)} order by ${order} limit ${page.limit} offset ${page.offset ?? 0}`);
  const counted = await db.first(sql<{ total: number }>`select count(*)::int as total from ${sql.raw(table)} where ${sql.join(where, sql` and `)}`);
  return { items: isBackwards ? items.reverse() : items, total: counted?.total ?? 0 };
}

/** Absolute addresses only, and none that leads nowhere: clients parse each. */
export function pagingView(url: string, { query, ids, total }: { query: PageQuery & Record<string, unknown>; ids: readonly string[]; total: number }) {
  const at = (place: { offset?: number; cursor?: string }): string => {
    const address = new URL(url);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && !['offset', 'cursor', 'ascending'].includes(name)) address.searchParams.set(name, value instanceof Date ? value.toISOString() : String(value));
    }
    address.searchParams.set('ascending', query.ascending ? '1' : '0');
    for (const [name, value] of Object.entries(place)) address.searchParams.set(name, String(value));
    return address.href;
  };
  const first = ids[0];
  const last = ids.at(-1);
  const lastOffset = Math.max(0, Math.ceil(total / query.limit) - 1) * query.limit;
  const seen = (query.offset ?? 0) + ids.length;
  return {
    first: at({ offset: 0 }),
    last: at({ offset: lastOffset }),
    ...(last !== undefined && (query.cursor !== undefined ? ids.length === query.limit : seen < total) && { next: at({ cursor: last }) }),
    ...(first !== undefined && (query.cursor !== undefined || (query.offset ?? 0) > 0) && { previous: at({ cursor: `-${first}` }) }),
  };
}

/** RFC 2822 or ISO 8601, as different clients send it. */
export function readTime(field: string, text: string | undefined): Date | undefined {
  if (text === undefined || text === '') return undefined;
  const at = new Date(/^\d{9,11}$/.test(text) ? Number(text) * 1000 : text);
  if (Number.isNaN(at.getTime())) throw invalid(field, `"${text}" is not a time; give it as RFC 2822 or ISO 8601.`);
  return at;
}
