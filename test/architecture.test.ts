// The rules of ARCHITECTURE.md, executed.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { AREAS } from './harness/areas.ts';

const root = resolve(import.meta.dirname, '..');
const files = globSync('src/**/*.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

const readJson = <T>(path: string): T => JSON.parse(readFileSync(join(root, path), 'utf8')) as T;

/** Imports of a file as paths from the root; packages keep their names. */
function importsOf(file: string): string[] {
  const found = [
    ...(sources.get(file) as string).matchAll(
      /^(?:import|export)\s[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'|import\('([^']+)'\)/gm,
    ),
  ];
  return found
    .map((match) => (match[1] ?? match[2] ?? match[3]) as string)
    .map((name) =>
      name.startsWith('.') ? relative(root, resolve(root, dirname(file), name)).replaceAll('\\', '/') : name,
    );
}

/**
 * `src/features/proof/previews/jobs.ts` → `{ layer: 'features', area: 'proof', part: 'proof/previews', name: 'jobs.ts'
 * }`.
 */
function placeOf(path: string): { layer: string; area: string; part: string; name: string } {
  const [, layer = '', first = '', ...rest] = path.split('/');
  if (layer !== 'features') return { layer, area: '', part: first, name: rest.join('/') };
  return { layer, area: first, part: `${first}/${rest[0]}`, name: rest.slice(1).join('/') };
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

/** Ways that lead back to where they began; arrows from a thing to itself aside. */
function circlesOf(arrows: readonly [string, string][]): string[] {
  const edges = Map.groupBy(
    arrows.filter(([from, to]) => from !== to),
    ([from]) => from,
  );
  const circles: string[] = [];
  const left = new Set<string>();
  const walk = (part: string, path: string[]): void => {
    if (path.includes(part)) circles.push([...path.slice(path.indexOf(part)), part].join(' → '));
    else if (!left.has(part)) {
      for (const next of new Set(edges.get(part)?.map(([, to]) => to))) walk(next, [...path, part]);
      left.add(part);
    }
  };
  for (const part of edges.keys()) walk(part, []);
  return circles;
}

describe('the layers', () => {
  it('reads the whole tree', () => assert.ok(checked.length > 60, `only ${checked.length} files were read`));

  it('keeps engines pure: only engines, data, and packages without input or output', () => {
    const pure = [
      'typebox',
      'parse5',
      'css-tree',
      'html-to-text',
      'htmlparser2',
      'fflate',
      'mailparser',
      'nodemailer',
      'nodemailer/lib/mail-composer',
      'nodemailer/lib/mail-composer/index.js',
      'tldts',
      'papaparse',
      'mailauth',
      'handlebars',
      'mjml-browser',
      'ipaddr.js',
      're2js',
    ];
    const builtIn = ['node:buffer', 'node:crypto', 'node:util', 'node:zlib', 'node:stream', 'node:string_decoder'];
    const isAllowed = (imported: string): boolean =>
      imported.startsWith('src/engines/') ||
      imported.startsWith('data/') ||
      pure.some((name) => imported === name || imported.startsWith(`${name}/`)) ||
      builtIn.includes(imported);
    assert.deepEqual(breaches('engines', isAllowed), []);
  });

  it('lets engines enter each other by index.ts only, and everybody else enter them so', () => {
    const engineOf = (path: string): string => (path.startsWith('src/engines/') ? placeOf(path).part : '');
    const isRound = (imported: string, file: string): boolean => {
      const engine = engineOf(imported);
      return engine !== '' && engine !== engineOf(file) && placeOf(imported).name !== 'index.ts';
    };
    const round = checked.flatMap((file) =>
      importsOf(file)
        .filter((imported) => isRound(imported, file))
        .map((imported) => `${file} → ${imported}`),
    );
    assert.deepEqual(round, []);
  });

  it("says by name what an engine's front door opens", () => {
    const doors = checked.filter((file) => /^src\/engines\/[^/]+\/index\.ts$/.test(file));
    assert.ok(doors.length > 20, `only ${doors.length} front doors were read`);
    assert.deepEqual(
      doors.filter((file) => /^export\s+(type\s+)?\*/m.test(sources.get(file) as string)),
      [],
    );
  });

  it('keeps the ground of engines under those that stand on it', () => {
    const ground: Record<string, string[]> = {
      css: [],
      color: [],
      pictures: [],
      findings: [],
      'merge-tags': [],
      caniemail: ['css'],
      html: ['css', 'merge-tags'],
      source: ['css', 'findings', 'html'],
    };
    const wrong = breaches('engines', (imported, file) => {
      const [from, to] = [placeOf(file).part, placeOf(imported)];
      const under = ground[from];
      return to.layer !== 'engines' || to.part === from || !under || under.includes(to.part);
    });
    assert.deepEqual(wrong, []);
  });

  it('keeps code analysis and client emulation apart: what both need is ground', () => {
    const apart = ['client-emulation', 'code-analysis'];
    const isAllowed = (imported: string, file: string): boolean => {
      const [from, to] = [placeOf(file).part, placeOf(imported)];
      return to.layer !== 'engines' || to.part === from || !apart.includes(from) || !apart.includes(to.part);
    };
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

  it('has areas in one order, each of which uses those before it', () => {
    assert.deepEqual(
      checked.filter((file) => placeOf(file).layer === 'features' && !AREAS.includes(placeOf(file).area)),
      [],
    );
    const isAllowed = (imported: string, file: string): boolean =>
      placeOf(imported).layer !== 'features' ||
      AREAS.indexOf(placeOf(imported).area) <= AREAS.indexOf(placeOf(file).area);
    assert.deepEqual(breaches('features', isAllowed), []);
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
    const features = checked.filter((file) => placeOf(file).layer === 'features');
    const arrows = features.flatMap((file) =>
      importsOf(file)
        .filter((imported) => placeOf(imported).layer === 'features')
        .map((imported): [string, string] => [placeOf(file).part, placeOf(imported).part]),
    );
    assert.deepEqual(circlesOf(arrows), []);
  });

  it('lists every feature folder that has endpoints in app/features.ts', () => {
    const list = sources.get('src/app/features.ts') as string;
    const parts = globSync('src/features/*/*/routes.ts', { cwd: root }).map(
      (file) => placeOf(file.replaceAll('\\', '/')).part,
    );
    assert.ok(parts.length > 15, `only ${parts.length} features were found`);
    const missing = parts.filter((part) => !list.includes(`/features/${part}/index.ts`));
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

  it('makes ids, and reads and writes times, where platform/ids and platform/times do', () => {
    const own = /\brandom(?:Bytes|UUID|Int)\b|\.toUTCString\(|\b86_400_000\b|getTime\(\) \/ 1000/;
    assert.deepEqual(
      checked.filter((file) => placeOf(file).layer === 'features' && own.test(sources.get(file) as string)),
      [],
    );
  });

  it('pages lists by platform/paging only', () => {
    const ownPaging = /\b(?:skip|cursor|pivot|page_token)\??: Type\.|\.offset\(|searchParams\.(?:set|append)\(/;
    // They delete all sessions of a key or of a user but the newest.
    const others = ['store', 'half-store'].map((name) => `src/features/account/sessions/${name}.ts`);
    const features = checked.filter((file) => placeOf(file).layer === 'features' && !others.includes(file));
    assert.deepEqual(
      features.filter((file) => ownPaging.test(sources.get(file) as string)),
      [],
    );
  });
});

describe('the dashboard', () => {
  const base = 'web/src/';
  const pages = globSync(`${base}**/*.{ts,tsx}`, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !isTest(file));
  for (const file of pages) sources.set(file, readFileSync(join(root, file), 'utf8'));
  const arrows = pages.flatMap((file) =>
    importsOf(file)
      .filter((imported) => imported.startsWith(base))
      .map((imported) => ({ from: file.slice(base.length), to: imported.slice(base.length) })),
  );
  const shown = (wrong: typeof arrows): string[] => wrong.map(({ from, to }) => `${from} → ${to}`);
  const floorOf = (path: string): number => ['ground', 'shared', 'areas'].indexOf(path.split('/')[0] as string);
  const resourceOf = (path: string): string => path.split('/').slice(0, 3).join('/');

  it('reads the whole tree', () => assert.ok(arrows.length > 300, `only ${arrows.length} imports were found`));

  it('has floors: the ground, what areas share, and areas', () => {
    assert.deepEqual(
      shown(arrows.filter(({ from, to }) => floorOf(from) >= 0 && (floorOf(to) < 0 || floorOf(to) > floorOf(from)))),
      [],
    );
  });

  it('has two files of the server, which import nothing', () => {
    const formula = 'src/engines/pictures/difference.ts';
    const csv = 'src/platform/spreadsheets/write-csv.ts';
    const own = /^(?:web|sdk)\//;
    const foreign = pages.flatMap((file) =>
      importsOf(file)
        .filter((imported) => !own.test(imported) && existsSync(join(root, imported)))
        .map((imported) => `${file} → ${imported}`),
    );
    assert.deepEqual(foreign.toSorted(), [
      `${base}ground/csv.ts → ${csv}`,
      `${base}shared/pictures/difference.ts → ${formula}`,
    ]);
    assert.deepEqual([...importsOf(formula), ...importsOf(csv)], []);
  });

  it('has no page that imports a file of another resource', () => {
    assert.deepEqual(
      shown(
        arrows.filter(
          ({ from, to }) => floorOf(from) === 2 && floorOf(to) === 2 && resourceOf(from) !== resourceOf(to),
        ),
      ),
      [],
    );
  });

  it('has the areas and the resources of the server', () => {
    const folders = globSync(`${base}areas/*/*`, { cwd: root }).map((folder) =>
      folder.replaceAll('\\', '/').slice(`${base}areas/`.length),
    );
    assert.deepEqual(
      folders.filter((folder) => !existsSync(join(root, 'src/features', folder))),
      [],
    );
  });

  it('has no circle between the folders of a floor', () => {
    const folderOf = (path: string): string =>
      path
        .split('/')
        .slice(0, floorOf(path) === 2 ? 3 : 2)
        .join('/');
    assert.deepEqual(
      circlesOf(
        arrows
          .filter(({ from, to }) => floorOf(from) >= 0 && floorOf(to) >= 0)
          .map(({ from, to }) => [folderOf(from), folderOf(to)]),
      ),
      [],
    );
  });
});

describe('the sizes', () => {
  it('keeps files that people write to 400 lines', () => {
    const long = checked.filter(
      (file) =>
        !file.endsWith('.generated.ts') &&
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
        '{.,test,web,sdk}/package*.json',
        '{.,test}/.npmrc',
        '.ci/*',
      ],
      { cwd: root, withFileTypes: true },
    ).filter((entry) => entry.isFile() && !/\.(png|jpg|ico)$/.test(entry.name));
    const words = [['/wo', 'rk/'].join(''), ['registry', 'npmjs', 'org'].join('.'), ['deb', 'debian', 'org'].join('.')];
    const naming = names
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => {
        // The area of that name is no path of a machine.
        const text = readFileSync(path, 'utf8').replaceAll(/\b(features|areas)\/work\//g, '$1/');
        return words.some((word) => text.includes(word));
      });
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

  it('has lock files without download addresses', () => {
    const addresses = ['package-lock.json', 'test/package-lock.json', 'test/clickhouse/package-lock.json'].flatMap(
      (path) => {
        const { packages } = readJson<{ packages: Record<string, { resolved?: string; link?: boolean }> }>(path);
        return Object.entries(packages)
          .filter(([, entry]) => entry.resolved && !entry.link)
          .map(([name]) => `${path}: ${name}`);
      },
    );
    assert.deepEqual(addresses, []);
  });

  it('installs for the product what the product runs on, and nothing else', () => {
    const sources = ['src/**/*.ts', 'web/src/**/*.{ts,tsx}', 'web/vite.config.ts', 'scripts/*.ts'];
    const code = globSync(sources, { cwd: root })
      .filter((path) => !isTest(path))
      .map((path) => readFileSync(join(root, path), 'utf8'))
      .join('\n');
    const unused = ['package.json', 'web/package.json', 'sdk/package.json'].flatMap((path) => {
      const { dependencies = {}, devDependencies = {} } = readJson<Record<string, Record<string, string>>>(path);
      const isNamed = (name: string): boolean => new RegExp(`['"\`/]${name.replaceAll('.', '\\.')}['"\`/]`).test(code);
      return [...Object.keys(dependencies).filter((name) => !isNamed(name)), ...Object.keys(devDependencies)];
    });
    assert.deepEqual(unused, []);
  });
});
