// `npm test [-- path… --except=part…]`: every test in one runner; with `--list` only the files' names. Feature tests use the embedded database, or PostgreSQL when
// GALLEY_TEST_DATABASE_URL names one. The last line is `N passed, N failed, N skipped`.
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { prepareTemplate } from '../test/harness/template-database.ts';
import { groupFiles } from './tests/groups.ts';
import { hasRoom, watchIdle } from './tests/idle.ts';
import { endRunning, runGroup, type GroupResult } from './tests/run-group.ts';

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
// Compiling what the processes share would be a third of their time.
process.env['NODE_COMPILE_CACHE'] ??= resolve('.runtime/compile-cache');
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  // The limits are those of `runGroup`; other ones are for the runner's own test.
  options: {
    // Files whose path holds this part are left out.
    except: { type: 'string', multiple: true, default: [] },
    list: { type: 'boolean', default: false },
    // What has not begun by then is left out, named, and counted as skipped: of a run that somebody else would end.
    minutes: { type: 'string', default: 'Infinity' },
    // It holds for a suite as a whole, too: a browser's takes four minutes where two runs share two cores. Silence ends
    // what hangs long before.
    'test-ms': { type: 'string', default: '900000' },
    'silence-ms': { type: 'string', default: '300000' },
    // A process writes what it compiled, thousands of files, before it is gone.
    'leave-ms': { type: 'string', default: '90000' },
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

if (values.list) {
  console.log(files.join('\n'));
  process.exit(0);
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
const processors = availableParallelism();
const sum = (group: readonly string[]): number => group.reduce((ms, file) => ms + expectedMs(file), 0);
const endsAt = performance.now() + Number(values.minutes) * 60_000;
// The longest first: one that begins last would run alone at the end. Where time may run out, files that are quick by
// themselves.
const weight = endsAt === Infinity ? sum : (group: readonly string[]): number => -sum(group) / group.length;
const waiting = groupFiles(files, { processors, expectedMs }).toSorted((a, b) => weight(b) - weight(a));
const times: Record<string, number> = {};
const counts = { passed: 0, failed: 0, skipped: 0 };
const faults: string[] = [];
const events = new Readable({ objectMode: true, read: () => undefined });
const printed = events.compose(new spec());
printed.pipe(process.stdout);

function take(result: GroupResult): void {
  counts.passed += result.passed;
  counts.failed += result.failed;
  counts.skipped += result.skipped;
  const share = result.durationMs / sum(result.files);
  for (const file of result.files) if (file.endsWith('.test.ts')) times[file] = Math.round(expectedMs(file) * share);
  if (result.fault !== undefined) faults.push(result.fault);
  for (const event of result.events) events.push(event);
}

let running = 0;
async function runNext(): Promise<boolean> {
  const group = performance.now() < endsAt ? waiting.shift() : undefined;
  if (group === undefined) return false;
  running++;
  take(await runGroup(group, limits));
  running--;
  return true;
}

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
const leftOut = waiting.flat();
counts.skipped += leftOut.length;
if (leftOut.length) console.log(`\nNot run, for want of time (${values.minutes} minutes): ${leftOut.join(', ')}`);
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
if (counts.failed || !counts.passed) process.exitCode = 1;
