// What strangers' templates compute; each runs where it can be ended.
import { textOf } from '../../../engines/html/index.ts';
import { renderTemplate, templateFaultIn, type TemplateFault } from '../../../engines/mail-template/index.ts';
import { compileMjml, type MjmlProblem } from '../../../engines/mjml/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';

const here = import.meta.url;

/** Characters of what a template becomes. */
const RESULT_LENGTH_MAX = 5 * 1024 * 1024;
const LINE_LENGTH_MAX = 2000;

interface Faulty {
  field: string;
  fault: TemplateFault;
}

/** The first of these texts that cannot be read as a template, by its name. */
export const findFault = defineComputation(
  here,
  'findFault',
  async (texts: Readonly<Record<string, string>>): Promise<Faulty | undefined> => {
    for (const [field, source] of Object.entries(texts)) {
      const fault = await templateFaultIn(source);
      if (fault) return { field, fault };
    }
    return undefined;
  },
);

/** The HTML of MJML, with the variables still in it; or what is wrong with it, by its line in the MJML. */
export const compileTemplate = defineComputation(
  here,
  'compileTemplate',
  async ({ mjml }: { mjml: string }): Promise<{ html: string; warnings: MjmlProblem[] } | Faulty> => {
    const written = await templateFaultIn(mjml);
    if (written) return { field: 'mjml', fault: written };
    const compiled = await compileMjml(mjml);
    if (!compiled.ok) return { field: 'mjml', fault: { ...compiled.problem, column: null } };
    // Where MJML moves what stands in a block out of it, or leaves one end of it out.
    const moved = await templateFaultIn(compiled.html);
    if (moved) return { field: 'mjml', fault: { problem: `In its HTML, ${moved.problem}`, line: null, column: null } };
    return { html: compiled.html, warnings: compiled.warnings };
  },
);

export interface ToRender {
  template: string;
  headers: Readonly<Record<string, string>>;
  variables: Readonly<Record<string, unknown>>;
  /** The text that the HTML says is wanted, too. */
  withText: boolean;
}

export interface RenderedVersion {
  html: string;
  text: string | undefined;
  /** One line each. */
  headers: Record<string, string>;
  /** Names without a value, which became nothing; the first hundred. */
  missing: string[];
}

/** A version with variables in place, escaped where it is HTML; or its first part that cannot be rendered. */
export const renderVersion = defineComputation(
  here,
  'renderVersion',
  async ({ template, headers, variables, withText }: ToRender): Promise<RenderedVersion | Faulty> => {
    const missing = new Set<string>();
    const lines: Record<string, string> = {};
    for (const [name, source] of Object.entries(headers)) {
      const line = await renderTemplate(source, {
        variables,
        as: 'text',
        limits: { outputLengthMax: LINE_LENGTH_MAX },
      });
      if (!line.ok) return { field: `headers.${name}`, fault: line.fault };
      for (const one of line.missing) missing.add(one);
      // A value with a line break would begin a field of its own.
      lines[name] = line.text.replaceAll(/[\r\n\0]+/g, ' ').trim();
    }
    const limits = { outputLengthMax: RESULT_LENGTH_MAX };
    const html = await renderTemplate(template, { variables, as: 'html', limits });
    if (!html.ok) return { field: 'template', fault: html.fault };
    for (const one of html.missing) missing.add(one);
    const text = withText ? textOf(html.text) : undefined;
    return { html: html.text, text, headers: lines, missing: [...missing].slice(0, 100) };
  },
);
