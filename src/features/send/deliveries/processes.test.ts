// Four processes send from one PostgreSQL; one of them is killed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { postgresAbsence } from '../../../../test/harness/postgres.ts';
import { sendingProcessesRun } from '../../../../test/harness/sending-processes.ts';

describe('four processes on one PostgreSQL', { skip: postgresAbsence }, () => {
  it('deliver each message once, and go on with what a killed one held', { timeout: 300_000 }, async () => {
    const outcome = await sendingProcessesRun({ processes: 4, calls: 2, answerMs: 20, isOneKilled: true });
    assert.deepEqual(outcome.lost, []);
    assert.deepEqual(outcome.unmarked, []);
    assert.ok(outcome.twice.length <= 10, `${outcome.twice.length} came twice`);
    assert.equal(outcome.events, outcome.messages);
    assert.ok(outcome.afterKillMs < 150_000, `${Math.round(outcome.afterKillMs)} ms after the kill`);
  });
});
