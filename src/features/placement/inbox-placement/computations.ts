// What a placement test computes of a message before it is stored.
import { renderTemplate, type TemplateFault } from '../../../engines/mail-template/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';

/** The fields of a message that may be templates. */
export interface Templates {
  subject: string;
  html: string;
  text: string | null;
}

interface FaultyTemplate {
  field: keyof Templates;
  fault: TemplateFault;
}

/** The fields with variables in place, or the first that is no template which can be filled. */
export const fillTemplates = defineComputation(
  import.meta.url,
  'fillTemplates',
  async ({
    templates,
    variables,
  }: {
    templates: Templates;
    variables: Record<string, unknown>;
  }): Promise<Templates | FaultyTemplate> => {
    const filled = { ...templates };
    for (const field of ['subject', 'html', 'text'] as const) {
      const source = templates[field];
      if (source === null) continue;
      const rendered = await renderTemplate(source, { variables, as: field === 'html' ? 'html' : 'text' });
      if (!rendered.ok) return { field, fault: rendered.fault };
      filled[field] = rendered.text;
    }
    return filled;
  },
);
