// What stands in test/package.json: the product does not have it, so no import finds it. `npm test` installs it first.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../.runtime/test-packages');

/** Where a file of a package is, such as `typescript/bin/tsc`. */
export const testPackageFile = (path: string): string => join(FOLDER, 'node_modules', path);

/** A package as CommonJS has it. */
export const requireTestPackage: (name: string) => any = createRequire(join(FOLDER, 'package.json'));
