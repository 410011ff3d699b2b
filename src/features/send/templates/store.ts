import { changedRows, rowCount, type Row, type Sql } from '../../../platform/db/index.ts';
import { readPivotPage, type PivotPage } from '../../../platform/paging/index.ts';

/** By the names of {@link HEADERS}. */
export type TemplateHeaders = Readonly<Record<string, string>>;

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'templateVersions.headers': TemplateHeaders;
  }
}

export type Template = Row<'templates'>;
export type Version = Row<'templateVersions'>;

/** Whose templates: those of a domain, or, without one, of the whole account. */
export interface Place {
  accountId: string;
  domainId: string | null;
}

const inPlace = (db: Sql, { accountId, domainId }: Place) => {
  const own = db.of(accountId).selectFrom('templates').selectAll();
  return domainId === null ? own.where('domainId', 'is', null) : own.where('domainId', '=', domainId);
};

/** By name. */
export function listTemplates(db: Sql, place: Place, page: PivotPage): Promise<Template[]> {
  return readPivotPage(inPlace(db, place), { name: 'p', column: 'name' }, page);
}

export function findTemplate(db: Sql, place: Place, name: string): Promise<Template | undefined> {
  return inPlace(db, place).where('name', '=', name).executeTakeFirst();
}

/** The same; who changes its versions goes one after the other. */
export function lockTemplate(tx: Sql, place: Place, name: string): Promise<Template | undefined> {
  return inPlace(tx, place).where('name', '=', name).forUpdate().executeTakeFirst();
}

export async function countTemplates(db: Sql, accountId: string): Promise<number> {
  const { total } = await db
    .of(accountId)
    .selectFrom('templates')
    .select(rowCount.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** False: there is one of that name. */
export async function insertTemplate(tx: Sql, template: Template): Promise<boolean> {
  const added = tx.of(template.accountId).insert('templates', template);
  return (await changedRows(added.onConflict((conflict) => conflict.doNothing()))) > 0;
}

export async function describeTemplate(
  db: Sql,
  accountId: string,
  { id, description }: Pick<Template, 'id' | 'description'>,
): Promise<void> {
  await db.of(accountId).updateTable('templates').set({ description }).where('id', '=', id).execute();
}

/** False: there is none, or no more. */
export async function deleteTemplate(db: Sql, accountId: string, id: string): Promise<boolean> {
  return (await changedRows(db.of(accountId).deleteFrom('templates').where('id', '=', id))) > 0;
}

export async function deleteTemplates(db: Sql, { accountId, domainId }: Place): Promise<void> {
  const own = db.of(accountId).deleteFrom('templates');
  await (domainId === null ? own.where('domainId', 'is', null) : own.where('domainId', '=', domainId)).execute();
}

const versionsOf = (db: Sql, accountId: string, templateId: string) =>
  db.of(accountId).selectFrom('templateVersions').selectAll().where('templateId', '=', templateId);

/** By tag. */
export function listVersions(
  db: Sql,
  accountId: string,
  { templateId, page }: { templateId: string; page: PivotPage },
): Promise<Version[]> {
  return readPivotPage(versionsOf(db, accountId, templateId), { name: 'p', column: 'tag' }, page);
}

/** The version with this tag; without a tag, the active one. */
export function findVersion(
  db: Sql,
  accountId: string,
  { templateId, tag }: { templateId: string; tag?: string | undefined },
): Promise<Version | undefined> {
  const all = versionsOf(db, accountId, templateId);
  return (tag === undefined ? all.where('isActive', '=', true) : all.where('tag', '=', tag)).executeTakeFirst();
}

export async function countVersions(tx: Sql, accountId: string, templateId: string): Promise<number> {
  const { total } = await tx
    .of(accountId)
    .selectFrom('templateVersions')
    .select(rowCount.as('total'))
    .where('templateId', '=', templateId)
    .executeTakeFirstOrThrow();
  return total;
}

/** False: there is one with that tag. */
export async function insertVersion(tx: Sql, version: Version): Promise<boolean> {
  const added = tx.of(version.accountId).insert('templateVersions', version);
  return (await changedRows(added.onConflict((conflict) => conflict.columns(['templateId', 'tag']).doNothing()))) > 0;
}

/** No version of the template is the active one. */
export async function deactivate(tx: Sql, accountId: string, templateId: string): Promise<void> {
  await tx
    .of(accountId)
    .updateTable('templateVersions')
    .set({ isActive: false })
    .where('templateId', '=', templateId)
    .where('isActive', '=', true)
    .execute();
}

export async function updateVersion(
  tx: Sql,
  accountId: string,
  { id, ...change }: Pick<Version, 'id' | 'template' | 'mjml' | 'comment' | 'headers' | 'isActive'>,
): Promise<void> {
  await tx.of(accountId).updateTable('templateVersions').set(change).where('id', '=', id).execute();
}

/** False: there is none, or no more. */
export async function deleteVersion(tx: Sql, accountId: string, id: string): Promise<boolean> {
  return (await changedRows(tx.of(accountId).deleteFrom('templateVersions').where('id', '=', id))) > 0;
}
