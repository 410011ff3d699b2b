// Stored templates with variables in place, for messages and tests.
import type { Sql } from '../../../platform/db/index.ts';
import { invalid, type AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { templateFault } from '../../proof/_message/index.ts';
import { compileTemplate, renderVersion, type RenderedVersion, type ToRender } from './computations.ts';
import { findTemplate, findVersion, type Template, type Version } from './store.ts';

interface Wanted {
  accountId: string;
  /** The domain whose templates are looked at first; null: those of the account alone. */
  domainId: string | null;
  name: string;
  /** Of the version; the active one where none is named. */
  tag?: string | undefined;
}

/** What is missing, and a sentence about it. */
interface Lacking {
  lacks: 'template' | 'version';
  why: string;
}

/** The version of a template by its name: of the domain, or else of the account. */
export async function findStored(
  db: Sql,
  { accountId, domainId, name: given, tag }: Wanted,
): Promise<{ template: Template; version: Version } | Lacking> {
  const name = given.trim().toLowerCase();
  const own = domainId === null ? undefined : await findTemplate(db, { accountId, domainId }, name);
  const template = own ?? (await findTemplate(db, { accountId, domainId: null }, name));
  if (!template) return { lacks: 'template', why: `There is no template named "${given.slice(0, 100)}".` };
  const version = await findVersion(db, accountId, { templateId: template.id, tag: tag?.trim() });
  if (version) return { template, version };
  return {
    lacks: 'version',
    why:
      tag === undefined
        ? `The template "${name}" has no active version: name a version, or make one active.`
        : `The template "${name}" has no version with the tag "${tag.slice(0, 100)}".`,
  };
}

/** Throws `invalid_request` naming the part that cannot be filled, `too_large` for one that takes too long. */
export async function renderStored({ compute }: Pick<Outside, 'compute'>, wanted: ToRender): Promise<RenderedVersion> {
  const { template, headers, variables, withText } = wanted;
  const rendered = await compute.run(renderVersion, { template, headers, variables, withText }, { urgency: 'answer' });
  if ('fault' in rendered) throw templateFault(rendered.field, rendered.fault);
  return rendered;
}

/** The HTML of MJML. Throws `invalid_request` naming its first line that is wrong; for `strict`, also what is odd. */
export async function compileStored(
  { compute }: Pick<Outside, 'compute'>,
  { mjml, validation = 'soft' }: { mjml: string; validation?: 'strict' | 'soft' | undefined },
): Promise<{ html: string; warnings: string[] }> {
  const compiled = await compute.run(compileTemplate, { mjml }, { urgency: 'answer' });
  if ('fault' in compiled) throw mjmlFault(compiled.fault);
  const [first] = compiled.warnings;
  if (first && validation === 'strict') throw mjmlFault(first);
  const warnings = compiled.warnings.map(({ line, problem }) => (line === null ? problem : `Line ${line}: ${problem}`));
  return { html: compiled.html, warnings };
}

const mjmlFault = ({ line, problem }: { line: number | null; problem: string }): AppError =>
  invalid('mjml', `cannot be compiled${line === null ? '' : `, line ${line}`}: ${problem}`);
