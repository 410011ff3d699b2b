// MJML by its makers' own compiler; what surrounds it here makes it say what it would leave out.
import { readMjml, type MjmlProblem } from './read-mjml.ts';
import { takeVariables, type Variables } from './variables.ts';

export type { MjmlProblem } from './read-mjml.ts';

/** Bytes of the HTML that it may become. */
const HTML_BYTES_MAX = 400 * 1024;
const WARNINGS_MAX = 20;

type Compiled =
  | { ok: true; html: string; /** What MJML does not know, and what it leaves out. */ warnings: MjmlProblem[] }
  | { ok: false; problem: MjmlProblem };

type Compile = typeof import('mjml-browser').default;
let loaded: Promise<Compile> | undefined;

/** The package is made for browsers: it asks once, when it is loaded, for their name of everything. */
async function load(): Promise<Compile> {
  const scope = globalThis as { window?: unknown };
  const isThere = 'window' in scope;
  if (!isThere) scope.window = {};
  try {
    return (await import('mjml-browser')).default;
  } finally {
    if (!isThere) delete scope.window;
  }
}

/** Whether a text is MJML and no HTML: its first element is `mjml`. */
export const isMjml = (text: string): boolean => /^(?:\s|<!--[\s\S]*?-->|<\?[^>]*>)*<mjml[\s>]/i.test(text);

/**
 * Compiles MJML 4 to HTML, reading no file. Handlebars tags stay as they are, also between elements, where they need no
 * `mj-raw`. Problems are values: the first that cannot be compiled, or all that were passed over. Source: MJML 4.18.
 */
export async function compileMjml(source: string): Promise<Compiled> {
  const variables = takeVariables(source);
  const read = readMjml(variables);
  const [fault] = read.faults;
  if (fault) return { ok: false, problem: inWords(fault, variables) };
  loaded ??= load();
  const compile = await loaded;
  let compiled: ReturnType<Compile>;
  try {
    compiled = compile(read.text, { validationLevel: 'soft', ignoreIncludes: true, keepComments: true });
  } catch (error) {
    const said = error instanceof RangeError ? 'Elements are nested too deep.' : String((error as Error).message);
    return { ok: false, problem: { line: null, problem: said.slice(0, 300) } };
  }
  const html = variables.restore(compiled.html);
  const bytes = new TextEncoder().encode(html).length;
  if (bytes > HTML_BYTES_MAX) return { ok: false, problem: { line: null, problem: tooLarge(bytes) } };
  const errors = compiled.errors
    // What is filled in later cannot be judged now.
    .filter(({ message }) => message.search(variables.pattern) < 0 || compiled.html.includes('NaN'))
    .map(({ line, tagName, message }) => ({ line, problem: `${tagName}: ${message}.` }));
  const warnings = [...errors, ...read.warnings, ...lostIn(compiled.html, variables)];
  return { ok: true, html, warnings: warnings.slice(0, WARNINGS_MAX).map((one) => inWords(one, variables)) };
}

const tooLarge = (bytes: number): string =>
  `The HTML that it becomes has ${bytes} bytes; at most ${HTML_BYTES_MAX} (${HTML_BYTES_MAX / 1024} KiB) are accepted.`;

const inWords = ({ line, problem }: MjmlProblem, { restore }: Variables): MjmlProblem => ({
  line,
  problem: restore(problem).slice(0, 500),
});

/** Tags that the compiler threw away with what they stood in. */
function lostIn(html: string, { text, tags, pattern }: Variables): MjmlProblem[] {
  const kept = new Set([...html.matchAll(pattern)].map(([, index]) => index));
  const lost: MjmlProblem[] = [];
  for (const match of text.matchAll(pattern)) {
    const tag = tags[Number(match[1])] ?? '';
    if (kept.has(match[1] ?? '') || tag.startsWith('{{!') || lost.length >= WARNINGS_MAX) continue;
    const line = text.slice(0, match.index).split('\n').length;
    lost.push({ line, problem: `${tag.slice(0, 80)} is not in the HTML: MJML takes no variable where it stands.` });
  }
  return lost;
}
