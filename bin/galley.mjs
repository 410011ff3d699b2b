#!/usr/bin/env node
// The `galley` command. In a checkout it hands over to the Node that the project brings, which runs TypeScript unbuilt.
// Installed as a package it runs what was compiled (`dist`), with this Node, or, where it is older than 24, with one
// that is fetched once.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [major, minor] = process.versions.node.split('.').map(Number);

/** Runs the program with another Node, and ends as it ends. */
function handOver(node, program, cacheDir) {
  const child = spawn(node, [program, ...process.argv.slice(2)], {
    stdio: 'inherit',
    // From the first file on, `main` itself: it would have to be read by the compiler of types otherwise.
    env: { NODE_COMPILE_CACHE: cacheDir, ...process.env },
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // 1 would say something about the message; a shell's code for a signal does not.
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

async function runPackage() {
  const parts = await import('../dist/src/platform/parts/index.js');
  if (major >= parts.NODE_MAJOR) {
    await import('../dist/src/main.js');
    return;
  }
  const node = await parts.provideNode((text) => process.stderr.write(`${text}\n`));
  handOver(node, `${root}dist/src/main.js`, `${parts.RUNTIME_DIR}/compile-cache`);
}

if (existsSync(`${root}src/main.ts`)) {
  const own = `${root}node_modules/.bin/node`;
  handOver(existsSync(own) ? own : process.execPath, `${root}src/main.ts`, `${root}.runtime/compile-cache`);
} else if (major < 20 || (major === 20 && minor < 11)) {
  process.stderr.write(`Galley needs Node 20.11 or newer; this is ${process.version}.\n`);
  process.exitCode = 2;
} else {
  try {
    await runPackage();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}
