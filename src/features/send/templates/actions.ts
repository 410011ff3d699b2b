import type { Sql } from '../../../platform/db/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { newUuid } from '../../../platform/ids/index.ts';
import { admitStored } from '../../account/accounts/index.ts';
import { templateFault } from '../../proof/_message/index.ts';
import { findFault } from './computations.ts';
import { VERSIONS_MAX } from './contract.ts';
import { isNo, isYes, readHeaders, readName, readTag, readTexts, type GivenTexts } from './fields.ts';
import { compileStored } from './rendering.ts';
import * as store from './store.ts';
import type { Place, Template, TemplateHeaders, Version } from './store.ts';

type Validation = 'strict' | 'soft';

type Doors = Pick<Context, 'db' | 'clock' | 'compute' | 'config'>;

const noTemplate = (): AppError => new AppError('not_found', 'template not found');
const noVersion = (): AppError => new AppError('not_found', 'version not found');

/** Names of paths are looked up in lower case; one that no template can have is not found. */
const kept = (name: string): string => name.trim().toLowerCase();

/** Throws `not_found`. */
export async function getTemplate({ db }: Pick<Outside, 'db'>, place: Place, name: string): Promise<Template> {
  const template = await store.findTemplate(db, place, kept(name));
  if (!template) throw noTemplate();
  return template;
}

/** Throws `not_found`. */
export async function getVersion(db: Sql, template: Template, tag: string): Promise<Version> {
  const version = await store.findVersion(db, template.accountId, { templateId: template.id, tag: tag.trim() });
  if (!version) throw noVersion();
  return version;
}

/** Throws `invalid_request` naming the first text that is no template, and its line. */
async function admitTexts(
  { compute }: Pick<Outside, 'compute'>,
  { template, headers = {} }: { template?: string | undefined; headers?: TemplateHeaders | undefined },
): Promise<void> {
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [`headers.${name}`, value]));
  const faulty = await compute.run(
    findFault,
    { ...(template !== undefined && { template }), ...named },
    { urgency: 'answer' },
  );
  if (faulty) throw templateFault(faulty.field, faulty.fault);
}

interface GivenVersion extends GivenTexts {
  validation?: Validation | undefined;
  tag?: string | undefined;
  comment?: string | undefined;
  headers?: unknown;
}

type NewVersion = Pick<Version, 'tag' | 'template' | 'mjml' | 'comment' | 'headers'>;
/** What is kept, and what is to be said of it. */
type Said<Kept> = Kept & { warnings: string[] };

/** The HTML of what is given, and its MJML; undefined: none is. Throws `invalid_request`, `too_large`. */
async function readHtml(
  doors: Doors,
  given: GivenVersion,
): Promise<Said<Pick<Version, 'template' | 'mjml'>> | undefined> {
  const { template, mjml } = readTexts(given);
  if (mjml !== undefined) {
    const { html, warnings } = await compileStored(doors, { mjml, validation: given.validation });
    return { template: html, mjml, warnings };
  }
  return template === undefined ? undefined : { template, mjml: '', warnings: [] };
}

/** Throws `invalid_request`, `too_large`. */
async function readVersion(doors: Doors, given: GivenVersion): Promise<Said<NewVersion>> {
  const tag = readTag(given.tag || 'initial');
  const headers = readHeaders(given.headers) ?? {};
  const texts = await readHtml(doors, given);
  if (!texts) throw invalid('template', 'is required.');
  await admitTexts(doors, { template: texts.template, headers });
  return { ...texts, tag, headers, comment: given.comment ?? '' };
}

function rowOf(template: Template, version: NewVersion, more: Pick<Version, 'isActive' | 'createdAt'>): Version {
  const { tag, template: text, mjml, comment, headers } = version;
  const { id: templateId, accountId } = template;
  return { id: newUuid(), accountId, templateId, tag, template: text, mjml, comment, headers, ...more };
}

/** With its first version, where a text is given. Throws `invalid_request`, `too_many_requests`. */
export async function createTemplate(
  doors: Doors,
  place: Place,
  given: GivenVersion & { name: string; description?: string | undefined; createdBy?: string | undefined },
): Promise<Said<{ template: Template; version: Version | undefined }>> {
  const { accountId } = place;
  const name = readName(given.name);
  const { template: html, mjml } = readTexts(given);
  const first = html === undefined && mjml === undefined ? undefined : await readVersion(doors, given);
  await admitStored(doors, accountId, {
    quota: 'templates',
    count: () => store.countTemplates(doors.db, accountId),
  });
  const template: Template = {
    id: newUuid(),
    ...place,
    name,
    description: given.description ?? '',
    createdBy: given.createdBy ?? '',
    createdAt: doors.clock.now(),
  };
  const version = first && rowOf(template, first, { isActive: true, createdAt: template.createdAt });
  await doors.db.tx(async (tx) => {
    if (!(await store.insertTemplate(tx, template)))
      throw invalid('name', `"${name}" is the name of a template already.`);
    if (version) await store.insertVersion(tx, version);
  });
  return { template, version, warnings: first?.warnings ?? [] };
}

