import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mailCrashRun } from '../harness/mail-crash.ts';

describe('kill −9 between the 250 and the hand-over', () => {
  it('loses no message, makes one test of each, and leaves nothing behind', async () => {
    const { accepted, waitedAtKill, lost, twice, left } = await mailCrashRun({ kills: 2, perKill: 50 });
    assert.ok(accepted >= 100, `${accepted} were accepted`);
    assert.ok(waitedAtKill > 0, 'no kill came between');
    assert.deepEqual({ lost, twice, left }, { lost: [], twice: [], left: [] });
  });
});
