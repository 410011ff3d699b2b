// The Node that runs an installed Galley: the user's own from 24 on, else one that is fetched once.
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PartError, removeLeft, withPackages } from './fetch-part.ts';
import { PART_TABLE, RUNTIME_DIR, type PartName } from './places.ts';

export const NODE_MAJOR = 24;

/** The path of a Node 24; `tell` hears of a fetch before it begins. Throws {@link PartError} where there is none. */
export async function provideNode(tell: (text: string) => void): Promise<string> {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name: PartName = `node-${system}-${process.arch}`;
  const [wanted] = PART_TABLE?.parts[name] ?? [];
  if (wanted === undefined)
    throw new PartError(
      `Galley needs Node ${NODE_MAJOR} or newer; this is ${process.version}, and there is no package of Node ` +
        `${NODE_MAJOR} for ${process.platform}-${process.arch}: install it yourself.`,
    );
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const path = join(RUNTIME_DIR, `node-${wanted.version}`, file);
  if (existsSync(path)) return path;
  tell(`galley: this is Node ${process.versions.node}; fetching Node ${wanted.version} once (53 MB) …`);
  await removeLeft(RUNTIME_DIR);
  await withPackages([wanted], RUNTIME_DIR, async (packagesDir) => {
    const made = join(packagesDir, 'made');
    await mkdir(made);
    await rename(join(packagesDir, wanted.name, 'bin', file), join(made, file));
    await rename(made, join(RUNTIME_DIR, `node-${wanted.version}`)).catch(async (error: NodeJS.ErrnoException) => {
      if (!existsSync(path)) throw error;
      await rm(made, { recursive: true, force: true });
    });
  });
  return path;
}
