// What goes when an account is closed.
import { Type } from 'typebox';
import { deleteRowsOf, listTablesOfAccounts } from '../../../platform/db/index.ts';
import { defineJob } from '../../../platform/feature/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { findAccount } from './store.ts';

/**
 * Tables whose rows stay until their retention ends: they have files, which go with them, or say what was sent and what
 * was used, which the parent account answers for.
 */
const KEPT: ReadonlySet<string> = new Set([
  'gates',
  'gate_baselines',
  'inspections',
  'jobs',
  'job_turns',
  'message_counts',
  'message_uses',
  'messages',
  'placement_results',
  'preview_tests',
  'sandbox_inboxes',
  'sandbox_messages',
  'sent_messages',
  'spam_tests',
  'spam_trap_hits',
  'uses',
]);
const ROWS_AT_ONCE = 5000;

/** Deletes what a closed account had, a batch of rows at a time. Safe to run again. */
export const erase = defineJob({
  name: 'accounts.erase',
  payload: Type.Object({ accountId: Type.String() }),
  lane: 'slow',
  urgency: 'bulk',
  attempts: 20,
  timeoutMs: 600_000,
  async run({ db, events, clock }, { accountId }, { signal }) {
    if ((await findAccount(db, accountId))?.status !== 'closed') return;
    // Whatever the clocks of other processes say.
    await events.prune(daysAfter(clock.now(), 2), accountId);
    // Rows that others refer to go after those: a table that is refused is tried again in the next round.
    let left = (await listTablesOfAccounts(db)).filter((table) => !KEPT.has(table) && !table.startsWith('audit'));
    for (let before = Infinity; left.length > 0 && left.length < before;) {
      before = left.length;
      const refused: string[] = [];
      for (const table of left) {
        signal.throwIfAborted();
        if (!(await deleteRowsOf(db, accountId, { table, limit: ROWS_AT_ONCE }))) refused.push(table);
      }
      left = refused;
    }
    if (left.length > 0) throw new Error(`Rows of a closed account stay in ${left.join(', ')}.`);
  },
});
