// A message whose recipient is a list: it has arrived when it is on its way to the members.
import { canonicalAddress } from '../../../engines/mime/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import type { Attempt, Carrier, Outcome } from '../deliveries/index.ts';
import { insertPosting, listsAt } from './posting-store.ts';
import { postNext } from './post.ts';
import type { MailingList } from './store.ts';

const TAKEN: Outcome = {
  end: 'delivered',
  envelope: { transport: 'mailing-list' },
  status: { code: 250, message: 'OK', description: 'The mailing list hands it on to its members.' },
};
/** What a list sends would come back to it for ever. */
const LOOP: Outcome = {
  end: 'failed',
  reason: 'generic',
  envelope: { transport: 'mailing-list' },
  status: { code: 554, message: '', description: 'A mailing list does not write to a mailing list.' },
};

interface Found {
  attempt: Attempt;
  list: MailingList;
}

/** Which of these addresses are those of lists. */
export async function findLists(
  { db }: Pick<Outside, 'db'>,
  { accountId, addresses }: { accountId: string; addresses: readonly string[] },
): Promise<string[]> {
  const asked = addresses.flatMap((given) => {
    const address = canonicalAddress(given);
    return address === undefined ? [] : [{ given, accountId, address }];
  });
  return (await listsAt(db, asked)).flatMap(({ place }) => asked[place]?.given ?? []);
}

/** Takes what is for lists: one question for the batch. Taken again, it is on its way already. */
export const handOver: Carrier = async ({ db, clock, jobs }, attempts) => {
  const asked = attempts.flatMap((attempt) => {
    const address = canonicalAddress(attempt.delivery.recipient);
    return address === undefined ? [] : [{ attempt, accountId: attempt.delivery.accountId, address }];
  });
  const found = (await listsAt(db, asked)).flatMap((list): Found[] => {
    const one = asked[list.place];
    return one ? [{ attempt: one.attempt, list }] : [];
  });
  const outcomes = new Map<string, Outcome>();
  if (found.length === 0) return outcomes;
  const createdAt = clock.now();
  await db.tx(async (tx) => {
    for (const { attempt, list } of found) {
      const { delivery, message } = attempt;
      const isLoop = message.options.mailingList !== undefined;
      outcomes.set(delivery.id, isLoop ? LOOP : TAKEN);
      if (isLoop) continue;
      const { messageId, position, variables, accountId } = delivery;
      const postingId = await insertPosting(tx, accountId, {
        messageId,
        position,
        listId: list.id,
        variables,
        author: null,
        createdAt,
      });
      if (postingId === undefined) continue;
      await jobs.enqueue(tx, postNext, { payloads: [{ postingId }], account: accountId });
    }
  });
  jobs.wake();
  return outcomes;
};
