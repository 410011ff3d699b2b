// Maizzle: a template in Vue, rendered by the project's own framework with the project's configuration.
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { markTags } from '../../../engines/source/index.ts';
import { findModule } from './own-packages.ts';
import { Unmakeable, type Made, type Maker } from './wire.ts';

interface Maizzle {
  render(template: string, config: object): Promise<{ html: string }>;
  resolveConfig(): Promise<object>;
}

const FRAMEWORK = '@maizzle/framework';

/** Marks in the template of a Vue file alone: its script is no HTML. */
function markTemplate(text: string, file: string): string {
  const start = text.search(/<template[\s>]/);
  const end = text.lastIndexOf('</template>');
  if (start < 0 || end < start) return text;
  const inside = text.indexOf('>', start) + 1;
  const before = text.slice(0, inside);
  // The line breaks before it, so that its lines are counted from the first of the file.
  const lines = before.replace(/[^\n]/g, '');
  return before + markTags(lines + text.slice(inside, end), file).slice(lines.length) + text.slice(end);
}

/** The HTML of a template, with data as its props. Maizzle 6. */
export const makeFromMaizzle: Maker = async (path, data) => {
  const found = await findModule(path, FRAMEWORK);
  if (found === undefined)
    throw new Unmakeable(`is Vue, and its project has no Maizzle: \`npm install ${FRAMEWORK} vue\` brings it.`);
  const { render, resolveConfig } = (await import(pathToFileURL(found).href)) as Maizzle;
  const config = { ...(await resolveConfig()), props: data };
  const { html } = await render(path, config);
  const made: Made = { html, files: [path], folders: [dirname(path), join(process.cwd(), 'components')] };
  try {
    const text = await readFile(path, 'utf8');
    return { ...made, marked: (await render(markTemplate(text, relative(process.cwd(), path)), config)).html };
  } catch {
    // A text without a file finds nothing that stands beside it: nothing says where the lines are.
    return made;
  }
};
