// JSON columns take what they are given as it is: it is written as JSON on its way to the database.
import {
  ColumnNode,
  OperationNodeTransformer,
  PrimitiveValueListNode,
  TableNode,
  ValueNode,
  type ColumnUpdateNode,
  type InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  type QueryId,
  type UpdateQueryNode,
  type ValuesNode,
} from 'kysely';
import { JSON_COLUMNS } from './tables.generated.ts';

/** What PostgreSQL takes in no `jsonb`: U+0000, and half of a surrogate pair. A hostile message may hold both. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** Of two names that become one, the last value counts. */
function storableValue(held: unknown): unknown {
  if (typeof held === 'string') return storable(held);
  if (typeof held !== 'object' || held === null || Array.isArray(held)) return held;
  const names = Object.keys(held);
  if (names.every((name) => storable(name) === name)) return held;
  return Object.fromEntries(Object.entries(held).map(([name, value]) => [storable(name), value]));
}

/** JSON that a `jsonb` column takes. */
export function jsonb(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return UNSTORABLE.test(text) ? JSON.stringify(value, (_key, held: unknown) => storableValue(held)) : text;
}

function written(value: unknown): unknown {
  return value === null || value === undefined ? null : jsonb(value);
}

function jsonColumnsOf(table: OperationNode | undefined): ReadonlySet<string> | undefined {
  return table && TableNode.is(table) ? JSON_COLUMNS.get(table.table.identifier.name) : undefined;
}

/** Values only: an expression says itself what it is. */
function writtenNode(node: OperationNode): OperationNode {
  return ValueNode.is(node) ? ValueNode.create(written(node.value)) : node;
}

class JsonWriter extends OperationNodeTransformer {
  protected override transformInsertQuery(node: InsertQueryNode, queryId?: QueryId): InsertQueryNode {
    const inner = super.transformInsertQuery(node, queryId);
    const json = jsonColumnsOf(inner.into);
    if (!json) return inner;
    const isJson = (inner.columns ?? []).map(({ column }) => json.has(column.name));
    const { onConflict } = inner;
    return {
      ...inner,
      ...(inner.values?.kind === 'ValuesNode' && { values: valuesOf(inner.values as ValuesNode, isJson) }),
      ...(onConflict?.updates && { onConflict: { ...onConflict, updates: updatesOf(onConflict.updates, json) } }),
    };
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, queryId?: QueryId): UpdateQueryNode {
    const inner = super.transformUpdateQuery(node, queryId);
    const json = jsonColumnsOf(inner.table);
    return json && inner.updates ? { ...inner, updates: updatesOf(inner.updates, json) } : inner;
  }
}

function valuesOf(node: ValuesNode, isJson: readonly boolean[]): ValuesNode {
  return {
    ...node,
    values: node.values.map((row) =>
      PrimitiveValueListNode.is(row)
        ? { ...row, values: row.values.map((value, place) => (isJson[place] ? written(value) : value)) }
        : { ...row, values: row.values.map((value, place) => (isJson[place] ? writtenNode(value) : value)) },
    ),
  };
}

function updatesOf(updates: readonly ColumnUpdateNode[], json: ReadonlySet<string>): ColumnUpdateNode[] {
  return updates.map((update) =>
    ColumnNode.is(update.column) && json.has(update.column.column.name)
      ? { ...update, value: writtenNode(update.value) }
      : update,
  );
}

const writer = new JsonWriter();

export const jsonColumns: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => writer.transformNode(node, queryId),
  transformResult: async ({ result }) => result,
};
