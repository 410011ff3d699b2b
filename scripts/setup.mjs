// Makes a fresh clone ready, under whatever Node (>= 20) the machine has: packages, browser, fonts, dashboard.
// Run before `npm start` and `npm test`; does nothing when all is there. It may be killed at any moment: what it makes
// appears whole or not at all, and the next one starts clean. `--without-dashboard` is for who runs commands only.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'node_modules', '.galley-installed');
const isWindows = process.platform === 'win32';
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
const RETRY_MS = 200;

/**
 * A name that one process can listen at. The kernel gives it free with the last process that holds it, however that
 * ended.
 */
function lockAddress() {
  const name = `galley-setup-${createHash('sha256').update(`${process.getuid?.()} ${root}`).digest('hex').slice(0, 16)}`;
  if (process.platform === 'linux') return `\0${name}`;
  return isWindows ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name);
}

async function isHeld(address) {
  const socket = connect(address);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    return error.code === 'EAGAIN';
  } finally {
    socket.destroy();
  }
}

/**
 * Waits until no other set-up of this folder is under way: two at once would install over each other. Answers the
 * lock's file descriptor for children, who go on when this process alone is killed, and hold the lock as long as they
 * do.
 */
async function takeLock() {
  const address = lockAddress();
  for (let isTold = false; ;) {
    const server = createServer((socket) => socket.unref()).unref();
    try {
      server.listen(address);
      await once(server, 'listening');
      return isWindows ? undefined : server._handle?.fd;
    } catch (error) {
      if (error.code !== 'EADDRINUSE') {
        console.error(`Set-up: another one beside this one would not be noticed (${error.message}).`);
        return undefined;
      }
    }
    // Elsewhere than on Linux and Windows the name is a file, which outlives whoever was killed.
    if (address.startsWith('/') && !(await isHeld(address))) rmSync(address, { force: true });
    if (!isTold) console.error('Set-up: another one is under way in this folder; waiting until it ends …');
    isTold = true;
    await pause(RETRY_MS);
  }
}

async function run(command, args, lock) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2, ...(lock === undefined ? [] : [lock])],
    shell: isWindows,
  });
  let stoppedBy;
  const forward = (signal) => {
    stoppedBy = signal;
    child.kill(signal);
  };
  for (const signal of Object.keys(SIGNALS)) process.on(signal, forward);
  const [code, error] = await once(child, 'exit').catch((reason) => [1, reason]);
  for (const signal of Object.keys(SIGNALS)) process.off(signal, forward);
  if (stoppedBy) process.exit(128 + SIGNALS[stoppedBy]);
  if (code === 0) return;
  console.error(
    `Set-up stopped: \`${[command, ...args].join(' ')}\` failed${error instanceof Error ? ` (${error.message})` : ''}.`,
  );
  process.exit(1);
}

const [major] = process.versions.node.split('.');
if (Number(major) < 20) {
  console.error(`Galley needs Node 20 or newer; this is ${process.version}.`);
  process.exit(1);
}

const fd = await takeLock();
const packages = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== packages) {
  console.error('Set-up: installing packages …');
  // No package needs its install script; not running any is safer. Starts by deleting what is left of another install.
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], fd);
  writeFileSync(stamp, packages);
}

const own = join(root, 'node_modules', '.bin', isWindows ? 'node.cmd' : 'node');
const node = existsSync(own) ? own : process.execPath;
if (node === process.execPath && Number(major) < 24) {
  console.error(
    `No Node 24 package exists for ${process.platform}-${process.arch}: install Node 24 or newer yourself.`,
  );
  process.exit(1);
}
await run(node, [join(root, 'scripts', 'prepare-runtime.ts')], fd);
if (!process.argv.includes('--without-dashboard')) await run(node, [join(root, 'scripts', 'build-dashboard.ts')], fd);
process.exit(0);
