// What the product does without: linters, the formatter, types, and what tests run beside it (test/package.json). They
// are installed in .runtime/test-packages, from a lock file of their own, before `npm test` and when a tool is first
// used. Runs under whatever Node (>= 20) the machine has.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The packages of test/package.json, and, apart for their size, those of a folder below it. */
const placeOf = (part) => ({
  from: join(root, 'test', part),
  folder: join(root, '.runtime', `test-packages${part && `-${part}`}`),
});
const { folder } = placeOf('');
const STAMP = 'installed';
const wanted = JSON.parse(readFileSync(join(root, 'test', 'package.json'), 'utf8')).devDependencies;
const INSTALL = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

function isInstalled(lock, folder) {
  const stamp = join(folder, STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === lock;
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** What an installation left that was killed. */
function removeLeft() {
  for (const name of readdirSync(join(root, '.runtime'))) {
    const [, pid] = /^test-packages[a-z-]*\.(\d+)\.(?:new|old)$/.exec(name) ?? [];
    if (pid && !isRunning(Number(pid))) rmSync(join(root, '.runtime', name), { recursive: true, force: true });
  }
}

/**
 * Installs them, unless what the lock file says is there. They appear whole or not at all; of two at once, the later one
 * keeps what the earlier one made. Answers whether they are there; npm has said why not. `part`: a folder of test/ whose
 * packages are too large for every run.
 */
export function installTestPackages(part = '') {
  const { from, folder } = placeOf(part);
  const lock = createHash('sha256')
    .update(readFileSync(join(from, 'package-lock.json')))
    .digest('hex');
  if (isInstalled(lock, folder)) return true;
  console.error(`Installing what checks and tests run (${relative(root, join(from, 'package.json'))}) …`);
  const [made, replaced] = [`${folder}.${process.pid}.new`, `${folder}.${process.pid}.old`];
  try {
    mkdirSync(made, { recursive: true, mode: 0o755 });
    removeLeft();
    for (const name of ['package.json', 'package-lock.json', '.npmrc'])
      copyFileSync(join(from, name), join(made, name));
    const ran = spawnSync('npm', INSTALL, {
      cwd: made,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    });
    if (ran.status !== 0) return false;
    writeFileSync(join(made, STAMP), lock);
    if (isInstalled(lock, folder)) return true;
    if (existsSync(folder)) renameSync(folder, replaced);
    renameSync(made, folder);
    return true;
  } finally {
    for (const left of [made, replaced]) rmSync(left, { recursive: true, force: true });
  }
}

/** Puts the types of the product's packages where the compiler and editors look for them: in its node_modules. */
export function linkTypes() {
  const types = join(root, 'node_modules', '@types');
  mkdirSync(types, { recursive: true });
  for (const name of Object.keys(wanted).filter((name) => name.startsWith('@types/'))) {
    try {
      const target = relative(types, join(folder, 'node_modules', name));
      symlinkSync(target, join(root, 'node_modules', name), 'junction');
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

/** Where a package of test/package.json stands, of the version named there; installs them when it is nowhere. */
export function findTestPackage(name) {
  const [, realName = name, version = wanted[name]] = /^npm:(.+)@(.+)$/.exec(wanted[name]) ?? [];
  const find = () =>
    [join(folder, 'node_modules', name), join(root, 'node_modules', realName)].find((path) => {
      const about = join(path, 'package.json');
      return existsSync(about) && JSON.parse(readFileSync(about, 'utf8')).version === version;
    });
  const found = find() ?? (installTestPackages() ? find() : undefined);
  if (found === undefined) throw new Error(`${realName} ${version} is not installed.`);
  return found;
}
