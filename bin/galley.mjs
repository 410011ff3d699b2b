#!/usr/bin/env node
// The `galley` command: hands over to the Node that the project brings, which runs TypeScript unbuilt.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const own = `${root}node_modules/.bin/node`;
const child = spawn(existsSync(own) ? own : process.execPath, [`${root}src/main.ts`, ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
