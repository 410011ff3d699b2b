// What the gate does with messages of a domain, and what it said of contents.
import type { MODES } from './contract.ts';
import { changedRows, rowCount, sql, type Row, type Sql } from '../../../platform/db/index.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'domainGates.mode': GateMode;
    'domainGates.policy': GivenPolicy;
    'gateVerdicts.policy': GivenPolicy;
    'gateVerdicts.state': VerdictState;
  }
}

/** A policy as it was given; it was read once. */
export type GivenPolicy = Record<string, unknown>;
export type GateMode = (typeof MODES)[number];
export type VerdictState = 'waiting' | 'running' | 'pass' | 'fail' | 'unknown';
export type GateSettings = Pick<Row<'domainGates'>, 'mode' | 'policy' | 'checks'>;
export type Verdict = Row<'gateVerdicts'>;

const SETTINGS = ['mode', 'policy', 'checks'] as const;

/** By the name of the domain, in lower case. */
export function findSettings(db: Sql, accountId: string, domain: string): Promise<GateSettings | undefined> {
  return db.of(accountId).selectFrom('domainGates').select(SETTINGS).where('domain', '=', domain).executeTakeFirst();
}

export async function saveSettings(db: Sql, accountId: string, row: Omit<Row<'domainGates'>, 'accountId'>) {
  const { domainId, ...change } = row;
  await db
    .of(accountId)
    .insert('domainGates', { domainId, ...change })
    .onConflict((conflict) => conflict.column('domainId').doUpdateSet(change))
    .execute();
}

/** A verdict whose time has ended, or that is none, makes room for another. */
export async function retireVerdict(
  tx: Sql,
  accountId: string,
  { digest, before }: { digest: string; before: Date },
): Promise<void> {
  await tx
    .of(accountId)
    .updateTable('gateVerdicts')
    .set({ digest: sql<string>`digest || ' ' || id` })
    .where('digest', '=', digest)
    .where((row) => row.or([row('state', '=', 'unknown'), row('judgedAt', '<', before)]))
    .execute();
}

/** What is known of a content, kept from being judged until the transaction ends. */
export function holdVerdict(tx: Sql, accountId: string, digest: string): Promise<Verdict | undefined> {
  return tx
    .of(accountId)
    .selectFrom('gateVerdicts')
    .selectAll()
    .where('digest', '=', digest)
    .forShare()
    .executeTakeFirst();
}

export function findVerdict(db: Sql, accountId: string, digest: string): Promise<Verdict | undefined> {
  return db.of(accountId).selectFrom('gateVerdicts').selectAll().where('digest', '=', digest).executeTakeFirst();
}

/** Where two begin to judge the same content at once, one of them does. */
export async function insertVerdict(
  tx: Sql,
  accountId: string,
  verdict: Pick<Verdict, 'digest' | 'policy' | 'checks' | 'sampleId' | 'createdAt'>,
): Promise<void> {
  await tx
    .of(accountId)
    .insert('gateVerdicts', verdict)
    .onConflict((conflict) => conflict.columns(['accountId', 'digest']).doNothing())
    .execute();
}

export async function countVerdicts(db: Sql, accountId: string, state: VerdictState): Promise<number> {
  const { count } = await db
    .of(accountId)
    .selectFrom('gateVerdicts')
    .select(rowCount.as('count'))
    .where('state', '=', state)
    .executeTakeFirstOrThrow();
  return count;
}

