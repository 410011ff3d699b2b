// A call that names a template: the parts that the template has, filled with the variables of the call.
import type { Outside } from '../../../platform/feature/index.ts';
import { findDomain } from '../sending-domains/index.ts';
import { findStored, renderStored } from '../templates/index.ts';
import { lineOf, objectOf, textOf, textsOf, wrong, type Form } from './fields.ts';
import { readFlag, readUserVariables, refuseLarge } from './options.ts';
import type { TemplateFacts } from './store.ts';

const FIELDS = ['t:version', 't:text', 't:variables'] as const;

/** Variables of the template: those of the message, and `t:variables` before them. */
function variablesOf(form: Form): Record<string, unknown> {
  const given = textOf(form, 't:variables');
  return { ...readUserVariables(form), ...(given !== undefined && objectOf('t:variables', given)) };
}

function admit(form: Form): void {
  refuseLarge(form);
  const unknown = Object.keys(form).find((field) => field.startsWith('t:') && !FIELDS.some((one) => one === field));
  if (unknown !== undefined)
    throw wrong(unknown, `${unknown.slice(0, 100)} is not known here; valid are ${FIELDS.join(', ')}.`);
}

/** What messages say themselves goes before what the template says. */
function withParts(
  form: Form,
  { html, text, headers }: { html: string; text: string | undefined; headers: Readonly<Record<string, string>> },
): Form {
  const filled: Form = Object.fromEntries(
    Object.entries(form).filter(([field]) => field !== 'template' && !field.startsWith('t:')),
  );
  filled['html'] = html;
  if (text !== undefined && textOf(form, 'text') === undefined) filled['text'] = text;
  for (const [field, value] of [
    ['from', headers['From']],
    ['subject', headers['Subject']],
  ] as const)
    if (value && textOf(form, field) === undefined) filled[field] = value;
  const replyTo = headers['Reply-To'];
  if (replyTo && !Object.keys(form).some((field) => /^h:reply-to$/i.test(field))) filled['h:Reply-To'] = replyTo;
  return filled;
}

/**
 * The call with the parts of the template that it names, and which one that is; a call that names none stays as it is.
 * Throws `invalid_request` naming the field: there is no such template or version, or it cannot be filled.
 */
export async function fillFromTemplate(
  { db, compute }: Pick<Outside, 'db' | 'compute'>,
  { accountId, domain }: { accountId: string; domain: string },
  form: Form,
): Promise<{ form: Form; template?: TemplateFacts }> {
  const name = lineOf(form, 'template')?.trim();
  if (!name) {
    const idle = FIELDS.find((field) => textsOf(form, field).some((text) => text !== ''));
    if (idle !== undefined) throw wrong(idle, `${idle} needs template, the name of a template.`);
    return { form };
  }
  admit(form);
  if (textOf(form, 'html') !== undefined) throw wrong('html', 'html and template are both given; give one of them.');
  const domainId = (await findDomain(db, accountId, domain))?.id ?? null;
  const tag = lineOf(form, 't:version')?.trim() || undefined;
  const stored = await findStored(db, { accountId, domainId, name, tag });
  if ('lacks' in stored) {
    const field = stored.lacks === 'version' && tag !== undefined ? 't:version' : 'template';
    throw wrong(field, `${field}: ${stored.why}`);
  }
  const withText = readFlag(form, 't:text') === true;
  const variables = variablesOf(form);
  const { template, headers } = stored.version;
  const rendered = await renderStored({ compute }, { template, headers, variables, withText });
  if (rendered.html.trim() === '') throw wrong('template', 'template became an empty text with these variables.');
  return {
    form: withParts(form, rendered),
    template: {
      name: stored.template.name,
      version: stored.version.tag,
      ...(withText && { isText: true as const }),
      variables: JSON.stringify(variables),
    },
  };
}
