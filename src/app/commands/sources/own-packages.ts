// Packages of the project that an email belongs to: found from the email's own file, as the project itself finds them.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Not there; anything else that goes wrong with a package is said. */
const ABSENT = new Set(['MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED']);

function resolveFrom(from: string, name: string): string | undefined {
  try {
    return createRequire(from).resolve(name);
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/**
 * The file of a package, found from this file, or from one of the packages that bring it with them: some package
 * managers hide what a project did not ask for itself.
 */
export function findPackage(from: string, name: string, through: readonly string[] = []): string | undefined {
  const own = resolveFrom(from, name);
  if (own !== undefined) return own;
  for (const other of through) {
    const place = resolveFrom(from, other);
    const found = place === undefined ? undefined : resolveFrom(place, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The package itself; undefined where the project has none. */
export function loadPackage<Package>(from: string, name: string, through: readonly string[] = []): Package | undefined {
  const path = findPackage(from, name, through);
  return path === undefined ? undefined : (createRequire(from)(path) as Package);
}

/** The file that `import` of a package begins with, where `require` finds none; undefined where there is no package. */
export async function findModule(from: string, name: string): Promise<string | undefined> {
  const folders = createRequire(from).resolve.paths(name) ?? [];
  const folder = folders.map((place) => join(place, name)).find((place) => existsSync(join(place, 'package.json')));
  if (folder === undefined) return undefined;
  const about = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    exports?: { '.'?: { import?: string } };
    main?: string;
  };
  return join(folder, about.exports?.['.']?.import ?? about.main ?? 'index.js');
}
