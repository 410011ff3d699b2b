// kill −9 at ten random moments while placement tests to 50 seeds run: local receivers and, with Dovecot, mailboxes.
// `GALLEY_TEST_SEED` repeats a run.
import { seeded } from '../test/harness/crash.ts';
import { placementCrashRun } from '../test/harness/placement-crash.ts';

export async function run(): Promise<void> {
  const seed = Number(process.env['GALLEY_TEST_SEED'] ?? Date.now() % 1_000_000);
  const outcome = await placementCrashRun({
    kills: 10,
    tests: 6,
    seedsPerProvider: 5,
    mailboxes: 10,
    random: seeded(seed),
  });
  console.log(
    `seed ${seed}: ${outcome.kills} kills, ${outcome.tests} tests to ${outcome.seeds} seeds, ${outcome.completed} ` +
      `completed, ${outcome.notOnce.length} seeds with no copy or more than one, ${outcome.resumed} handovers taken ` +
      `up again; ${outcome.toMailboxes} messages to mailboxes, ${outcome.sentTwice} ` +
      `sent twice, ${outcome.leftUnsent} ` +
      `cut off and not sent again; slowest start ${Math.round(outcome.slowestStartMs)} ms`,
  );
  if (outcome.completed !== outcome.tests || outcome.notOnce.length || outcome.sentTwice) process.exitCode = 1;
}
