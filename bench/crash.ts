// kill −9 at twenty random moments while ten tests run, and twenty more after each of which what it hit is waited for.
// `GALLEY_TEST_SEED` repeats a run, GALLEY_TEST_DATABASE_URL names a PostgreSQL server to run on.
import { crashRun, recoveryRun, seeded } from '../test/harness/crash.ts';
import { median } from './measure.ts';

const CLIENTS = ['gmail_chrome', 'ol2021', 'applemail_26_dm', 'outlookcom_chrome'];
const KILLS = 20;
const RECOVERY_MS_MAX = 30_000;

export async function run(): Promise<void> {
  const seed = Number(process.env['GALLEY_TEST_SEED'] ?? Date.now() % 1_000_000);
  const outcome = await crashRun({ kills: KILLS, tests: 10, clients: CLIENTS, random: seeded(seed) });
  console.log(
    `seed ${seed}: ${outcome.kills} kills, ${outcome.accepted} tests accepted, ${outcome.completed} ` +
      `completed, ${outcome.lostOrTwice.length} lost or listed twice; slowest start ` +
      `${Math.round(outcome.slowestStartMs)} ms`,
  );
  const { accepted, completed, recoveryMs } = await recoveryRun({
    kills: KILLS,
    tests: 3,
    clients: CLIENTS,
    random: seeded(seed + 1),
  });
  const slowest = Math.max(...recoveryMs);
  console.log(
    `${KILLS} kills, what they hit was complete after the restart in ${Math.round(median(recoveryMs.slice(1)))} ` +
      `ms (median), ${Math.round(slowest)} ms (slowest, at most ${RECOVERY_MS_MAX}); ${completed} of ${accepted} tests`,
  );
  const isWell =
    outcome.completed === outcome.accepted &&
    outcome.lostOrTwice.length === 0 &&
    completed === accepted &&
    slowest <= RECOVERY_MS_MAX;
  if (!isWell) process.exitCode = 1;
}
