import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mailCrashRun } from '../harness/mail-crash.ts';

describe('kill −9 between the 250 and the hand-over', () => {
  it('loses no message, makes one test of each, and leaves nothing behind', async () => {
    const { accepted, waitedAtKills, lost, twice, left } = await mailCrashRun({ kills: 2, perKill: 50 });
    assert.ok(accepted >= 100, `${accepted} were accepted`);
    // More than the connections had under way.
    assert.ok(
      waitedAtKills.some((count) => count > 6),
      `no kill came between: ${waitedAtKills.join()}`,
    );
    assert.deepEqual({ lost, twice, left }, { lost: [], twice: [], left: [] });
  });
});
