// Objects as files: written aside, synced, then renamed, so that a reader never sees half of one.
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  access,
  constants,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  type FileHandle,
} from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { FULL, messageOf } from '../errors/index.ts';
import { reasonOf } from './faults.ts';
import { checkedKey, type Blobs, type StoredObject } from './store.ts';

/** Free bytes below which the next message may not fit. */
const FREE_BYTES_MIN = 32 * 1024 * 1024;

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Many renames in one directory share a sync: whoever comes before one begins is served by it. */
function createDirectorySync(): (path: string) => Promise<void> {
  const running = new Map<string, Promise<void>>();
  const next = new Map<string, Promise<void>>();
  return (path) => {
    const waiting = next.get(path);
    if (waiting) return waiting;
    const started = (running.get(path) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        next.delete(path);
        const sync = syncDirectory(path).finally(() => {
          if (running.get(path) === sync) running.delete(path);
        });
        running.set(path, sync);
        return sync;
      });
    next.set(path, started);
    return started;
  };
}

/** One that is being written. */
const UNFINISHED = /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

async function* filesIn(root: string, dir = root): AsyncGenerator<StoredObject> {
  const orGone =
    <Value>(gone: Value) =>
    (error: unknown): Value => {
      if (isMissing(error)) return gone;
      throw error;
    };
  for (const entry of await readdir(dir, { withFileTypes: true }).catch(orGone([]))) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* filesIn(root, path);
    if (!entry.isFile() || UNFINISHED.test(entry.name)) continue;
    const info = await stat(path).catch(orGone(undefined));
    if (info) yield { key: relative(root, path).split(sep).join('/'), sizeBytes: info.size, changedAt: info.mtime };
  }
}

/** Opens the store in a directory; see `openBlobs`. */
export function openDirectory(root: string): Blobs {
  const pathOf = (key: string): string => join(root, checkedKey(key));
  const sync = createDirectorySync();
  const create = async (path: string) => {
    try {
      return await open(path, 'w');
    } catch (error) {
      if (!isMissing(error)) throw error;
      await mkdir(dirname(path), { recursive: true });
      return open(path, 'w');
    }
  };
  const write = async (key: string, fill: (handle: FileHandle) => Promise<void>): Promise<void> => {
    const path = pathOf(key);
    const temporary = `${path}.${randomUUID()}.tmp`;
    const handle = await create(temporary);
    try {
      await fill(handle);
      await handle.datasync();
    } catch (error) {
      // What a full disk took of it must not stay there.
      await rm(temporary, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
    await sync(dirname(path));
  };
  return {
    put: (key, body) => write(key, (handle) => handle.writeFile(body)),
    putFile: (key, file) => write(key, (handle) => handle.writeFile(createReadStream(file))),
    get: (key) =>
      readFile(pathOf(key)).catch((error: unknown) => (isMissing(error) ? undefined : Promise.reject(error))),
    async stream(key) {
      const path = pathOf(key);
      const info = await stat(path).catch((error: unknown) => (isMissing(error) ? undefined : Promise.reject(error)));
      return info ? { body: createReadStream(path), sizeBytes: info.size } : undefined;
    },
    deleteAll: (prefix) => rm(pathOf(prefix), { recursive: true, force: true }),
    async count(prefix) {
      const entries = await readdir(pathOf(prefix), { recursive: true, withFileTypes: true }).catch((error: unknown) =>
        isMissing(error) ? [] : Promise.reject(error),
      );
      return entries.filter((entry) => entry.isFile()).length;
    },
    list: () => filesIn(root),
    async check() {
      try {
        await mkdir(root, { recursive: true });
        await access(root, constants.W_OK);
        const { bavail, bsize } = await statfs(root);
        return bavail * bsize < FREE_BYTES_MIN ? FULL : undefined;
      } catch (error) {
        return reasonOf(error) ?? messageOf(error);
      }
    },
  };
}
