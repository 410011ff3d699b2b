// What a column holds where the database itself does not say it: JSON, and texts of a closed set without a constraint.

/**
 * By `table.column`, as the queries name them. A feature declares what its columns hold beside its queries:
 * `declare module '…/platform/db/columns.ts' { interface ColumnTypes { 'gates.head': GateHead } }`.
 */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface ColumnTypes {}

/** What is declared of a column, else what the database says of it. */
export type Column<Name extends string, Fallback> = Name extends keyof ColumnTypes ? ColumnTypes[Name] : Fallback;
