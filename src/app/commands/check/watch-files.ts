// Waits for files to change. Folders are watched, not files: editors put a new file in the place of the old one.
import { watch, type FSWatcher } from 'node:fs';
import { dirname, join } from 'node:path';

const SETTLE_MS = 120;
/** Errors of `watch` where a path names no folder that can be opened. */
const NO_FOLDER = new Set<string | undefined>(['ENOENT', 'ENOTDIR', 'EACCES', 'ENAMETOOLONG', 'ELOOP']);

interface WatchedFolders {
  folders: readonly string[];
  isWanted(name: string): boolean;
}

interface FileWatch {
  /** Watches these files from now on, and whatever comes into the folders under a name that is wanted. */
  set(paths: Iterable<string>, within?: WatchedFolders): void;
  /**
   * Resolves some time after a change since the last call, when nothing has changed for a moment; false when it is
   * over.
   */
  changed(): Promise<boolean>;
  close(): void;
}

export function watchFiles(): FileWatch {
  const watchers = new Map<string, FSWatcher>();
  let wanted = new Set<string>();
  let within: WatchedFolders = { folders: [], isWanted: () => false };
  let isChanged = false;
  let isClosed = false;
  let settle: NodeJS.Timeout | undefined;
  let wake = (): void => {};
  const onEvent = (folder: string, name: string | null): void => {
    const isNew = (path: string): boolean => within.folders.includes(folder) && within.isWanted(path);
    if (name !== null && !wanted.has(join(folder, name)) && !isNew(name)) return;
    clearTimeout(settle);
    settle = setTimeout(() => {
      isChanged = true;
      wake();
    }, SETTLE_MS);
  };
  return {
    set(paths, inFolders = { folders: [], isWanted: () => false }) {
      wanted = new Set(paths);
      within = inFolders;
      const folders = new Set([...[...wanted].map((path) => dirname(path)), ...within.folders]);
      for (const [folder, watcher] of watchers) {
        if (folders.has(folder)) continue;
        watcher.close();
        watchers.delete(folder);
      }
      for (const folder of folders) {
        if (watchers.has(folder)) continue;
        try {
          const watcher = watch(folder, (_event, name) => onEvent(folder, name));
          watcher.on('error', () => {
            watcher.close();
            watchers.delete(folder);
          });
          watchers.set(folder, watcher);
        } catch (error) {
          // A picture's folder that is not there or cannot be one; its message is watched all the same.
          if (!NO_FOLDER.has((error as NodeJS.ErrnoException).code)) throw error;
        }
      }
    },
    async changed() {
      if (!isChanged && !isClosed) await new Promise<void>((resolve) => (wake = resolve));
      isChanged = false;
      return !isClosed;
    },
    close() {
      isClosed = true;
      clearTimeout(settle);
      for (const watcher of watchers.values()) watcher.close();
      wake();
    },
  };
}
