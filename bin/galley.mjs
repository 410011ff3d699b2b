#!/usr/bin/env node
// The `galley` command: hands over to the Node that the project brings, which runs TypeScript unbuilt.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const own = `${root}node_modules/.bin/node`;
const child = spawn(existsSync(own) ? own : process.execPath, [`${root}src/main.ts`, ...process.argv.slice(2)], {
  stdio: 'inherit',
  // From the first file on, `main.ts` itself: it would have to be read by the compiler of types otherwise.
  env: { NODE_COMPILE_CACHE: `${root}.runtime/compile-cache`, ...process.env },
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// 1 would say something about the message; a shell's code for a signal does not.
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
