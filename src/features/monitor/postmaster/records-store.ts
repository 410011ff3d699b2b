// Writes what providers said. A figure that is given replaces the one that was there; one that is not given leaves it.
import { changedRows, type Sql } from '../../../platform/db/index.ts';
import type { DeliveryError, OwnFigures, Provider } from './store.ts';

/** Where a record comes from. */
export type Source = 'api' | 'upload';

/** A domain on a day; null: the provider did not say. */
export interface DomainRecord {
  domain: string;
  day: string;
  spam: number | null;
  spf: number | null;
  dkim: number | null;
  dmarc: number | null;
  encryption: number | null;
  error: number | null;
  errors: DeliveryError[];
  delivered: number | null;
  reputation: number | null;
}

export interface LoopRecord {
  domain: string;
  day: string;
  id: string;
  ratio: number;
}

export interface AddressRecord {
  domain: string;
  address: string;
  day: string;
  reputation: number;
}

/** An address on a day, by SNDS. */
export interface SndsRecord {
  address: string;
  day: string;
  recipients: number | null;
  result: 'GREEN' | 'YELLOW' | 'RED' | null;
  complaints: string | null;
  traps: number | null;
  period: string | null;
}

/** A range of addresses, by SNDS. */
export interface SndsRange {
  first: string;
  last: string;
  blocked: boolean;
  reason: string;
}

/** Records of one kind, whoever brought them. No two of one list may be of the same thing and day. */
export interface Records {
  domains: readonly DomainRecord[];
  loops: readonly LoopRecord[];
  addresses: readonly AddressRecord[];
  snds: readonly SndsRecord[];
  ranges: readonly SndsRange[];
}

interface Writing {
  accountId: string;
  now: Date;
}

/** Rows that one statement writes. */
const AT_ONCE = 1000;

async function inParts<Item>(items: readonly Item[], write: (part: readonly Item[]) => Promise<unknown>) {
  for (let from = 0; from < items.length; from += AT_ONCE) await write(items.slice(from, from + AT_ONCE));
}

/** Own figures are counted again: of a day that is under way there are more now. */
export async function writeDomains(
  tx: Sql,
  { accountId, now, provider, source }: Writing & { provider: Provider; source: Source },
  records: readonly DomainRecord[],
): Promise<void> {
  const rows = records.map((one) => ({
    provider,
    source,
    domain: one.domain,
    day: one.day,
    spamRatio: one.spam,
    spfRatio: one.spf,
    dkimRatio: one.dkim,
    dmarcRatio: one.dmarc,
    encryptionRatio: one.encryption,
    errorRatio: one.error,
    errors: one.errors,
    delivered: one.delivered,
    reputation: one.reputation,
    reputationSource: one.reputation === null ? null : ('upload' as const),
    importedAt: now,
  }));
  await inParts(rows, (part) =>
    tx
      .of(accountId)
      .insert('postmasterDays', part)
      .onConflict((conflict) =>
        conflict.columns(['accountId', 'provider', 'domain', 'day']).doUpdateSet(({ ref, fn }) => ({
          source: ref('excluded.source'),
          spamRatio: fn.coalesce('excluded.spamRatio', 'postmasterDays.spamRatio'),
          spfRatio: fn.coalesce('excluded.spfRatio', 'postmasterDays.spfRatio'),
          dkimRatio: fn.coalesce('excluded.dkimRatio', 'postmasterDays.dkimRatio'),
          dmarcRatio: fn.coalesce('excluded.dmarcRatio', 'postmasterDays.dmarcRatio'),
          encryptionRatio: fn.coalesce('excluded.encryptionRatio', 'postmasterDays.encryptionRatio'),
          errorRatio: fn.coalesce('excluded.errorRatio', 'postmasterDays.errorRatio'),
          // Exports name no kinds of errors.
          errors: ref(source === 'api' ? 'excluded.errors' : 'postmasterDays.errors'),
          delivered: fn.coalesce('excluded.delivered', 'postmasterDays.delivered'),
          reputation: fn.coalesce('excluded.reputation', 'postmasterDays.reputation'),
          reputationSource: fn.coalesce('excluded.reputationSource', 'postmasterDays.reputationSource'),
          countedAt: null,
          importedAt: now,
        })),
      )
      .execute(),
  );
}

export async function writeLoops(tx: Sql, { accountId, now }: Writing, records: readonly LoopRecord[]): Promise<void> {
  const rows = records.map(({ domain, day, id, ratio }) => ({ domain, day, loopId: id, ratio, importedAt: now }));
  await inParts(rows, (part) =>
    tx
      .of(accountId)
      .insert('postmasterLoops', part)
      .onConflict((conflict) =>
        conflict
          .columns(['accountId', 'domain', 'day', 'loopId'])
          .doUpdateSet(({ ref }) => ({ ratio: ref('excluded.ratio'), importedAt: now })),
      )
      .execute(),
  );
}

