// `npm test [-- path…]`: every test in one runner. Feature tests use the embedded database, or PostgreSQL when
// GALLEY_TEST_DATABASE_URL names one. The last line is `N passed, N failed, N skipped`.
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { prepareTemplate } from '../test/harness/template-database.ts';

const TEST_TIMEOUT_MS = 120_000;
const wanted = process.argv.slice(2);

process.chdir(new URL('..', import.meta.url).pathname);
// Each file has a process of its own; compiling what they share would be a third of its time.
process.env['NODE_COMPILE_CACHE'] ??= resolve('.runtime/compile-cache');
const all = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'sdk/**/*.test.ts', 'web/src/**/*.test.ts', 'scripts/**/*.test.ts'], { exclude: (name) => name.includes('node_modules') }).sort();
const files = wanted.length ? all.filter((file) => wanted.some((part) => file.includes(part.replace(/^\.\//, '')))) : all;
if (!files.length) {
  console.error(`No test file matches ${wanted.join(' ')}.`);
  process.exit(1);
}

await prepareTemplate();
const counts = { passed: 0, failed: 0, skipped: 0 };
const stream = run({ files, concurrency: availableParallelism(), timeout: TEST_TIMEOUT_MS, execArgv: ['--disable-warning=ExperimentalWarning'] });
stream.on('test:summary', (summary) => {
  if (summary.file !== undefined) return;
  const { tests, passed, cancelled, skipped, todo } = summary.counts;
  counts.passed = passed;
  counts.skipped = skipped + todo;
  counts.failed = Math.max(tests - passed - counts.skipped, cancelled);
  if (!summary.success && !counts.failed) counts.failed = 1;
});
stream.compose(new spec()).pipe(process.stdout);
await new Promise((resolve) => stream.on('end', resolve));
process.on('exit', () => console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`));
if (counts.failed || !counts.passed) process.exitCode = 1;
