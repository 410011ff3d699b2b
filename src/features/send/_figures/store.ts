// The tags that messages have had.
import { rowCount, sql, type Sql } from '../../../platform/db/index.ts';

/** Of an account: a tag counts once for each of its domains. What comes after has no figures of its own. */
export const TAGS_MAX = 5000;

export interface SeenTag {
  accountId: string;
  domain: string;
  /** In lower case. */
  tag: string;
  name: string;
  at: Date;
}

type Place = Pick<SeenTag, 'accountId' | 'domain' | 'tag'>;

const keyOf = ({ accountId, domain, tag }: Place): string => JSON.stringify([accountId, domain, tag]);

interface Span extends Place {
  name: string;
  firstSeen: Date;
  lastSeen: Date;
}

/** Each once, with the time in which it was seen, in the order of the table's key. */
function spansOf(seen: readonly SeenTag[]): Span[] {
  const spans = new Map<string, Span>();
  for (const { accountId, domain, tag, name, at } of seen) {
    const key = keyOf({ accountId, domain, tag });
    const span = spans.get(key) ?? { accountId, domain, tag, name, firstSeen: at, lastSeen: at };
    if (at < span.firstSeen) span.firstSeen = at;
    if (at > span.lastSeen) span.lastSeen = at;
    spans.set(key, span);
  }
  return [...spans].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, span]) => span);
}

/** Those that are known, and new ones up to the bound of each account. */
async function admitted(tx: Sql, spans: readonly Span[], accountIds: readonly string[]): Promise<Span[]> {
  const tags = [...new Set(spans.map(({ tag }) => tag))];
  const rows = tx.ofAnyone.selectFrom('tags').where('accountId', 'in', accountIds);
  const found = await rows.select(['accountId', 'domain', 'tag']).where('tag', 'in', tags).execute();
  const known = new Set(found.map(keyOf));
  if (spans.every((span) => known.has(keyOf(span)))) return [...spans];
  const counted = await rows
    .select(['accountId', rowCount.as('count')])
    .groupBy('accountId')
    .execute();
  const counts = new Map(counted.map(({ accountId, count }) => [accountId, count]));
  return spans.filter((span) => {
    if (known.has(keyOf(span))) return true;
    const count = counts.get(span.accountId) ?? 0;
    counts.set(span.accountId, count + 1);
    return count < TAGS_MAX;
  });
}

/** Notes when tags were seen, and takes new ones up to the bound; answers those that are there. */
export async function admitTags(tx: Sql, seen: readonly SeenTag[]): Promise<Place[]> {
  if (seen.length === 0) return [];
  const spans = spansOf(seen);
  const accountIds = [...new Set(spans.map((span) => span.accountId))].sort();
  // In one order everywhere, so that processes never wait for each other.
  for (const accountId of accountIds) await tx.lock(`tags ${accountId}`);
  const taken = await admitted(tx, spans, accountIds);
  if (taken.length > 0)
    await tx.ofAnyone
      .insertInto('tags')
      .values(taken)
      .onConflict((conflict) =>
        conflict.columns(['accountId', 'domain', 'tag']).doUpdateSet({
          firstSeen: sql<Date>`least(tags.first_seen, excluded.first_seen)`,
          lastSeen: sql<Date>`greatest(tags.last_seen, excluded.last_seen)`,
        }),
      )
      .execute();
  return taken;
}
