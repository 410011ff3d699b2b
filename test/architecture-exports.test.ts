// Whatever a module exports is imported somewhere else: what nobody asks for is either dead or private.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { describe, it } from 'node:test';

const root = resolve(import.meta.dirname, '..');
// `sdk` is absent: what it exports is for programs elsewhere.
const PLACES = [
  'src/**/*.{ts,tsx}',
  'web/src/**/*.{ts,tsx}',
  'web/*.ts',
  'test/**/*.ts',
  'scripts/**/*.ts',
  'bench/**/*.ts',
  'bin/*.mjs',
];

interface Module {
  /** Names that others can import. */
  exported: Set<string>;
  /** `[module, name]`; the name `*` is everything. */
  taken: [module: string, name: string][];
}

/** The names in `{ a, type b, c as d }`: those of the other module and those of this one. */
function namesIn(list: string): { theirs: string; ours: string }[] {
  return list
    .split(',')
    .map((name) => name.trim().replace(/^type\s+/, ''))
    .filter(Boolean)
    .map((name) => {
      const [theirs = '', ours = theirs] = name.split(/\s+as\s+/);
      return { theirs, ours };
    });
}

const DECLARED =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const\s+enum|function\s*\*?|const|let|class|interface|type|enum)\s+([\w$]+)/gm;
const PATTERN = /^export\s+const\s+[{[]([^}\]=]*)[}\]]\s*=/gm;
const LISTED = /^export\s+(?:type\s+)?\{([^}]*)\}(?:\s*from\s*'([^']+)')?/gm;
const STARRED = /^export\s+(?:type\s+)?\*\s+(?:as\s+([\w$]+)\s+)?from\s*'([^']+)'/gm;
const IMPORTED = /^import\s+(?:type\s+)?([^'"]*?)\s*from\s*'([^']+)'/gm;
/** Taken by its name, by a process that loads the module. */
const COMPUTATION = /\bdefineComputation\(\s*[\w.]+,\s*'(\w+)'/g;
const LAZY = /\bimport\(\s*'([^']+)'\s*\)/g;

/** What a module at `path` exports and takes. A name that it only passes on is both. */
function readModule(path: string, text: string): Module {
  const exported = new Set<string>();
  const taken: Module['taken'] = [];
  const at = (name: string): string => {
    if (!name.startsWith('.')) return name;
    // What the package compiled is laid out as the sources are.
    const file = normalize(join(dirname(path), name)).replaceAll('\\', '/');
    return file.startsWith('dist/') ? file.slice('dist/'.length).replace(/\.js$/, '.ts') : file;
  };
  for (const [, name = ''] of text.matchAll(DECLARED)) exported.add(name);
  for (const [, list = ''] of text.matchAll(PATTERN))
    for (const { theirs } of namesIn(list)) exported.add(theirs.split(':').at(-1)!.trim());
  for (const [, list = '', from] of text.matchAll(LISTED)) {
    for (const { theirs, ours } of namesIn(list)) {
      exported.add(ours);
      if (from !== undefined) taken.push([at(from), theirs]);
    }
  }
  for (const [, as, from = ''] of text.matchAll(STARRED)) {
    if (as !== undefined) exported.add(as);
    taken.push([at(from), '*']);
  }
  for (const [, what = '', from = ''] of text.matchAll(IMPORTED)) {
    const list = /\{([^}]*)\}/.exec(what)?.[1] ?? '';
    for (const { theirs } of namesIn(list)) taken.push([at(from), theirs]);
    if (/\*\s+as\s/.test(what)) taken.push([at(from), '*']);
  }
  for (const [, from = ''] of text.matchAll(LAZY)) taken.push([at(from), '*']);
  for (const [, from = ''] of text.matchAll(/\bimport\('([^']+)'\)\.\w+/g)) taken.push([at(from), '*']);
  for (const [, from = '', name = ''] of text.matchAll(/^declare module '(\.[^']+)' \{\s+interface (\w+)/gm))
    taken.push([at(from), name]);
  return { exported, taken };
}

/** `file: name` for every export that no other module takes. */
function unusedExports(sources: ReadonlyMap<string, string>): string[] {
  const modules = new Map([...sources].map(([path, text]) => [path, readModule(path, text)]));
  const used = new Set(
    [...modules].flatMap(([path, { taken }]) =>
      taken.filter(([from]) => from !== path).map(([from, name]) => `${from}: ${name}`),
    ),
  );
  for (const [path, text] of sources) for (const [, name] of text.matchAll(COMPUTATION)) used.add(`${path}: ${name}`);
  return [...modules].flatMap(([path, { exported }]) =>
    used.has(`${path}: *`) ? [] : [...exported].map((name) => `${path}: ${name}`).filter((name) => !used.has(name)),
  );
}

describe('exports', () => {
  it('are told apart: taken, passed on, taken by a namespace or lazily, and unused', () => {
    const sources = new Map([
      [
        'src/a.ts',
        'export const one = 1;\nexport interface Two {}\nexport async function three() {}\n' +
          'export const { four, f: five } = x;\nexport class Six {}\n',
      ],
      ['src/b.ts', "import {\n  one,\n  type Two as Other,\n} from './a.ts';\nexport { five } from './a.ts';\n"],
      ['src/c.ts', "import * as b from './b.ts';\nconst lazy = await import('./d.ts');\n"],
      ['src/d.ts', 'export const seven = 7;\n'],
    ]);
    assert.deepEqual(unusedExports(sources), ['src/a.ts: three', 'src/a.ts: Six', 'src/a.ts: four']);
  });

  it('are there for every computation, which another process takes by its name', () => {
    const computations = globSync('src/{features,app}/**/*.ts', { cwd: root }).flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const { exported } = readModule(path, text);
      return [...text.matchAll(COMPUTATION)].map(([, name = '']) => ({
        name: `${path}: ${name}`,
        isExported: exported.has(name),
      }));
    });
    assert.ok(computations.length > 20, `only ${computations.length} computations were found`);
    assert.deepEqual(
      computations.filter(({ isExported }) => !isExported).map(({ name }) => name),
      [],
    );
  });

  it('are all used', () => {
    const sources = new Map(
      globSync(PLACES, { cwd: root }).map((path) => [
        path.replaceAll('\\', '/'),
        readFileSync(join(root, path), 'utf8'),
      ]),
    );
    assert.ok(sources.size > 500, `only ${sources.size} modules were read`);
    assert.deepEqual(unusedExports(sources), []);
  });
});
