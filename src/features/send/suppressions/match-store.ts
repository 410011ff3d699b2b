// The lists as a batch of deliveries asks them: many addresses at once.
import { anyOf, sql, type RawBuilder, type Sql } from '../../../platform/db/index.ts';
import type { ListName } from './contract.ts';
import type { Suppression } from './store.ts';

/** Whom a delivery is to be made to, and as which domain. */
interface Wanted {
  accountId: string;
  domain: string;
  address: string;
  /** Of the address. */
  destination: string;
}

export interface Listed extends Pick<Suppression, 'list' | 'code' | 'error' | 'tags'> {
  /** In what was asked. */
  place: number;
}

const texts = (values: readonly string[]): RawBuilder<unknown> => sql`${[...values]}::text[]`;

/** The entries of many addresses at once: four looks into the index for each, whatever the size of the lists. */
export async function listMatching(db: Sql, wanted: readonly Wanted[]): Promise<Listed[]> {
  if (wanted.length === 0) return [];
  const asked = sql<Wanted & { place: number }>`unnest(
    ${texts(wanted.map(({ accountId }) => accountId))}, ${texts(wanted.map(({ domain }) => domain))},
    ${texts(wanted.map(({ address }) => address))}, ${texts(wanted.map(({ destination }) => destination))}
  ) with ordinality`.as<'asked'>(sql`asked(account_id, domain, address, destination, place)`);
  const sought = sql<{ list: ListName; isDomain: boolean }>`(values
    ('bounces', false), ('unsubscribes', false), ('complaints', false), ('whitelists', false), ('whitelists', true)
  )`.as<'sought'>(sql`sought(list, is_domain)`);
  const found = await db.ofAnyone
    .selectFrom(asked)
    .innerJoin(sought, (join) => join.onTrue())
    // With a limit the planner has to look each up by the key.
    .innerJoinLateral(
      (query) =>
        query
          .selectFrom('suppressions')
          .select(['suppressions.code', 'suppressions.error', 'suppressions.tags'])
          .whereRef('suppressions.accountId', '=', 'asked.accountId')
          .whereRef('suppressions.domain', '=', 'asked.domain')
          .whereRef('suppressions.list', '=', 'sought.list')
          .where(
            sql<boolean>`suppressions.address = case when sought.is_domain then asked.destination else asked.address end`,
          )
          .limit(1)
          .as('entry'),
      (join) => join.onTrue(),
    )
    .select(['sought.list', 'entry.code', 'entry.error', 'entry.tags', sql<number>`asked.place::int - 1`.as('place')])
    .execute();
  return found as Listed[];
}

/** An entry of any domain of an account. */
export type KnownSuppression = Pick<Suppression, 'address' | 'domain' | 'list' | 'tags'>;

/** What the lists of all domains of an account say of these addresses, and of domains on the allowlist. */
export function listOfAddresses(db: Sql, accountId: string, addresses: readonly string[]): Promise<KnownSuppression[]> {
  return db
    .of(accountId)
    .selectFrom('suppressions')
    .select(['address', 'domain', 'list', 'tags'])
    .where('address', '=', anyOf(addresses))
    .execute();
}
