import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outageRun } from '../harness/outage.ts';
import { postgresAbsence } from '../harness/postgres.ts';

describe('a database that goes away', { skip: postgresAbsence }, () => {
  it('is restarted ten times under load: the process lives, nothing accepted is lost, nothing is done twice', async () => {
    const outcome = await outageRun({ part: 'database', restarts: 10, awayMs: 100, betweenMs: 200 });
    assert.ok(outcome.accepted > 0, 'tests were accepted');
    assert.deepEqual(
      {
        restarts: outcome.restarts,
        exitCode: outcome.exitCode,
        lostOrTwice: outcome.lostOrTwice,
        completed: outcome.completed,
        doneTwice: outcome.doneTwice,
        unexpected: outcome.unexpected,
      },
      { restarts: 10, exitCode: 0, lostOrTwice: [], completed: outcome.accepted, doneTwice: [], unexpected: {} },
    );
    assert.ok(outcome.refusals > 0, 'requests met the database away');
  });
});
