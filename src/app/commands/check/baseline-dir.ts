// Baselines as files: DIR/<mail>/<client>.png, with a picture of the differences next to each.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PictureDoors } from '../../../features/proof/gate/index.ts';

/** Engines by client: a picture of another version may differ although the message is the same. */
const ENGINES = 'engines.json';

async function readOptional(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

async function writeChanged(path: string, body: Buffer): Promise<void> {
  if (!(await readOptional(path))?.equals(body)) await writeFile(path, body);
}

/** `mails/spring.html` → `mails/spring`; a URL by its host and path. Neighbors with other endings share it. */
export function folderOf(baselineDir: string, email: string): string {
  const plain = email.replace(/^https?:\/\//i, '').replace(/\.[a-z]+$/i, '');
  const parts = plain
    .split('/')
    .map((part) => part.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-'))
    .filter((part) => part !== '' && !/^\.+$/.test(part));
  return join(baselineDir, ...(parts.length ? parts : ['mail']));
}

interface BaselineDir {
  doors: PictureDoors;
  /** Clients that have a picture here. */
  clients(): Promise<string[]>;
  /** Pictures written as approved. */
  approved(): number;
}

export function openBaselineDir(folder: string, { isApproving }: { isApproving: boolean }): BaselineDir {
  let approved = 0;
  // Pictures end at the same time; the file that they share is written by one after the other.
  let engines: Promise<unknown> = Promise.resolve();
  const noteEngine = (clientId: string, engine: string): Promise<void> => {
    const next = engines.then(async () => {
      const known = JSON.parse((await readOptional(join(folder, ENGINES)))?.toString('utf8') ?? '{}') as Record<
        string,
        string
      >;
      const sorted = Object.fromEntries(
        Object.entries({ ...known, [clientId]: engine }).sort(([a], [b]) => (a < b ? -1 : 1)),
      );
      await writeChanged(join(folder, ENGINES), Buffer.from(`${JSON.stringify(sorted, null, 2)}\n`));
    });
    engines = next.catch(() => {});
    return next;
  };
  return {
    approved: () => approved,
    async clients() {
      const names = await readdir(folder).catch(() => [] as string[]);
      return names.flatMap((name) => /^([a-z0-9_]+)\.png$/.exec(name)?.[1] ?? []).sort();
    },
    doors: {
      async baselineOf(clientId) {
        const png = await readOptional(join(folder, `${clientId}.png`));
        const known = JSON.parse((await readOptional(join(folder, ENGINES)))?.toString('utf8') ?? '{}') as Record<
          string,
          string
        >;
        return png && { png, engine: known[clientId] };
      },
      async save(clientId, which, { png, engine }) {
        if (which === 'baseline') return;
        await mkdir(folder, { recursive: true });
        if (which === 'difference') return writeChanged(join(folder, `${clientId}.difference.png`), png);
        await rm(join(folder, `${clientId}.difference.png`), { force: true });
        if (!isApproving) return writeChanged(join(folder, `${clientId}.current.png`), png);
        await rm(join(folder, `${clientId}.current.png`), { force: true });
        await writeChanged(join(folder, `${clientId}.png`), png);
        await noteEngine(clientId, engine);
        approved++;
      },
    },
  };
}