/** Throws `invalid_request` where there is one with that tag, or there are as many as there may be. */
async function addVersion(
  doors: Pick<Doors, 'db' | 'clock'>,
  template: Template,
  { version, isActive, field }: { version: NewVersion; isActive: boolean; field: string },
): Promise<Version> {
  const { accountId, id: templateId } = template;
  const createdAt = doors.clock.now();
  return doors.db.tx(async (tx) => {
    if (!(await store.lockTemplate(tx, template, template.name))) throw noTemplate();
    const count = await store.countVersions(tx, accountId, templateId);
    if (count >= VERSIONS_MAX)
      throw invalid(field, `would be one too many: the template has ${count} versions; it may have ${VERSIONS_MAX}.`);
    const row = rowOf(template, version, { isActive: isActive || count === 0, createdAt });
    if (row.isActive) await store.deactivate(tx, accountId, templateId);
    if (!(await store.insertVersion(tx, row)))
      throw invalid(field, `"${version.tag}" is the tag of a version of this template already.`);
    return row;
  });
}

/** The first one is the active one. Throws `invalid_request`, `too_large`, `not_found`. */
export async function createVersion(
  doors: Doors,
  template: Template,
  { active, ...given }: GivenVersion & { active?: string | boolean | undefined },
): Promise<Said<{ version: Version }>> {
  const version = await readVersion(doors, given);
  const { warnings } = version;
  return { version: await addVersion(doors, template, { version, isActive: isYes(active), field: 'tag' }), warnings };
}

/** Throws `invalid_request`, `not_found`. */
export async function copyVersion(
  doors: Doors,
  template: Template,
  { from, to, comment }: { from: string; to: string; comment: string | undefined },
): Promise<Version> {
  const copied = await getVersion(doors.db, template, from);
  const tag = readTag(to, 'new_version_name');
  const version = { ...copied, tag, comment: comment ?? copied.comment };
  return addVersion(doors, template, { version, isActive: false, field: 'new_version_name' });
}

/** What is not given stays. Throws `invalid_request`, `too_large`, `not_found`. */
export async function changeVersion(
  doors: Doors,
  template: Template,
  { tag, active, ...given }: Omit<GivenVersion, 'tag'> & { tag: string; active?: string | boolean | undefined },
): Promise<Said<{ version: Version }>> {
  const headers = readHeaders(given.headers);
  const texts = await readHtml(doors, given);
  await admitTexts(doors, { template: texts?.template, headers });
  const { accountId, id: templateId } = template;
  return doors.db.tx(async (tx) => {
    if (!(await store.lockTemplate(tx, template, template.name))) throw noTemplate();
    const version = await getVersion(tx, template, tag);
    if (version.isActive && isNo(active))
      throw invalid('active', 'cannot be no for the active version: make another version the active one.');
    if (isYes(active)) await store.deactivate(tx, accountId, templateId);
    const changed = {
      ...version,
      template: texts?.template ?? version.template,
      mjml: texts?.mjml ?? version.mjml,
      comment: given.comment ?? version.comment,
      headers: headers ?? version.headers,
      isActive: version.isActive || isYes(active),
    };
    const { id, template: written, mjml, comment, headers: fields, isActive } = changed;
    await store.updateVersion(tx, accountId, { id, template: written, mjml, comment, headers: fields, isActive });
    return { version: changed, warnings: texts?.warnings ?? [] };
  });
}

/** Throws `not_found`. */
export async function removeVersion({ db }: Doors, template: Template, tag: string): Promise<Version> {
  const version = await getVersion(db, template, tag);
  if (!(await store.deleteVersion(db, template.accountId, version.id))) throw noVersion();
  return version;
}

/** Throws `not_found`. */
export async function removeTemplate({ db }: Doors, place: Place, name: string): Promise<Template> {
  const template = await getTemplate({ db }, place, name);
  if (!(await store.deleteTemplate(db, place.accountId, template.id))) throw noTemplate();
  return template;
}
