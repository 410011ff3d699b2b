import { AppError } from '../../../platform/errors/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import type { Change, Principal } from '../../../platform/http/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { readTime } from '../../../platform/times/index.ts';
import { listSubaccountIds } from '../accounts/index.ts';
import { recallKey } from '../keys/index.ts';
import { recallUser } from '../users/index.ts';
import { countEntries, insertEntries, listEntriesAfter, type AuditEntry, type AuditFilter } from './store.ts';
import { writeEntry } from './writer.ts';

/** Entries of one export. */
const EXPORTED_MAX = 100_000;
const READ_AT_ONCE = 1000;

type Doors = Pick<Outside, 'db' | 'clock' | 'log'>;

/** The key, or the user who signed in without one. */
async function actorOf(
  doors: Doors,
  { keyId, userId = '' }: Change['principal'],
): Promise<Pick<AuditEntry, 'actorKind' | 'actorId' | 'actorName'>> {
  if (keyId === null) {
    const user = await recallUser(doors, userId).catch(() => undefined);
    return { actorKind: 'user', actorId: userId, actorName: user?.email ?? user?.name ?? '' };
  }
  const key = await recallKey(doors, keyId).catch(() => undefined);
  return { actorKind: 'key', actorId: keyId, actorName: key?.description ?? '' };
}

/** Writes the entry of a change that a call made. Never rejects. */
export async function noteChange(
  doors: Doors,
  change: Change,
  { kind, outcome }: Pick<AuditEntry, 'kind' | 'outcome'> = { kind: 'change', outcome: 'success' },
): Promise<void> {
  const { principal } = change;
  const actor = await actorOf(doors, principal);
  await writeEntry(doors, {
    id: newId(),
    accountId: principal.accountId,
    at: doors.clock.now(),
    kind,
    operation: change.operationId,
    method: change.method,
    path: change.path,
    resource: change.resource,
    fields: change.fields,
    status: change.status,
    outcome,
    ...actor,
    actorAccountId: principal.ownAccountId,
    role: principal.role,
    sessionId: principal.sessionId ?? null,
    address: change.address,
    userAgent: change.userAgent,
    requestor: change.requestor,
    requestorClient: change.requestorClient,
    requestId: change.requestId,
  });
}

/** Writes the entry of a command of the operator, in its transaction. */
export function noteOperator(
  tx: Sql,
  entry: Pick<AuditEntry, 'accountId' | 'at' | 'operation' | 'resource'>,
): Promise<void> {
  const none = { method: '', path: '', fields: [], status: 0, actorId: null, actorAccountId: null, role: null };
  const nowhere = { sessionId: null, address: '', userAgent: '', requestor: null, requestorClient: null };
  const by = { kind: 'change', outcome: 'success', actorKind: 'operator', actorName: 'the operator' } as const;
  return insertEntries(tx, [{ id: newId(), requestId: '', ...none, ...nowhere, ...by, ...entry }]);
}

type SignInDoors = Pick<
  Context,
  'db' | 'clock' | 'log' | 'address' | 'userAgent' | 'requestor' | 'requestorClient' | 'requestId'
>;

/** Signs somebody in who has shown a key, and writes whether that succeeded: what refuses them throws. */
export async function signingIn<Result>(
  ctx: SignInDoors,
  principal: Principal,
  work: () => Promise<Result>,
): Promise<Result> {
  const { address, userAgent, requestor, requestorClient, requestId } = ctx;
  const about = { principal, address, userAgent, requestor, requestorClient, requestId };
  const change = { operationId: 'createSession', method: 'POST', path: '/v1/session', resource: {}, fields: [] };
  const note = (outcome: AuditEntry['outcome'], status: number): Promise<void> =>
    noteChange(ctx, { ...about, ...change, status }, { kind: 'sign_in', outcome });
  try {
    const result = await work();
    await note('success', 200);
    return result;
  } catch (error) {
    if (error instanceof AppError) await note('failure', error.status);
    throw error;
  }
}

/** What the query of the list and of the export say alike. */
interface Asked {
  start?: string | undefined;
  end?: string | undefined;
  kind?: AuditEntry['kind'] | undefined;
  who?: string | undefined;
  operation?: string | undefined;
  path?: string | undefined;
  text?: string | undefined;
  include_subaccounts: boolean;
}

/** Throws `invalid_request` for a time that is none. */
export async function filterOf(ctx: Pick<Context, 'db' | 'principal'>, asked: Asked): Promise<AuditFilter> {
  const { accountId } = ctx.principal;
  const { start, end, kind, who, operation, path, text, include_subaccounts: isIncluding } = asked;
  const [from, to] = [readTime('start', start), readTime('end', end)];
  const parts = isIncluding ? await listSubaccountIds(ctx.db, accountId) : [];
  return { accountIds: [accountId, ...parts], from, to, kind, who, operation, path, text };
}

/** Throws `invalid_request` when an export would have more entries than one may. */
export async function checkExport({ db }: Pick<Outside, 'db'>, filter: AuditFilter): Promise<void> {
  if ((await countEntries(db, filter, EXPORTED_MAX + 1)) <= EXPORTED_MAX) return;
  throw new AppError(
    'invalid_request',
    `More than ${EXPORTED_MAX.toLocaleString('en-US')} entries match, which is as many as one export has; narrow it ` +
      'by start and end.',
    { details: { field: 'start' } },
  );
}

/** The entries, oldest first, at most as many as one export has: what is added meanwhile comes too. */
export async function* exportEntries(
  { db }: Pick<Outside, 'db'>,
  filter: AuditFilter,
): AsyncGenerator<readonly AuditEntry[]> {
  let after: AuditEntry | undefined;
  for (let count = 0; count < EXPORTED_MAX; count += READ_AT_ONCE) {
    const entries = await listEntriesAfter(db, filter, { after, limit: READ_AT_ONCE });
    if (entries.length > 0) yield entries;
    if (entries.length < READ_AT_ONCE) return;
    after = entries.at(-1);
  }
}
