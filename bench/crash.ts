// kill −9 at twenty random moments while ten tests run. `GALLEY_TEST_SEED` repeats a run.
import { crashRun, seeded } from '../test/harness/crash.ts';

export async function run(): Promise<void> {
  const seed = Number(process.env['GALLEY_TEST_SEED'] ?? Date.now() % 1_000_000);
  const outcome = await crashRun({ kills: 20, tests: 10, clients: ['gmail_chrome', 'ol2021', 'applemail_26_dm', 'outlookcom_chrome'], random: seeded(seed) });
  console.log(`seed ${seed}: ${outcome.kills} kills, ${outcome.accepted} tests accepted, ${outcome.completed} completed, ${outcome.lostOrTwice.length} lost or listed twice; slowest start ${Math.round(outcome.slowestStartMs)} ms`);
  if (outcome.completed !== outcome.accepted || outcome.lostOrTwice.length) process.exitCode = 1;
}
