// `npm run dev`: the service, started again at every change of its sources, and the dashboard with reload.
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const start = (args: string[], cwd = root): ChildProcess => spawn(process.execPath, args, { cwd, stdio: 'inherit' });

const children = [
  start(['--watch', '--watch-preserve-output', 'src/main.ts', 'start']),
  start([join(root, 'node_modules/vite/bin/vite.js')], join(root, 'web')),
];
const stop = (): void => {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
// One without the other is of no use.
for (const child of children)
  child.once('exit', (code) => {
    process.exitCode ??= code ?? 1;
    stop();
  });
