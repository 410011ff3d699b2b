// A folder appears whole or not at all.
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';

/**
 * Renames a finished folder to its final name. When another process was first, its folder stays and ours is left to the
 * caller.
 */
export async function moveIntoPlace(workDir: string, targetDir: string): Promise<void> {
  try {
    await rename(workDir, targetDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if ((code === 'ENOTEMPTY' || code === 'EEXIST') && existsSync(targetDir)) return;
    throw error;
  }
}
