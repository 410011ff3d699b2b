// The rules of ARCHITECTURE.md, executed.
import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, it } from 'node:test';

const root = resolve(import.meta.dirname, '..');
const files = globSync('src/**/*.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

/** Imports of a file as paths from the root; packages keep their names. */
function importsOf(file: string): string[] {
  const found = [
    ...(sources.get(file) as string).matchAll(/^(?:import|export)\s[^;]*?from\s+'([^']+)'|import\('([^']+)'\)/gm),
  ];
  return found
    .map((match) => (match[1] ?? match[2]) as string)
    .map((name) =>
      name.startsWith('.') ? relative(root, resolve(root, dirname(file), name)).replaceAll('\\', '/') : name,
    );
}

/** `src/features/proof/previews/jobs.ts` → `{ layer: 'features', part: 'previews', name: 'jobs.ts' }`. */
function placeOf(path: string): { layer: string; part: string; name: string } {
  const [, layer = '', part = '', ...rest] = path.split('/');
  return { layer, part, name: rest.join('/') };
}

const isTest = (file: string): boolean =>
  file.includes('.test.') || file.includes('.fixture.') || file.includes('/fixtures/');
const checked = files.filter((file) => !isTest(file));

/** Breaches of a rule, as `file → import`. */
function breaches(layer: string, isAllowed: (imported: string, file: string) => boolean): string[] {
  return checked
    .filter((file) => placeOf(file).layer === layer)
    .flatMap((file) =>
      importsOf(file)
        .filter((imported) => !isAllowed(imported, file))
        .map((imported) => `${file} → ${imported}`),
    );
}

describe('the layers', () => {
  it('reads the whole tree', () => assert.ok(checked.length > 60, `only ${checked.length} files were read`));

  it('keeps engines pure: only engines, data, and packages without input or output', () => {
    const pure = [
      'typebox',
      'parse5',
      'css-tree',
      'html-to-text',
      'mailparser',
      'nodemailer',
      'nodemailer/lib/mail-composer',
      'nodemailer/lib/mail-composer/index.js',
      'tldts',
      'papaparse',
      'mailauth',
      'handlebars',
      'ipaddr.js',
    ];
    const builtIn = ['node:buffer', 'node:crypto', 'node:util', 'node:zlib', 'node:stream', 'node:string_decoder'];
    const isAllowed = (imported: string): boolean =>
      imported.startsWith('src/engines/') ||
      imported.startsWith('data/') ||
      pure.some((name) => imported === name || imported.startsWith(`${name}/`)) ||
      builtIn.includes(imported);
    assert.deepEqual(breaches('engines', isAllowed), []);
  });

  it('keeps the platform ignorant of everything above it', () => {
    assert.deepEqual(
      breaches('platform', (imported) => !/^src\/(app|features|engines)\//.test(imported)),
      [],
    );
  });

  it('lets features enter each other by index.ts only, and know neither the app nor input and output of their own', () => {
    const packages = ['typebox', 'fflate', 'node:crypto'];
    assert.deepEqual(
      breaches('features', (imported, file) => {
        if (!imported.startsWith('src/')) return packages.includes(imported);
        const { layer, part, name } = placeOf(imported);
        if (layer === 'features') return part === placeOf(file).part || name === 'index.ts';
        return layer === 'engines' || layer === 'platform';
      }),
      [],
    );
  });

  it('has an order inside a feature: index, routes and what it provides, actions, jobs, store, then contract and view', () => {
    const rank = (file: string): number => {
      const name = placeOf(file).name;
      const ranks: Record<string, number> = {
        'index.ts': 0,
        'routes.ts': 1,
        'provides.ts': 1,
        'actions.ts': 2,
        'jobs.ts': 3,
        'contract.ts': 9,
        'view.ts': 8,
      };
      return ranks[name] ?? (name.endsWith('store.ts') ? 7 : 5);
    };
    const wrong = breaches(
      'features',
      (imported, file) =>
        placeOf(imported).layer !== 'features' ||
        placeOf(imported).part !== placeOf(file).part ||
        rank(file) <= rank(imported) ||
        (rank(file) === 8 && rank(imported) === 7),
    );
    assert.deepEqual(wrong, []);
  });

  it('has no circle between features', () => {
    const edges = new Map<string, Set<string>>();
    for (const file of checked.filter((candidate) => placeOf(candidate).layer === 'features')) {
      const from = placeOf(file).part;
      for (const imported of importsOf(file))
        if (placeOf(imported).layer === 'features' && placeOf(imported).part !== from)
          edges.set(from, (edges.get(from) ?? new Set()).add(placeOf(imported).part));
    }
    const circles: string[] = [];
    const walk = (part: string, path: string[]): void => {
      if (path.includes(part)) circles.push([...path, part].join(' → '));
      else for (const next of edges.get(part) ?? []) walk(next, [...path, part]);
    };
    for (const part of edges.keys()) walk(part, []);
    assert.deepEqual(circles, []);
  });

  it('lists every feature folder that has endpoints in app/features.ts', () => {
    const list = sources.get('src/app/features.ts') as string;
    const missing = readdirSync(join(root, 'src/features'))
      .filter((part) => sources.has(`src/features/${part}/routes.ts`))
      .filter((part) => !list.includes(`/features/${part}/index.ts`));
    assert.deepEqual(missing, []);
  });

  it('reads the environment in platform/config and at the entry only', () => {
    const allowed = ['src/main.ts', 'src/app/commands/', 'src/platform/config/', 'src/platform/browser/'];
    assert.deepEqual(
      checked.filter(
        (file) => /process\.env/.test(sources.get(file) as string) && !allowed.some((place) => file.startsWith(place)),
      ),
      [],
    );
  });
});

describe('the sizes', () => {
  it('keeps files to 400 lines', () => {
    const long = checked.filter(
      (file) =>
        (sources.get(file) as string).split('\n').filter((line) => line.trim() && !line.trim().startsWith('//'))
          .length > 400,
    );
    assert.deepEqual(long, []);
  });
});

describe('the repository', () => {
  it('names no path of a machine and no registry', () => {
    const names = globSync(
      [
        'src/**/*',
        'docs/**/*.md',
        'scripts/**/*',
        'test/**/*.ts',
        'web/src/**/*',
        '*.md',
        'data/**/*.md',
        'bench/**/*.ts',
        'package.json',
        '.npmrc',
      ],
      { cwd: root, withFileTypes: true },
    ).filter((entry) => entry.isFile() && !/\.(png|jpg|ico)$/.test(entry.name));
    const words = [['/wo', 'rk/'].join(''), ['registry', 'npmjs', 'org'].join('.'), ['deb', 'debian', 'org'].join('.')];
    const naming = names
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => words.some((word) => readFileSync(path, 'utf8').includes(word)));
    assert.deepEqual(
      naming.map((path) => relative(root, path)),
      [],
    );
  });

  it('has links that lead somewhere in its own documents', () => {
    const documents = globSync(['*.md', 'docs/**/*.md', 'data/**/*.md'], { cwd: root });
    const dead = documents.flatMap((document) =>
      [...readFileSync(join(root, document), 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
        .map((match) => match[1] as string)
        .filter((target) => globSync(resolve(root, dirname(document), target)).length === 0)
        .map((target) => `${document} → ${target}`),
    );
    assert.deepEqual(dead, []);
  });

  it('has a lock file without download addresses', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { resolved?: string; link?: boolean }>;
    };
    assert.deepEqual(
      Object.entries(lock.packages)
        .filter(([, entry]) => entry.resolved && !entry.link)
        .map(([name]) => name),
      [],
    );
  });
});
