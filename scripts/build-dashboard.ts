// Builds the dashboard when its files are missing or older than their sources.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const web = join(root, 'web');
const dist = join(web, 'dist');
const stamp = join(dist, '.sources');

function digestOf(folders: string[]): string {
  const hash = createHash('sha256');
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).sort((a, b) =>
      join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1,
    )) {
      if (entry.isFile()) hash.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)));
    }
  }
  for (const file of ['vite.config.ts', 'index.html', 'package.json']) hash.update(readFileSync(join(web, file)));
  return hash.digest('hex');
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const isBuilt = (): boolean =>
  existsSync(join(dist, 'index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources;

// What builds that were killed have left; another that runs keeps its own.
for (const name of readdirSync(web)) {
  const pid = /^dist\.(\d+)\.(?:new|old)$/.exec(name)?.[1];
  if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(web, name), { recursive: true, force: true });
}

const sources = digestOf([join(web, 'src'), join(web, 'public'), join(root, 'sdk', 'src')]);
if (!isBuilt()) {
  const since = performance.now();
  const { build } = await import('vite');
  // Built aside: a server that runs shows the whole old one until the whole new one is there.
  const [work, old] = [`${dist}.${process.pid}.new`, `${dist}.${process.pid}.old`];
  await build({ root: web, configFile: join(web, 'vite.config.ts'), logLevel: 'warn', build: { outDir: work } });
  writeFileSync(join(work, '.sources'), sources);
  // Another build of the same sources may have come first.
  if (isBuilt()) rmSync(work, { recursive: true, force: true });
  else {
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(work, dist);
    rmSync(old, { recursive: true, force: true });
  }
  console.log(`dashboard: built (${((performance.now() - since) / 1000).toFixed(1)} s)`);
}
