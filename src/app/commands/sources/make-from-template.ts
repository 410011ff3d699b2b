// MJML, Handlebars, Liquid and Nunjucks: a file and its data, by the project's own package; MJML and Handlebars by
// Galley's where the project has none.
import { createRequire } from 'node:module';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { compileMjml, type MjmlProblem } from '../../../engines/mjml/index.ts';
import { markTags } from '../../../engines/source/index.ts';
import { loadPackage } from './own-packages.ts';
import { Unmakeable, type Made, type Maker } from './wire.ts';

type Fill = (text: string) => string | Promise<string>;

/** Partials that a template may name. */
const PARTIALS_MAX = 500;
const PARTIALS_DEPTH = 3;

/** The text as it is, and with marks, each made in the same way. */
async function twice(path: string, fill: Fill): Promise<Pick<Made, 'html' | 'marked'>> {
  const text = await readFile(path, 'utf8');
  const html = await fill(text);
  try {
    return { html, marked: await fill(markTags(text, relative(process.cwd(), path))) };
  } catch {
    // A mark stood where the language has no place for it: nothing says where the lines are.
    return { html };
  }
}

const inWords = ({ line, problem }: MjmlProblem): string => `${line === null ? '' : `line ${line}: `}${problem}`;

type Mjml = (text: string, options: object) => MjmlOutput | Promise<MjmlOutput>;
type MjmlOutput = { html: string; errors: { formattedMessage: string }[] };

/** With the project's `mjml`, which reads what `mj-include` names; else with Galley's, which reads no other file. */
export const makeFromMjml: Maker = async (path) => {
  const loaded = loadPackage<Mjml | { default: Mjml }>(path, 'mjml');
  const theirs = typeof loaded === 'object' ? loaded.default : loaded;
  const warnings: string[][] = [];
  const fill: Fill = async (text) => {
    if (theirs) {
      const { html, errors } = await theirs(text, { filePath: path, keepComments: true, validationLevel: 'soft' });
      warnings.push(errors.map(({ formattedMessage }) => formattedMessage));
      return html;
    }
    const compiled = await compileMjml(text);
    if (!compiled.ok) throw new Error(inWords(compiled.problem));
    warnings.push(compiled.warnings.map(inWords));
    return compiled.html;
  };
  const made = await twice(path, fill);
  // The text as it is comes first; a mark may stand where MJML knows no class.
  return { ...made, files: [path], folders: [dirname(path)], warnings: warnings[0]! };
};

async function partialsBelow(folder: string, depth = 0): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isFile() && /\.(?:hbs|handlebars)$/i.test(entry.name)) found.push(path);
    const isWanted = entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules';
    if (isWanted && depth < PARTIALS_DEPTH) found.push(...(await partialsBelow(path, depth + 1)));
  }
  return found;
}

type Handlebars = typeof import('handlebars');

export const makeFromHandlebars: Maker = async (path, data) => {
  const engine =
    loadPackage<Handlebars>(path, 'handlebars') ?? (createRequire(import.meta.url)('handlebars') as Handlebars);
  const own = engine.create();
  const folder = dirname(path);
  const found = await partialsBelow(folder);
  const partials = found.slice(0, PARTIALS_MAX);
  for (const partial of partials) {
    const name = relative(folder, partial)
      .replaceAll('\\', '/')
      .replace(/\.\w+$/, '');
    const text = await readFile(partial, 'utf8');
    own.registerPartial(name, text);
    // `{{> footer}}` means the file in `partials`, too.
    if (name.startsWith('partials/')) own.registerPartial(name.slice('partials/'.length), text);
  }
  const made = await twice(path, (text) => own.compile(text)(data));
  const isCut = found.length > partials.length;
  const warnings = isCut ? [`Of its ${found.length} partials the first ${PARTIALS_MAX} are known.`] : [];
  return { ...made, files: [path, ...partials], folders: [folder], warnings };
};

interface LiquidPackage {
  Liquid: new (options: object) => { parseAndRender(text: string, data: object): Promise<string> };
}

export const makeFromLiquid: Maker = async (path, data) => {
  const engine = loadPackage<LiquidPackage>(path, 'liquidjs');
  if (!engine) throw new Unmakeable('is Liquid, and its project has no liquidjs: `npm install liquidjs` brings it.');
  const folder = dirname(path);
  const own = new engine.Liquid({ root: [folder, process.cwd()], extname: '.liquid', cache: false });
  return { ...(await twice(path, (text) => own.parseAndRender(text, data))), files: [path], folders: [folder] };
};

interface NunjucksPackage {
  FileSystemLoader: new (folders: string[], options: object) => object;
  Environment: new (loader: object, options: object) => { renderString(text: string, data: object): string };
}

export const makeFromNunjucks: Maker = async (path, data) => {
  const engine = loadPackage<NunjucksPackage>(path, 'nunjucks');
  if (!engine) throw new Unmakeable('is Nunjucks, and its project has no nunjucks: `npm install nunjucks` brings it.');
  const folder = dirname(path);
  const loader = new engine.FileSystemLoader([folder, process.cwd()], { noCache: true });
  const own = new engine.Environment(loader, { autoescape: true });
  return { ...(await twice(path, (text) => own.renderString(text, data))), files: [path], folders: [folder] };
};
