// PostgreSQL restarted ten times, and the object store away for a minute, both under load: what was accepted and became
// of it, and how long it took until work went on. `npm run bench -- outage database` runs one part alone.
import { outageRun, type OutageOptions } from '../test/harness/outage.ts';
import { median } from './measure.ts';

const PARTS: OutageOptions[] = [
  { part: 'database', restarts: 10, awayMs: 1_000, betweenMs: 3_000 },
  { part: 'objects', restarts: 1, awayMs: 60_000, betweenMs: 5_000 },
];

const inMs = (times: readonly number[]): string => `median ${median(times)} ms, longest ${Math.max(...times)} ms`;

export async function run(): Promise<void> {
  const [, name] = process.argv.slice(2);
  for (const options of PARTS.filter(({ part }) => name === undefined || name === part)) {
    const outcome = await outageRun(options);
    const { part, restarts, awayMs } = options;
    console.log(
      `${part} away ${restarts} × ${awayMs / 1000} s: the process ended with ${outcome.exitCode} when it was told ` +
        `to; ${outcome.accepted} accepted, ${outcome.completed} completed, ${outcome.lostOrTwice.length} ` +
        `lost or listed twice, ${outcome.doneTwice.length} jobs done twice; ${outcome.refusals} times 503 with ` +
        `Retry-After, other answers ${JSON.stringify(outcome.unexpected)}`,
    );
    console.log(
      `  from its return to the first accepted change: ${inMs(outcome.backMs)}; to the first job ` +
        `done: ${inMs(outcome.workMs)}`,
    );
    const isWell =
      outcome.exitCode === 0 &&
      outcome.completed === outcome.accepted &&
      outcome.lostOrTwice.length + outcome.doneTwice.length === 0;
    if (!isWell || Object.keys(outcome.unexpected).length > 0) process.exitCode = 1;
  }
}
