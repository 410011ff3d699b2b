// What a template may be called and what it may hold. All of it is read here, with words for what is wrong.
import { isMjml } from '../../../engines/mjml/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import { HEADERS, TEMPLATE_BYTES_MAX } from './contract.ts';
import type { TemplateHeaders } from './store.ts';

const HEADER_LENGTH_MAX = 1000;
const NAME_LENGTH_MAX = 100;

/** Letters of any script, digits, spaces and signs; no slash, so that a path can name it. */
const NAMED = /^[^\p{C}/\\?#]+$/u;

function readNamed(field: string, given: string): string {
  const name = given.trim();
  if (name === '' || name.length > NAME_LENGTH_MAX || !NAMED.test(name))
    throw invalid(
      field,
      `must be 1 to ${NAME_LENGTH_MAX} characters on one line, without a slash, a backslash, a question mark and #.`,
    );
  return name;
}

/** As it is kept: names are in lower case. Throws `invalid_request`. */
export const readName = (name: string): string => readNamed('name', name).toLowerCase();

/** Throws `invalid_request` naming the field. */
export const readTag = (tag: string, field = 'tag'): string => readNamed(field, tag);

/** Whether the text is MJML by its engine. Throws `invalid_request`. */
function isOfMjml(engine: string | undefined): boolean {
  const name = engine?.toLowerCase() ?? '';
  if (name === 'mjml') return true;
  if (name === '' || name === 'handlebars') return false;
  throw invalid(
    'engine',
    'must be handlebars or mjml: templates of go, mustache and other engines are not rendered here.',
  );
}

export interface GivenTexts {
  template?: string | undefined;
  mjml?: string | undefined;
  /** `mjml`: `template` holds MJML. */
  engine?: string | undefined;
}

/** The one text that is given, if one is. Throws `invalid_request`, `too_large`. */
export function readTexts(given: GivenTexts): { template?: string; mjml?: string } {
  const { template = '', mjml = '', engine } = given;
  const isTemplateMjml = isOfMjml(engine);
  if (template !== '' && mjml !== '')
    throw invalid('mjml', 'and template are both given: give one; template becomes what the MJML is compiled to.');
  if (mjml !== '') return { mjml: readText('mjml', mjml) };
  if (template === '') return {};
  if (isTemplateMjml) return { mjml: readText('template', template) };
  const text = readText('template', template);
  if (isMjml(text)) throw invalid('template', 'is MJML: give it in mjml, or say engine=mjml, and it is compiled.');
  return { template: text };
}

/** Throws `invalid_request`, `too_large`. */
function readText(field: 'template' | 'mjml', text: string): string {
  const bytes = Buffer.byteLength(text);
  if (bytes > TEMPLATE_BYTES_MAX)
    throw new AppError(
      'too_large',
      `${field} is ${bytes} bytes; at most ${TEMPLATE_BYTES_MAX} (${TEMPLATE_BYTES_MAX / 1024} KiB) are accepted.`,
      { details: { field } },
    );
  if (text.trim() === '') throw invalid(field, 'is empty.');
  return text.replaceAll('\0', '');
}

function objectOf(given: unknown): Record<string, unknown> {
  const says = 'must be a JSON object such as {"Subject": "Hello"}.';
  let value = given;
  if (typeof given === 'string')
    try {
      value = JSON.parse(given);
    } catch {
      throw invalid('headers', says);
    }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid('headers', says);
  return value as Record<string, unknown>;
}

/** Header fields of a version, by the names of {@link HEADERS}. Throws `invalid_request`. */
export function readHeaders(given: unknown): TemplateHeaders | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  const read: Record<string, string> = {};
  for (const [field, value] of Object.entries(objectOf(given))) {
    const name = HEADERS.find((one) => one.toLowerCase() === field.toLowerCase());
    if (name === undefined)
      throw invalid('headers', `may have ${HEADERS.join(', ')}; "${field.slice(0, 80)}" is not one of them.`);
    if (typeof value !== 'string' || /[\r\n\0]/.test(value) || value.length > HEADER_LENGTH_MAX)
      throw invalid(`headers.${name}`, `must be one line of at most ${HEADER_LENGTH_MAX} characters.`);
    if (value.trim() !== '') read[name] = value.trim();
  }
  return read;
}

/** What forms and JSON say for yes. */
export const isYes = (given: string | boolean | undefined): boolean =>
  given === true || given === 'yes' || given === 'true';

/** The same for no; what is not given is neither. */
export const isNo = (given: string | boolean | undefined): boolean =>
  given === false || given === 'no' || given === 'false';
