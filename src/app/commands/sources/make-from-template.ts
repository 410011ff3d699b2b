// MJML, Handlebars, Liquid and Nunjucks: a file and its data, by the project's own package; MJML and Handlebars by
// Galley's where the project has none.
import { createRequire } from 'node:module';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, extname, join, relative } from 'node:path';
import { compileMjml } from '../../../engines/mjml/index.ts';
import { markTags } from '../../../engines/source/index.ts';
import { loadPackage } from './own-packages.ts';

export interface Made {
  html: string;
  marked?: string;
  files: string[];
  folders: string[];
}

type Data = Record<string, unknown>;
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

interface Mjml {
  (
    text: string,
    options: object,
  ): { html: string; errors: { formattedMessage: string }[] } | Promise<{ html: string; errors: object[] }>;
}

/** With the project's `mjml`, which reads what `mj-include` names; else with Galley's, which reads no other file. */
export async function makeFromMjml(path: string): Promise<Made> {
  const loaded = loadPackage<Mjml | { default: Mjml }>(path, 'mjml');
  const theirs = typeof loaded === 'object' ? loaded.default : loaded;
  const fill: Fill = theirs
    ? async (text) => (await theirs(text, { filePath: path, keepComments: true, validationLevel: 'soft' })).html
    : async (text) => {
        const compiled = await compileMjml(text);
        if (compiled.ok) return compiled.html;
        const { line, problem } = compiled.problem;
        throw new Error(`${line === null ? '' : `line ${line}: `}${problem}`);
      };
  return { ...(await twice(path, fill)), files: [path], folders: [dirname(path)] };
}

async function partialsBelow(folder: string, depth = 0): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isFile() && /\.(?:hbs|handlebars)$/i.test(entry.name)) found.push(path);
    const isWanted = entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules';
    if (isWanted && depth < PARTIALS_DEPTH) found.push(...(await partialsBelow(path, depth + 1)));
  }
  return found.slice(0, PARTIALS_MAX);
}

type Handlebars = typeof import('handlebars');

async function handlebars(path: string, data: Data): Promise<Made> {
  const engine =
    loadPackage<Handlebars>(path, 'handlebars') ?? (createRequire(import.meta.url)('handlebars') as Handlebars);
  const own = engine.create();
  const folder = dirname(path);
  const partials = await partialsBelow(folder);
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
  return { ...made, files: [path, ...partials], folders: [folder] };
}

interface LiquidPackage {
  Liquid: new (options: object) => { parseAndRender(text: string, data: Data): Promise<string> };
}

async function liquid(path: string, data: Data): Promise<Made> {
  const engine = loadPackage<LiquidPackage>(path, 'liquidjs');
  if (!engine) throw new Error('is Liquid, and its project has no liquidjs: `npm install liquidjs` brings it.');
  const folder = dirname(path);
  const own = new engine.Liquid({ root: [folder, process.cwd()], extname: '.liquid', cache: false });
  return { ...(await twice(path, (text) => own.parseAndRender(text, data))), files: [path], folders: [folder] };
}

interface NunjucksPackage {
  FileSystemLoader: new (folders: string[], options: object) => object;
  Environment: new (loader: object, options: object) => { renderString(text: string, data: Data): string };
}

async function nunjucks(path: string, data: Data): Promise<Made> {
  const engine = loadPackage<NunjucksPackage>(path, 'nunjucks');
  if (!engine) throw new Error('is Nunjucks, and its project has no nunjucks: `npm install nunjucks` brings it.');
  const folder = dirname(path);
  const loader = new engine.FileSystemLoader([folder, process.cwd()], { noCache: true });
  const own = new engine.Environment(loader, { autoescape: true });
  return { ...(await twice(path, (text) => own.renderString(text, data))), files: [path], folders: [folder] };
}

const LANGUAGES: Record<string, (path: string, data: Data) => Promise<Made>> = {
  '.hbs': handlebars,
  '.handlebars': handlebars,
  '.liquid': liquid,
  '.njk': nunjucks,
  '.nunjucks': nunjucks,
};

/** A template in the language that its name says. */
export function makeFromTemplate(path: string, data: Data): Promise<Made> {
  return LANGUAGES[extname(path).toLowerCase()]!(path, data);
}
