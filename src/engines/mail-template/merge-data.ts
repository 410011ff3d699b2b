// Merge tags of a text, filled with what is known of one recipient, in the syntaxes of the common sending services.
import { replaceMergeTags } from '../merge-tags/index.ts';
import { escapeHtml, lookUp } from './recipient-variables.ts';
import { renderTemplate, type TemplateFault } from './render-template.ts';

/** What a sender knows of one recipient, as JSON has it. */
export type MergeData = Readonly<Record<string, unknown>>;

/** `missing`: tags without a value, as written, each once. */
export type FilledTags = { ok: true; text: string; missing: string[] } | { ok: false; fault: TemplateFault };

/** As JSON. */
const DATA_LENGTH_MAX = 1024 * 1024;
const OUTPUT_LENGTH_MAX = 10 * 1024 * 1024;
const MISSING_MAX = 100;

/** Why a value can't be merge data, ready to follow the field's name; undefined: it can. */
export function mergeDataFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be a JSON object.';
  const { length } = JSON.stringify(value);
  return length > DATA_LENGTH_MAX
    ? `is ${length} characters of JSON; at most ${DATA_LENGTH_MAX} are accepted.`
    : undefined;
}

/** Handlebars' own; nothing else has them. */
const BLOCK = /\{\{~?[ \t]{0,20}[#^]/;

/**
 * The text with the data in place of its merge tags. Blocks (`{{#if}}`, `{{#each}}`) are Handlebars', and a fault in
 * them is the answer; everything else is a plain look-up, with the default of the tag where it has one. Only the data's
 * own properties are seen, and values are not read for tags. A tag without a value stays as it is, and so does one with
 * a filter other than `default`. `as: 'html'` escapes values, apart from those of `{{{x}}}`.
 */
export async function fillMergeTags(
  text: string,
  { data, as }: { data: MergeData; as: 'html' | 'text' },
): Promise<FilledTags> {
  if (!BLOCK.test(text)) return fillPlain(text, { data, as });
  const rendered = await renderTemplate(text, { variables: data, as, keepsMissing: true });
  return rendered.ok ? fillPlain(rendered.text, { data, as }) : rendered;
}

function fillPlain(text: string, { data, as }: { data: MergeData; as: 'html' | 'text' }): FilledTags {
  const missing = new Set<string>();
  let { length } = text;
  const filled = replaceMergeTags(text, (tag, { name, filter, ignoresCase, isRaw }) => {
    const found = plainText(find(data, name, ignoresCase));
    const value = found || (defaultOf(filter) ?? found);
    if (value === undefined) {
      if (missing.size < MISSING_MAX) missing.add(tag);
      return undefined;
    }
    const written = as === 'html' && !isRaw ? escapeHtml(value) : value;
    length += written.length - tag.length;
    return length > OUTPUT_LENGTH_MAX ? '' : written;
  });
  if (length <= OUTPUT_LENGTH_MAX) return { ok: true, text: filled, missing: [...missing] };
  return {
    ok: false,
    fault: { problem: `The result is longer than ${OUTPUT_LENGTH_MAX} characters.`, line: null, column: null },
  };
}

/** `%recipient%` and `%recipient_email%` are the address; a name after `recipient.` may stand at the top as well. */
function find(data: MergeData, name: string, ignoresCase: boolean): unknown {
  if (name === 'recipient') return typeof data['recipient'] === 'string' ? data['recipient'] : data['email'];
  const path = name
    .replace(/^(?:this\.|@root\.|\.\/|\.)/, '')
    .replace(/\[\s*(?:'([^']*)'|"([^"]*)"|(\d+))\s*\]/g, '.$1$2$3')
    .split(/[./]/);
  if (name === 'recipient_email') return lookUp(data, [name]) ?? data['email'];
  const whole = lookUp(data, [name], ignoresCase) ?? lookUp(data, path, ignoresCase);
  return whole === undefined && path[0] === 'recipient' ? lookUp(data, path.slice(1), ignoresCase) : whole;
}

/** Lists and objects have no text of their own. */
function plainText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

function defaultOf(filter: string | undefined): string | undefined {
  const written = filter?.replace(/&quot;|&#34;/g, '"').replace(/&apos;|&#39;/g, "'");
  const match = /^\|\s*default\s*[:(]\s*(?:"([^"]*)"|'([^']*)'|([\w.-]+))\s*\)?\s*$/.exec(written ?? '');
  return match ? (match[1] ?? match[2] ?? match[3]) : undefined;
}
