// The types of the tables for queries, read back from a database that all migrations were applied to.
import { sql, type Db } from '../src/platform/db/index.ts';

interface Column {
  table: string;
  name: string;
  type: string;
  isRequired: boolean;
  hasFallback: boolean;
}

interface ForeignKey {
  table: string;
  columns: string[];
  parent: string;
  keys: string[];
}

const TYPES: Record<string, string> = {
  text: 'string',
  uuid: 'string',
  bigint: 'string',
  integer: 'number',
  smallint: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  jsonb: 'unknown',
  'timestamp with time zone': 'Date',
};

const camel = (name: string): string => name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

function baseType({ table, name, type }: Column, values: Map<string, string[]>): string {
  const list = /^(.*)\[\]$/.exec(type)?.[1];
  const known = TYPES[list ?? type];
  if (known === undefined) throw new Error(`${table}.${name}: no type is known for ${type}.`);
  if (list !== undefined) return `${known}[]`;
  const closed = values.get(`${table}.${name}`);
  if (closed) return closed.map((value) => `'${value}'`).join(' | ');
  const isOpen = type === 'jsonb' || (type === 'text' && !/(?:^|_)id$/.test(name));
  return isOpen ? `Column<'${camel(table)}.${camel(name)}', ${known}>` : known;
}

function typeOf(column: Column, values: Map<string, string[]>): string {
  const base = baseType(column, values);
  const type = column.isRequired ? base : `${base} | null`;
  return column.hasFallback ? `Generated<${type}>` : type;
}

/** The values of columns that a constraint of the form `column in (…)` closes. */
function closedSets(constraints: readonly { table: string; text: string }[]): Map<string, string[]> {
  const sets = new Map<string, string[]>();
  for (const { table, text } of constraints) {
    const found = /^CHECK \(\((\w+) = ANY \(ARRAY\[(.*)\]\)\)\)$/.exec(text);
    if (found)
      sets.set(
        `${table}.${found[1]}`,
        [...found[2]!.matchAll(/'([^']*)'::text/g)].map((match) => match[1]!),
      );
  }
  return sets;
}

/** For a table without an account: the column that leads to a row with one, over as many tables as it takes. */
function ownersOf(owned: ReadonlySet<string>, keys: readonly ForeignKey[]): Map<string, [string, string, string]> {
  const owners = new Map<string, [string, string, string]>();
  const follow = (table: string, column: string): [string, string] | undefined => {
    for (const key of keys.filter((one) => one.table === table)) {
      const place = key.columns.indexOf(column);
      if (place < 0) continue;
      const parentKey = key.keys[place]!;
      if (owned.has(key.parent)) return [key.parent, parentKey];
      const further = follow(key.parent, parentKey);
      if (further) return further;
    }
    return undefined;
  };
  for (const { table, columns } of keys) {
    if (owned.has(table) || owners.has(table)) continue;
    for (const column of columns) {
      const found = follow(table, column);
      if (found && !owners.has(table)) owners.set(table, [column, ...found]);
    }
  }
  return owners;
}

const LINE_LENGTH = 120;

/** As many on a line as fit: a file of one column a line is longer than a file may be. */
function linesOf(fields: readonly string[]): string {
  const lines: string[] = [];
  for (const field of fields) {
    const joined = `${lines.at(-1) ?? '   '} ${field}`;
    if (lines.length > 0 && joined.length <= LINE_LENGTH) lines[lines.length - 1] = joined;
    else lines.push(`    ${field}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** A module with the type of every table, its JSON columns, and whose its rows are. */
export async function tablesModule(db: Db, note: string): Promise<string> {
  const columns = await db.rows(sql<Column>`
    select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as is_required, a.atthasdef or a.attidentity <> '' as has_fallback
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by c.relname, a.attnum
  `);
  const constraints = await db.rows(sql<{ table: string; text: string }>`
    select conrelid::regclass::text as "table", pg_get_constraintdef(oid) as text
    from pg_constraint
    where connamespace = 'public'::regnamespace and contype = 'c'
    order by 1, 2
  `);
  const foreignKeys = await db.rows(sql<ForeignKey>`
    select conrelid::regclass::text as "table", confrelid::regclass::text as parent,
      array(
        select attname::text
        from unnest(conkey) with ordinality as k (num, place)
        join pg_attribute on attrelid = conrelid and attnum = k.num
        order by place
      ) as columns,
      array(
        select attname::text
        from unnest(confkey) with ordinality as k (num, place)
        join pg_attribute on attrelid = confrelid and attnum = k.num
        order by place
      ) as keys
    from pg_constraint
    where connamespace = 'public'::regnamespace and contype = 'f'
    order by 1, cardinality(conkey), conname
  `);
  const tables = [...Map.groupBy(columns, (column) => column.table)];
  const owned = new Set(columns.filter(({ name }) => name === 'account_id').map(({ table }) => table));
  const values = closedSets(constraints);
  const fieldOf = (column: Column): string => `${camel(column.name)}: ${typeOf(column, values)};`;
  const types = tables.map(([table, own]) => `  ${camel(table)}: {\n${linesOf(own.map(fieldOf))}  };\n`);
  const json = tables.flatMap(([table, own]) => {
    const names = own.filter(({ type }) => type === 'jsonb').map(({ name }) => `'${name}'`);
    return names.length ? [`  ['${table}', new Set([${names.join(', ')}])],\n`] : [];
  });
  const owners = [...ownersOf(owned, foreignKeys)].map(
    ([table, [column, owner, key]]) =>
      `  ${camel(table)}: { column: '${camel(column)}', owner: '${camel(owner)}', key: '${camel(key)}' },\n`,
  );
  return (
    `// ${note}\nimport type { Generated } from 'kysely';\nimport type { Column } from './columns.ts';\n\n` +
    `/** Every table, with the columns of its rows. */\nexport interface Tables {\n${types.join('')}}\n\n` +
    '/** The JSON columns of each table, as the database names them. */\n' +
    `export const JSON_COLUMNS: ReadonlyMap<string, ReadonlySet<string>> = new Map([\n${json.join('')}]);\n\n` +
    '/** Tables whose rows are parts of others: the column that leads to the row with the account. */\n' +
    `export const OWNERS = {\n${owners.join('')}} as const;\n`
  );
}
