// kill −9 at random moments while messages are handed over: none is lost, and what comes twice was between its last byte
// and the answer, and is said to be. `GALLEY_TEST_SEED` repeats a run, `GALLEY_TEST_KILLS` changes the number of kills,
// GALLEY_TEST_DATABASE_URL names a PostgreSQL server to run on.
import { seeded } from '../test/harness/crash.ts';
import { load } from './measure.ts';
import { sendingCrashRun } from '../test/harness/sending-crash.ts';

const PER_KILL = 200;
const ANSWER_MS = 60;

export async function run(): Promise<void> {
  const seed = Number(process.env['GALLEY_TEST_SEED'] ?? Date.now() % 1_000_000);
  const kills = Number(process.env['GALLEY_TEST_KILLS'] ?? 20);
  const outcome = await sendingCrashRun({ kills, perKill: PER_KILL, answerMs: ANSWER_MS, random: seeded(seed) });
  const open = outcome.openAtKills.reduce((sum, count) => sum + count, 0);
  console.log(
    `seed ${seed}: ${outcome.kills} kills, ${outcome.accepted} messages accepted, ${outcome.lost.length} lost, ` +
      `${outcome.twice.length} came twice of ${open} that were between their last byte and the answer at the kills ` +
      `(${outcome.openAtKills.join(', ')}), ${outcome.unmarked.length} of them not marked${load()}`,
  );
  if (outcome.lost.length > 0 || outcome.unmarked.length > 0 || outcome.twice.length > open) process.exitCode = 1;
}
