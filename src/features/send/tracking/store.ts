import type { Row, Sql } from '../../../platform/db/index.ts';

type TrackingRow = Row<'domainTracking'>;

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'domainTracking.clicks': ClickTracking;
  }
}

/** Whose links are rewritten: none, those of HTML and of plain text, or those of HTML. */
export type ClickTracking = 'no' | 'yes' | 'htmlonly';
export type TrackingSettings = Omit<TrackingRow, 'domainId' | 'accountId' | 'updatedAt'>;

export function findTracking(db: Sql, accountId: string, domainId: string): Promise<TrackingSettings | undefined> {
  return db
    .of(accountId)
    .selectFrom('domainTracking')
    .select(['clicks', 'opens', 'isPixelAtTop', 'unsubscribes', 'htmlFooter', 'textFooter'])
    .where('domainId', '=', domainId)
    .executeTakeFirst();
}

/** Changes what is named; the rest stays, also when somebody changes it at the same time. Answers all of it. */
export function saveTracking(
  db: Sql,
  { domainId, accountId }: Pick<TrackingRow, 'domainId' | 'accountId'>,
  { defaults, change, at }: { defaults: TrackingSettings; change: Partial<TrackingSettings>; at: Date },
): Promise<TrackingSettings> {
  return db
    .of(accountId)
    .insert('domainTracking', { domainId, ...defaults, ...change, updatedAt: at })
    .onConflict((conflict) => conflict.column('domainId').doUpdateSet({ ...change, updatedAt: at }))
    .returning(['clicks', 'opens', 'isPixelAtTop', 'unsubscribes', 'htmlFooter', 'textFooter'])
    .executeTakeFirstOrThrow();
}

/** What is tracked of the domain of this name; undefined where it was never said. */
export function findTrackingByName(db: Sql, accountId: string, name: string): Promise<TrackingSettings | undefined> {
  return db
    .of(accountId)
    .selectFrom('domainTracking')
    .select(['clicks', 'opens', 'isPixelAtTop', 'unsubscribes', 'htmlFooter', 'textFooter'])
    .where('domainId', '=', (from) =>
      from
        .selectFrom('sendingDomains')
        .select('sendingDomains.id')
        .where('accountId', '=', accountId)
        .where('name', '=', name),
    )
    .executeTakeFirst();
}
