import { anyOf, changedRows, rowCount, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';
import { ATTEMPTS_MAX, type StatedClient } from './contract.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'captureAgents.clients': StatedClient[];
  }
}

export type CaptureAgent = Omit<Row<'captureAgents'>, 'digest'>;
export type CaptureRequest = Row<'captureRequests'>;

const COLUMNS = ['id', 'accountId', 'name', 'clients', 'createdAt', 'lastSeenAt'] as const;

export async function insertAgent(db: Sql, agent: CaptureAgent, digest: Buffer): Promise<void> {
  await db.ofAnyone
    .insertInto('captureAgents')
    .values({ ...agent, digest })
    .execute();
}

/** By the digest of its token, which the caller cannot steer. */
export function findAgentByDigest(db: Sql, digest: Buffer): Promise<CaptureAgent | undefined> {
  return db.ofAnyone.selectFrom('captureAgents').select(COLUMNS).where('digest', '=', digest).executeTakeFirst();
}

export function listAgents(db: Sql, accountId: string, page: SkipPage): Promise<Paged<CaptureAgent>> {
  const all = db.of(accountId).selectFrom('captureAgents').select(COLUMNS);
  return readSkipPage(all.orderBy('createdAt', 'desc').orderBy('id', 'desc'), page);
}

export async function countAgents(db: Sql, accountId: string): Promise<number> {
  const agents = db.of(accountId).selectFrom('captureAgents').select(rowCount.as('total'));
  return (await agents.executeTakeFirstOrThrow()).total;
}

/** What the agents of the installation run, as they said. */
export async function listOffered(db: Sql): Promise<string[]> {
  const agents = await db.ofAnyone.selectFrom('captureAgents').select('clients').execute();
  return [...new Set(agents.flatMap(({ clients }) => clients.map(({ client }) => client)))].toSorted();
}

export async function noteSeen(
  db: Sql,
  { id, clients, lastSeenAt }: Pick<CaptureAgent, 'id' | 'clients' | 'lastSeenAt'>,
): Promise<void> {
  await db.ofAnyone.updateTable('captureAgents').set({ clients, lastSeenAt }).where('id', '=', id).execute();
}

/** False: there is no such agent. What it had claimed waits again. */
export async function deleteAgent(tx: Sql, accountId: string, id: string): Promise<boolean> {
  await tx.ofAnyone
    .updateTable('captureRequests')
    .set({ state: 'waiting', leaseUntil: null })
    .where('agentId', '=', id)
    .where('state', '=', 'claimed')
    .execute();
  return (await changedRows(tx.of(accountId).deleteFrom('captureAgents').where('id', '=', id))) > 0;
}

export async function insertRequest(db: Sql, request: CaptureRequest): Promise<void> {
  await db.ofAnyone.insertInto('captureRequests').values(request).execute();
}

export function listRequests(
  db: Sql,
  accountId: string,
  { test_id: testId, ...page }: SkipPage & { test_id?: string },
): Promise<Paged<CaptureRequest>> {
  const all = db.of(accountId).selectFrom('captureRequests').selectAll();
  const found = testId === undefined ? all : all.where('testId', '=', testId);
  return readSkipPage(found.orderBy('createdAt', 'desc').orderBy('id', 'desc'), page);
}

export async function countOpenRequests(db: Sql, accountId: string): Promise<number> {
  const open = db.of(accountId).selectFrom('captureRequests').where('state', 'in', ['waiting', 'claimed']);
  return (await open.select(rowCount.as('total')).executeTakeFirstOrThrow()).total;
}

interface Claim {
  agentId: string;
  clients: readonly string[];
  now: Date;
  until: Date;
}

/** Ends what was claimed as often as is allowed, the last time in vain. */
async function endLapsed(tx: Sql, now: Date): Promise<void> {
  await tx.ofAnyone
    .updateTable('captureRequests')
    .set({ state: 'failed', error: LAPSED, endedAt: now })
    .where('state', '=', 'claimed')
    .where('leaseUntil', '<=', now)
    .where('attempts', '>=', ATTEMPTS_MAX)
    .execute();
}

export const LAPSED = 'No agent finished it: each claim ended without a picture.';

/**
 * Claims the next request for one of these clients: one that waits, or whose claim has ended. Of accounts, that comes
 * first of which something was claimed longest ago.
 */
export async function claimRequest(
  tx: Sql,
  { agentId, clients, now, until }: Claim,
): Promise<CaptureRequest | undefined> {
  await endLapsed(tx, now);
  const next = await tx.ofAnyone
    .selectFrom('captureRequests')
    .select('id')
    .where('clientId', '=', anyOf(clients))
    .where(({ and, or, eb }) =>
      or([eb('state', '=', 'waiting'), and([eb('state', '=', 'claimed'), eb('leaseUntil', '<=', now)])]),
    )
    .orderBy(({ selectFrom }) => {
      const served = selectFrom('captureRequests as served')
        .select(({ fn }) => fn.max('served.claimedAt').as('at'))
        .whereRef('served.accountId', '=', 'captureRequests.accountId');
      return sql`${served} asc nulls first`;
    })
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!next) return undefined;
  return tx.ofAnyone
    .updateTable('captureRequests')
    .set((eb) => ({
      state: 'claimed',
      attempts: eb('attempts', '+', 1),
      agentId,
      claimedAt: now,
      leaseUntil: until,
    }))
    .where('id', '=', next.id)
    .returningAll()
    .executeTakeFirst();
}

export function findRequestOfAnyone(db: Sql, id: string): Promise<CaptureRequest | undefined> {
  return db.ofAnyone.selectFrom('captureRequests').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Changes a request that this agent has claimed. False: it has not, or no more. */
export async function changeClaimed(
  tx: Sql,
  { id, agentId }: { id: string; agentId: string },
  change: Partial<Pick<CaptureRequest, 'state' | 'leaseUntil' | 'error' | 'captureId' | 'endedAt'>>,
): Promise<boolean> {
  const claimed = tx.ofAnyone
    .updateTable('captureRequests')
    .set(change)
    .where('id', '=', id)
    .where('agentId', '=', agentId)
    .where('state', '=', 'claimed');
  return (await changedRows(claimed)) > 0;
}
