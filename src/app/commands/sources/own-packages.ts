// Packages of the project that an email belongs to: found from the email's own file, as the project itself finds them.
import { createRequire } from 'node:module';

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
