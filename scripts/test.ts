// `npm test [-- path… --except=part…]`: every test in one runner. Feature tests use the embedded database, or PostgreSQL when
// GALLEY_TEST_DATABASE_URL names one. The last line is `N passed, N failed, N skipped`.
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { prepareTemplate } from '../test/harness/template-database.ts';
import { hasRoom, watchIdle } from './tests/idle.ts';
import { endRunning, runFile, type FileResult } from './tests/run-file.ts';

const PLACES = ['src/**', 'test/**', 'sdk/**', 'web/src/**', 'scripts/**'].map((place) => `${place}/*.test.ts`);
// How long each file took the last time, in milliseconds.
const TIMES = '.runtime/test-times.json';
// How often it is looked whether processors have nothing to do.
const LOOK_MS = 1000;
// What to expect of a file that never ran here: whole programs and browsers take long, tables do not.
const EXPECTED_MS = {
  'test/': 20_000,
  'src/platform/browser/': 20_000,
  'src/app/': 15_000,
  'scripts/': 10_000,
  'src/features/': 8_000,
};

process.chdir(new URL('..', import.meta.url).pathname);
// Each file has a process of its own; compiling what they share would be a third of its time.
process.env['NODE_COMPILE_CACHE'] ??= resolve('.runtime/compile-cache');
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  // The limits are those of `runFile`; other ones are for the runner's own test.
  options: {
    // Files whose path holds this part are left out.
    except: { type: 'string', multiple: true, default: [] },
    // Three times what the longest took where two runs share two cores: only what hangs is ended.
    'test-ms': { type: 'string', default: '240000' },
    'silence-ms': { type: 'string', default: '300000' },
    'leave-ms': { type: 'string', default: '20000' },
  },
});
const limits = {
  testMs: Number(values['test-ms']),
  silenceMs: Number(values['silence-ms']),
  leaveMs: Number(values['leave-ms']),
};

/** Files whose path holds a wanted part, and none that is left out; a path that is a file is that file. */
function wantedFiles(): string[] {
  const all = globSync(PLACES, { exclude: (name) => name.includes('node_modules') })
    .filter((file) => !values.except.some((part) => file.includes(part)))
    .sort();
  if (!wanted.length) return all;
  const parts = wanted.map((part) => part.replace(/^\.\//, ''));
  const named = parts.filter((part) => part.endsWith('.ts') && existsSync(part));
  return [...new Set([...all.filter((file) => parts.some((part) => file.includes(part))), ...named])];
}

const files = wantedFiles();
if (!files.length) {
  console.error(`No test file matches ${wanted.join(' ')}.`);
  process.exit(1);
}

for (const [signal, number] of Object.entries({ SIGHUP: 1, SIGINT: 2, SIGTERM: 15 })) {
  process.once(signal, () => {
    endRunning();
    process.exit(128 + number);
  });
}
await prepareTemplate();
const readTimes = (): Record<string, number> => (existsSync(TIMES) ? JSON.parse(readFileSync(TIMES, 'utf8')) : {});
const known = readTimes();
const expectedMs = (file: string): number =>
  known[file] ?? Object.entries(EXPECTED_MS).find(([place]) => file.startsWith(place))?.[1] ?? 1000;
// The longest first: one that begins last would run alone at the end.
const waiting = files.toSorted((a, b) => expectedMs(b) - expectedMs(a));
const times: Record<string, number> = {};
const counts = { passed: 0, failed: 0, skipped: 0 };
const faults: string[] = [];
const events = new Readable({ objectMode: true, read: () => undefined });
const printed = events.compose(new spec());
printed.pipe(process.stdout);

function take(result: FileResult): void {
  counts.passed += result.passed;
  counts.failed += result.failed;
  counts.skipped += result.skipped;
  if (result.file.endsWith('.test.ts')) times[result.file] = Math.round(result.durationMs);
  if (result.fault !== undefined) faults.push(result.fault);
  for (const event of result.events) events.push(event);
}

let running = 0;
async function runNext(): Promise<boolean> {
  const file = waiting.shift();
  if (file === undefined) return false;
  running++;
  take(await runFile(file, limits));
  running--;
  return true;
}

const processors = availableParallelism();
const lanes: Promise<unknown>[] = Array.from({ length: processors }, async () => {
  while (await runNext());
});
const idleSince = watchIdle(processors);
const looks = setInterval(() => {
  if (hasRoom({ running, processors, idle: idleSince() })) lanes.push(runNext());
}, LOOK_MS);
for (const lane of lanes) await lane;
clearInterval(looks);
events.push(null);
await new Promise((resolve) => printed.once('end', resolve));
mkdirSync('.runtime', { recursive: true });
// Another run may read and write beside this one.
writeFileSync(`${TIMES}.${process.pid}`, JSON.stringify({ ...readTimes(), ...times }));
renameSync(`${TIMES}.${process.pid}`, TIMES);
for (const fault of faults) console.log(`✖ ${fault}`);
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
if (counts.failed || !counts.passed) process.exitCode = 1;
