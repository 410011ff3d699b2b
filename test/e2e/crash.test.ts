import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crashRun, recoveryRun, seeded } from '../harness/crash.ts';

describe('kill −9', () => {
  it('loses no accepted test, doubles none, and all complete; then SIGTERM ends with 0', async () => {
    const outcome = await crashRun({ kills: 3, tests: 10, clients: ['gmail_chrome', 'ol2021'], random: seeded(7) });
    assert.deepEqual(
      { accepted: outcome.accepted, completed: outcome.completed, lostOrTwice: outcome.lostOrTwice },
      { accepted: 10, completed: 10, lostOrTwice: [] },
    );
  });

  it('holds up what it hits for some seconds only', async () => {
    const { accepted, completed, recoveryMs } = await recoveryRun({
      kills: 2,
      tests: 3,
      clients: ['gmail_chrome', 'ol2021'],
      random: seeded(3),
    });
    assert.equal(completed, accepted);
    // It took three minutes and more when only the clock found them. Most of the rest is the machine's.
    assert.ok(Math.max(...recoveryMs) < 60_000, `${recoveryMs.map(Math.round).join(', ')} ms`);
  });
});
