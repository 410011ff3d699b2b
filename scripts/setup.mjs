// Makes a fresh clone ready, under whatever Node (>= 20) the machine has: packages, browser, fonts, dashboard.
// Run before `npm start` and `npm test`; does nothing when all is there.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'node_modules', '.galley-installed');

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (error || status !== 0) {
    console.error(`Set-up stopped: \`${[command, ...args].join(' ')}\` failed${error ? ` (${error.message})` : ''}.`);
    process.exit(1);
  }
}

const [major] = process.versions.node.split('.');
if (Number(major) < 20) {
  console.error(`Galley needs Node 20 or newer; this is ${process.version}.`);
  process.exit(1);
}

const lock = createHash('sha256').update(readFileSync(join(root, 'package-lock.json'))).digest('hex');
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  console.error('Set-up: installing packages …');
  // No package needs its install script; not running any is safer.
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stamp, lock);
}

const own = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
const node = existsSync(own) ? own : process.execPath;
if (node === process.execPath && Number(major) < 24) {
  console.error(`No Node 24 package exists for ${process.platform}-${process.arch}: install Node 24 or newer yourself.`);
  process.exit(1);
}
run(node, [join(root, 'scripts', 'prepare-runtime.ts')]);
run(node, [join(root, 'scripts', 'build-dashboard.ts')]);
