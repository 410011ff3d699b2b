// How much of what was tested in a time landed in the inbox: what watching holds against other times.
import type { Outside } from '../../../platform/feature/index.ts';
import { placements } from './deliveries.ts';
import { listCompleteIds } from './results-store.ts';

/** More tests are not counted: the newest stand for the time. */
const TESTS_MAX = 2000;

interface Placed {
  /** Its tabs, too. */
  inbox: number;
  /** With an outcome: inbox, spam, or missing. */
  decided: number;
  /** Different addresses that were written to. */
  addresses: number;
}

export interface InboxCounts {
  tests: number;
  /** Mailboxes at providers. */
  real: Placed;
  /** Galley's own receivers, which follow rules. */
  simulated: Placed;
  /** There were more tests than are counted. */
  isBound: boolean;
}

const NOTHING: Placed = { inbox: 0, decided: 0, addresses: 0 };

/** Counts over the complete placement tests that these accounts began in a time. */
export async function countInboxes(
  { db }: Pick<Outside, 'db'>,
  time: { accountIds: readonly string[]; from: Date; to: Date },
): Promise<InboxCounts> {
  const found = await listCompleteIds(db, time, TESTS_MAX + 1);
  const testIds = found.slice(0, TESTS_MAX);
  return {
    tests: testIds.length,
    ...(await countInboxesOf({ db }, { accountIds: time.accountIds, testIds })),
    isBound: found.length > TESTS_MAX,
  };
}

/** What counts of placement tests come to, in sentences; real mailboxes and simulated receivers apart. */
export function inboxSentences({ real, simulated }: Pick<InboxCounts, 'real' | 'simulated'>): string {
  const said = [
    real.decided > 0 && `${real.inbox} of ${real.decided} messages are in the inbox of real mailboxes.`,
    simulated.decided > 0 && `${simulated.inbox} of ${simulated.decided} are in the inbox of simulated receivers.`,
  ].filter((sentence) => sentence !== false);
  return said.join(' ') || 'No mailbox could say where its message is.';
}

/** The same of placement tests that are named. */
export async function countInboxesOf(
  { db }: Pick<Outside, 'db'>,
  tests: { accountIds: readonly string[]; testIds: readonly string[] },
): Promise<Pick<InboxCounts, 'real' | 'simulated'>> {
  const counts = tests.testIds.length > 0 ? await placements.placed({ db }, tests) : [];
  const of = (kind: string): Placed => {
    const { inbox, decided, addresses } = counts.find(({ seedKind }) => seedKind === kind) ?? NOTHING;
    return { inbox, decided, addresses };
  };
  return { real: of('mailbox'), simulated: of('receiver') };
}
