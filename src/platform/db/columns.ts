// The types of columns that the database does not know: JSON, and texts of a closed set without a constraint.

/**
 * By `table.column`, as the queries name them. A feature declares what its columns hold beside its queries:
 * `declare module '…/platform/db/columns.ts' { interface ColumnTypes { 'gates.head': GateHead } }`.
 */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface ColumnTypes {}

/** The declared type of a column; without one, the type that the database gives. */
export type Column<Name extends string, Fallback> = Name extends keyof ColumnTypes ? ColumnTypes[Name] : Fallback;