export async function countStarted(db: Sql, accountId: string, since: Date): Promise<number> {
  const { count } = await db
    .of(accountId)
    .selectFrom('gateVerdicts')
    .select(rowCount.as('count'))
    .where('startedAt', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** The content that waits longest. */
export function firstWaiting(db: Sql, accountId: string): Promise<Verdict | undefined> {
  return db
    .of(accountId)
    .selectFrom('gateVerdicts')
    .selectAll()
    .where('state', '=', 'waiting')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** False when another process began it. */
export async function beginVerdict(
  tx: Sql,
  accountId: string,
  { id, gateId, at }: { id: string; gateId: string; at: Date },
): Promise<boolean> {
  const begun = tx
    .of(accountId)
    .updateTable('gateVerdicts')
    .set({ state: 'running', gateId, startedAt: at })
    .where('id', '=', id)
    .where('state', '=', 'waiting');
  return (await changedRows(begun)) > 0;
}

/** Ends one that is open; answers its id. */
export async function endVerdict(
  tx: Sql,
  test: { accountId: string } & ({ id: string } | { gateId: string }),
  ended: { state: 'pass' | 'fail' | 'unknown'; reasons: string[]; at: Date },
): Promise<string | undefined> {
  const { state, reasons, at } = ended;
  const found = await tx
    .of(test.accountId)
    .updateTable('gateVerdicts')
    .set({ state, reasons, judgedAt: at })
    .where('state', 'in', ['waiting', 'running'])
    .$if('id' in test, (all) => all.where('id', '=', (test as { id: string }).id))
    .$if('gateId' in test, (all) => all.where('gateId', '=', (test as { gateId: string }).gateId))
    .returning('id')
    .executeTakeFirst();
  return found?.id;
}

/** The one that a gate was run for. */
export async function findByGate(db: Sql, accountId: string, gateId: string): Promise<string | undefined> {
  const found = db.of(accountId).selectFrom('gateVerdicts').select('id').where('gateId', '=', gateId);
  return (await found.executeTakeFirst())?.id;
}

export function getVerdict(db: Sql, accountId: string, id: string): Promise<Verdict | undefined> {
  return db.of(accountId).selectFrom('gateVerdicts').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Accounts whose contents wait to be judged. */
export async function listWaitingAccounts(db: Sql, limit: number): Promise<string[]> {
  const found = await db.ofAnyone
    .selectFrom('gateVerdicts')
    .select('accountId')
    .distinct()
    .where('state', '=', 'waiting')
    .orderBy('accountId')
    .limit(limit)
    .execute();
  return found.map(({ accountId }) => accountId);
}

/** Those whose gate is gone, such as one that somebody deleted while it ran. */
export function listLost(db: Sql, limit: number): Promise<Pick<Verdict, 'id' | 'accountId'>[]> {
  return db.ofAnyone
    .selectFrom('gateVerdicts')
    .select(['id', 'accountId'])
    .where('state', '=', 'running')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('inspections').select('id').whereRef('inspections.id', '=', 'gateVerdicts.gateId'))),
    )
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Those that are ended while messages still wait for them. */
export function listUnsettled(db: Sql, limit: number): Promise<Pick<Verdict, 'id' | 'accountId'>[]> {
  return db.ofAnyone
    .selectFrom('gateVerdicts')
    .innerJoin('messageGates', 'messageGates.verdictId', 'gateVerdicts.id')
    .select(['gateVerdicts.id', 'gateVerdicts.accountId'])
    .distinct()
    .where('messageGates.state', '=', 'checking')
    .where('gateVerdicts.state', 'in', ['pass', 'fail', 'unknown'])
    .orderBy('gateVerdicts.id')
    .limit(limit)
    .execute();
}

/** Those that no message has, and that nobody reuses. Answers how many. */
export function deleteUnused(db: Sql, before: Date, limit: number): Promise<number> {
  return changedRows(
    db.ofAnyone.deleteFrom('gateVerdicts').where('id', 'in', (from) =>
      from
        .selectFrom('gateVerdicts')
        .select('gateVerdicts.id')
        .where('createdAt', '<', before)
        .where('state', 'in', ['pass', 'fail', 'unknown'])
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('messageGates')
                .select('messageGates.messageId')
                .whereRef('messageGates.verdictId', '=', 'gateVerdicts.id'),
            ),
          ),
        )
        .orderBy('createdAt')
        .limit(limit),
    ),
  );
}
