// Messages to lists, and how far each is on its way to the members.
import { changedRows, rowCount, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import type { Member } from './member-store.ts';
import type { MailingList } from './store.ts';

/** Who wrote a message that came in. */
export interface Author {
  /** As members are kept. */
  address: string;
  name: string;
  /** The field Reply-To; their own address where there is none. */
  replyTo: string;
}

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'mailingListPostings.variables': Record<string, unknown>;
    'mailingListPostings.author': Author;
  }
}

export type Posting = Row<'mailingListPostings'>;

interface Asked {
  accountId: string;
  address: string;
}

/** The lists that have these addresses, by the place in what was asked: one look into the index for each. */
export async function listsAt(db: Sql, asked: readonly Asked[]): Promise<(MailingList & { place: number })[]> {
  if (asked.length === 0) return [];
  const wanted = sql<Asked & { place: number }>`unnest(
    ${asked.map(({ accountId }) => accountId)}::text[], ${asked.map(({ address }) => address)}::text[]
  ) with ordinality`.as<'wanted'>(sql`wanted(account_id, address, place)`);
  return (
    db.ofAnyone
      .selectFrom(wanted)
      // With a limit the planner has to look each up by the key.
      .innerJoinLateral(
        (query) =>
          query
            .selectFrom('mailingLists')
            .selectAll()
            .whereRef('mailingLists.accountId', '=', 'wanted.accountId')
            .whereRef('mailingLists.address', '=', 'wanted.address')
            .limit(1)
            .as('list'),
        (join) => join.onTrue(),
      )
      .selectAll('list')
      .select(sql<number>`wanted.place::int - 1`.as('place'))
      .execute()
  );
}

/** Answers its id; undefined: it is there already. */
export async function insertPosting(
  tx: Sql,
  accountId: string,
  posting: Pick<Posting, 'messageId' | 'position' | 'listId' | 'variables' | 'author' | 'createdAt'> &
    Partial<Pick<Posting, 'finishedAt' | 'fault'>>,
): Promise<string | undefined> {
  const row = await tx
    .of(accountId)
    .insert('mailingListPostings', posting)
    .onConflict((conflict) => conflict.columns(['messageId', 'position']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** How many messages from outside a list has taken since, of all authors and of one. */
export async function countRecent(
  db: Sql,
  { id, accountId }: Pick<MailingList, 'id' | 'accountId'>,
  { after, author, without }: { after: Date; author: string; without: string | undefined },
): Promise<{ all: number; own: number }> {
  let recent = db
    .of(accountId)
    .selectFrom('mailingListPostings')
    .where('listId', '=', id)
    .where('createdAt', '>', after)
    .where('author', 'is not', null)
    .where('fault', 'is', null);
  if (without !== undefined) recent = recent.where('messageId', '<>', without);
  const own = sql<number>`count(*) filter (where author ->> 'address' = ${author})::int`.as('own');
  return recent.select([rowCount.as('all'), own]).executeTakeFirstOrThrow();
}

/** For a job, which knows it by its id alone: with its list. Undefined: one of the two is gone. */
export async function findPosting(db: Sql, id: string): Promise<{ posting: Posting; list: MailingList } | undefined> {
  const posting = await db.ofAnyone
    .selectFrom('mailingListPostings')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  const list =
    posting &&
    (await db.ofAnyone.selectFrom('mailingLists').selectAll().where('id', '=', posting.listId).executeTakeFirst());
  return list && { posting, list };
}

/** The next members that the list writes to. */
export function listNext(
  db: Sql,
  list: MailingList,
  { after, limit }: { after: string; limit: number },
): Promise<Member[]> {
  return db
    .of(list.accountId)
    .selectFrom('mailingListMembers')
    .selectAll('mailingListMembers')
    .where('listId', '=', list.id)
    .where('isSubscribed', '=', true)
    .where('address', '>', after)
    .orderBy('address')
    .limit(limit)
    .execute();
}

/** False: it is not where it was any more. */
export async function advance(
  tx: Sql,
  { id, place }: Posting,
  { to, sent }: { to: string; sent: number },
): Promise<boolean> {
  const moved = tx.ofAnyone
    .updateTable('mailingListPostings')
    .set({ place: to, sent: sql<number>`sent + ${sent}` })
    .where('id', '=', id)
    .where('place', '=', place);
  return (await changedRows(moved)) > 0;
}

/** False: it has ended before. */
export async function finishPosting(
  tx: Sql,
  id: string,
  { now, fault }: { now: Date; fault: string | null },
): Promise<boolean> {
  const ended = tx.ofAnyone
    .updateTable('mailingListPostings')
    .set({ finishedAt: now, fault })
    .where('id', '=', id)
    .where('finishedAt', 'is', null);
  return (await changedRows(ended)) > 0;
}
