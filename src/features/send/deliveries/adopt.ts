// What a process of this machine left when it was killed: its outcomes are written, what may have arrived is tried again
// and says so, the rest waits again.
import type { Outside } from '../../../platform/feature/index.ts';
import { adoptJournals, type LostJournal } from '../../../platform/journal/index.ts';
import { listTaken, releaseClaims, type Delivery } from '../messages/index.ts';
import { attemptsOf, rememberingMessages } from './attempts.ts';
import type { Outcome } from './outcomes.ts';
import { settle } from './settle.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'events' | 'clock' | 'lists' | 'log' | 'facts' | 'jobs'>;

const AT_ONCE = 500;

export const journalDir = ({ config }: Pick<Outside, 'config'>): string => `${config.dataDir}/sending`;

/** RFC 5321 §6.1 prefers a second copy to none; it has the same Message-ID and the same bytes. */
const uncertain = (now: Date): Outcome => ({
  end: 'deferred',
  retryAt: now,
  status: {
    code: 451,
    'enhanced-code': '4.3.0',
    message: 'It may have been sent before a restart.',
    description: 'The process ended between the end of the message and the answer; the same message is sent again.',
  },
});

/** An attempt, in the journal. */
export const nameOf = ({ id, attempts }: Pick<Delivery, 'id' | 'attempts'>): string => `${id} ${attempts}`;

/** A date that went through JSON. */
const revived = (outcome: Outcome): Outcome =>
  outcome.end === 'deferred' && outcome.retryAt ? { ...outcome, retryAt: new Date(outcome.retryAt) } : outcome;

async function adoptOne(doors: Doors, journal: LostJournal): Promise<number> {
  const { db, clock } = doors;
  const { owner: worker } = journal;
  const find = rememberingMessages(doors);
  let count = 0;
  for (;;) {
    const taken: Delivery[] = await listTaken(db, worker, AT_ONCE);
    if (taken.length === 0) break;
    count += taken.length;
    const attempts = await attemptsOf(find, taken);
    const ended = attempts.flatMap((attempt) => {
      const fate = journal.fateOf(nameOf(attempt.delivery));
      if (fate === undefined) return [];
      return [{ ...attempt, outcome: fate === 'uncertain' ? uncertain(clock.now()) : revived(fate.about as Outcome) }];
    });
    await settle(doors, worker, { ended, untried: [] });
    const settled = new Set(ended.map(({ delivery }) => delivery.id));
    await releaseClaims(
      db,
      worker,
      taken.flatMap(({ id }) => (settled.has(id) ? [] : [id])),
    );
  }
  journal.remove();
  return count;
}

/** Answers how many deliveries go on. */
export async function adoptLost(doors: Doors): Promise<number> {
  let count = 0;
  for (const journal of adoptJournals(journalDir(doors))) {
    const adopted = await adoptOne(doors, journal);
    if (adopted > 0) doors.log.info({ deliveries: adopted }, 'deliveries of a process that is gone go on');
    count += adopted;
  }
  return count;
}
