import { globSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * Where a feature stands, from the root: `src/features/proof/_inspections` for `inspections`. Throws when it is
 * nowhere.
 */
export function folderOf(name: string): string {
  const [folder] = globSync(`src/features/*/{${name},_${name}}`, { cwd: root });
  if (folder === undefined) throw new Error(`No area of src/features has a folder ${name} or _${name}.`);
  return folder.replaceAll('\\', '/');
}
