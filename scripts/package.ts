// Makes `dist/`, what the published package runs: the program without its types, laid out as the repository is, with its
// data, migrations and the built dashboard. Node does not strip types from files under node_modules.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { PartName, PartPackage, PartTable } from '../src/platform/parts/places.ts';

const ROOT = join(import.meta.dirname, '..');
const OUT = join(ROOT, `dist.${process.pid}.new`);

/** What belongs to tests and to people. */
const LEFT_OUT = /\.(?:test|fixture)\.ts$|\/fixtures\/|\.md$/;

/** `'./child.ts'` names a file that is `child.js` in the package. */
function withCompiledNames(code: string, path: string): string {
  return code.replaceAll(/(['"])([\w./-]+)\.ts\1/g, (whole, quote: string, name: string) =>
    existsSync(join(dirname(path), `${name}.ts`)) ? `${quote}${name}.js${quote}` : whole,
  );
}

function write(path: string, content: string): void {
  const target = join(OUT, relative(ROOT, path));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
}

function copy(path: string): void {
  const target = join(OUT, relative(ROOT, path));
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(path, target);
}

/** Every file of a folder, compiled or copied. */
function takeFolder(folder: string): void {
  for (const name of globSync('**/*', { cwd: join(ROOT, folder) })) {
    const path = join(ROOT, folder, name);
    if (LEFT_OUT.test(`/${folder}/${name}`) || !statSync(path).isFile()) continue;
    if (!name.endsWith('.ts')) {
      copy(path);
      continue;
    }
    const code = stripTypeScriptTypes(readFileSync(path, 'utf8'), { mode: 'strip' });
    write(path.replace(/\.ts$/, '.js'), withCompiledNames(code, path));
  }
}

interface LockFile {
  packages: Record<string, { version: string; integrity: string }>;
}

/** What is fetched when it is first used, with the digests of the lock file. */
function partTable(): PartTable {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'parts/package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    optionalDependencies: Record<string, string>;
  };
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as LockFile;
  const packageOf = (name: string): PartPackage => {
    const { version, integrity } = lock.packages[`node_modules/${name}`]!;
    return { name, version, integrity };
  };
  const names = Object.keys(dependencies);
  const parts: Record<PartName, PartPackage[]> = {
    browser: names.filter((name) => !name.startsWith('@fontsource')).map(packageOf),
    fonts: names.filter((name) => name.startsWith('@fontsource')).map(packageOf),
  };
  for (const name of Object.keys(optionalDependencies)) parts[name as PartName] = [packageOf(name)];
  const fonts = readFileSync(join(ROOT, 'src/platform/browser/fonts/fonts-table.json'));
  const key = createHash('sha256').update(JSON.stringify(parts)).update(fonts).digest('hex').slice(0, 12);
  return { key, parts };
}

/** The typed client, `galley/sdk`: its sources are its types. */
function takeSdk(): void {
  takeFolder('sdk/src');
  for (const name of globSync('*.ts', { cwd: join(ROOT, 'sdk/src') })) {
    const path = join(ROOT, 'sdk/src', name);
    write(join(ROOT, 'sdk/types', name), withCompiledNames(readFileSync(path, 'utf8'), path));
  }
}

const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, string>;
try {
  takeFolder('src');
  takeFolder('data');
  takeSdk();
  cpSync(join(ROOT, 'web/dist'), join(OUT, 'web/dist'), { recursive: true });
  writeFileSync(join(OUT, 'package.json'), `${JSON.stringify({ name, version, type: 'module' }, null, 2)}\n`);
  writeFileSync(join(OUT, 'parts.json'), `${JSON.stringify(partTable(), null, 1)}\n`);
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
  renameSync(OUT, join(ROOT, 'dist'));
} finally {
  rmSync(OUT, { recursive: true, force: true });
}
