import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crashRun, seeded } from '../harness/crash.ts';

describe('kill −9', () => {
  it('loses no accepted test, doubles none, and all complete; then SIGTERM ends with 0', async () => {
    const outcome = await crashRun({ kills: 3, tests: 10, clients: ['gmail_chrome', 'ol2021'], random: seeded(7) });
    assert.deepEqual({ accepted: outcome.accepted, completed: outcome.completed, lostOrTwice: outcome.lostOrTwice }, { accepted: 10, completed: 10, lostOrTwice: [] });
  });
});