export async function writeAddresses(
  tx: Sql,
  { accountId, now }: Writing,
  records: readonly AddressRecord[],
): Promise<void> {
  const rows = records.map((one) => ({ ...one, reputationSource: 'upload' as const, importedAt: now }));
  await inParts(rows, (part) =>
    tx
      .of(accountId)
      .insert('postmasterAddresses', part)
      .onConflict((conflict) =>
        conflict
          .columns(['accountId', 'domain', 'address', 'day'])
          .doUpdateSet(({ ref }) => ({ reputation: ref('excluded.reputation'), importedAt: now })),
      )
      .execute(),
  );
}

export async function writeSnds(
  tx: Sql,
  { accountId, now, source }: Writing & { source: 'api' | 'links' | 'upload' },
  records: readonly SndsRecord[],
): Promise<void> {
  const rows = records.map((one) => ({
    source,
    address: one.address,
    day: one.day,
    recipients: one.recipients,
    filterResult: one.result,
    complaintRate: one.complaints,
    trapHits: one.traps,
    trapPeriod: one.period,
    importedAt: now,
  }));
  await inParts(rows, (part) =>
    tx
      .of(accountId)
      .insert('sndsDays', part)
      .onConflict((conflict) =>
        conflict.columns(['accountId', 'address', 'day']).doUpdateSet(({ ref, fn }) => ({
          source: ref('excluded.source'),
          recipients: fn.coalesce('excluded.recipients', 'sndsDays.recipients'),
          filterResult: fn.coalesce('excluded.filterResult', 'sndsDays.filterResult'),
          complaintRate: fn.coalesce('excluded.complaintRate', 'sndsDays.complaintRate'),
          trapHits: fn.coalesce('excluded.trapHits', 'sndsDays.trapHits'),
          trapPeriod: fn.coalesce('excluded.trapPeriod', 'sndsDays.trapPeriod'),
          importedAt: now,
        })),
      )
      .execute(),
  );
}

/** What Microsoft says of ranges now; what it said before is over. */
export async function replaceRanges(tx: Sql, { accountId, now }: Writing, ranges: readonly SndsRange[]): Promise<void> {
  await tx.of(accountId).deleteFrom('sndsStatuses').execute();
  await inParts(ranges, (part) =>
    tx
      .of(accountId)
      .insert(
        'sndsStatuses',
        part.map(({ first, last, blocked, reason }) => ({
          firstAddress: first,
          lastAddress: last,
          isBlocked: blocked,
          reason,
          checkedAt: now,
        })),
      )
      .execute(),
  );
}

/** Records whose own figures are not counted, the newest first. */
export function listUncounted(db: Sql, accountId: string, limit: number) {
  return db
    .of(accountId)
    .selectFrom('postmasterDays')
    .select(['provider', 'domain', 'day', 'spamRatio'])
    .where('countedAt', 'is', null)
    .orderBy('day', 'desc')
    .orderBy('domain')
    .limit(limit)
    .execute();
}

/** Keeps own figures, and the reputation that follows from them where no export gives one. */
export async function saveFigures(
  tx: Sql,
  { accountId, now }: Writing,
  figures: readonly {
    provider: Provider;
    domain: string;
    day: string;
    own: OwnFigures | null;
    reputation: number | null;
  }[],
): Promise<void> {
  for (const { provider, domain, day, own, reputation } of figures) {
    const one = () =>
      tx
        .of(accountId)
        .updateTable('postmasterDays')
        .where('provider', '=', provider)
        .where('domain', '=', domain)
        .where('day', '=', day);
    await one().set({ own, countedAt: now }).execute();
    await one()
      .set({ reputation, reputationSource: reputation === null ? null : 'own_events' })
      .where(({ or, eb }) => or([eb('reputationSource', 'is', null), eb('reputationSource', '=', 'own_events')]))
      .execute();
  }
}

/** The newest record with a share of spam reports of each domain. */
export function listLatestSpam(db: Sql, accountId: string, since: string) {
  return db
    .of(accountId)
    .selectFrom('postmasterDays')
    .distinctOn(['provider', 'domain'])
    .select(['provider', 'domain', 'day', 'spamRatio'])
    .where('spamRatio', 'is not', null)
    .where('day', '>=', since)
    .orderBy('provider')
    .orderBy('domain')
    .orderBy('day', 'desc')
    .execute();
}

/** Deletes records of days before one, of anyone. */
export async function deleteBefore(db: Sql, day: string): Promise<number> {
  let deleted = 0;
  const tables = [
    'postmasterDays',
    'postmasterLoops',
    'postmasterAddresses',
    'sndsDays',
    'postmasterCompliance',
  ] as const;
  for (const table of tables) deleted += await changedRows(db.ofAnyone.deleteFrom(table).where('day', '<', day));
  return deleted;
}
