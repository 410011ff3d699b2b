import { defaultClientIds, findClient } from '../../../engines/client-emulation/index.ts';
import { AppError, invalid, messageOf, notFound } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { newId, randomHex } from '../../../platform/ids/index.ts';
import { daysAfter, parseTime } from '../../../platform/times/index.ts';
import { admitWork } from '../../account/accounts/index.ts';
import { checkUse, countUse } from '../../account/limits/index.ts';
import { removeChecks, startChecks } from '../_content-checking/index.ts';
import { confirmUses, nameOfSource, releaseMessages, storable, type Source } from '../_message/index.ts';
import type { SpamEmail } from '../spam-tests/index.ts';
import { erase, prepare } from './jobs.ts';
import { testPrefix } from './objects.ts';
import { keepSource } from './sources.ts';
import { removeSpam, startSpam } from './spam.ts';
import {
  countProcessing,
  deleteTest as deleteRows,
  findTest,
  insertTest,
  listResults,
  markResubmitted,
  type PreviewResult,
  type NewTestRow,
  type PreviewTest,
  type Search,
} from './store.ts';

export const REPROCESSES_MAX = 20;

/** What the service itself says of a new test. */
type OwnColumn =
  | 'id'
  | 'accountId'
  | 'region'
  | 'name'
  | 'source'
  | 'sourceUrl'
  | 'messageBytes'
  | 'contentChecking'
  | 'spam'
  | 'fileToken'
  | 'wastedMs'
  | 'createdAt'
  | 'expiresAt';

interface NewTest extends Omit<NewTestRow, OwnColumn> {
  /** For a start that may be repeated, one after the other: what was started under this id is not started again. */
  id?: string;
  source: Source;
  clientIds: readonly string[];
  /** The checks that are wanted, by name; a name that is absent was not mentioned. */
  contentChecking: Record<string, boolean>;
  /** The email of the spam test that is wanted. */
  spam?: SpamEmail | null;
}

/** What is taken back of a test that could not be started. */
type Begun = Pick<PreviewTest, 'id' | 'accountId' | 'contentChecking' | 'spam'>;

/**
 * Stores the source and starts the content checks and the spam test, then saves the test and queues its work in one
 * transaction: what was acknowledged is never lost, and nothing is left of what was not.
 */
export async function startTest(
  outside: Pick<Outside, 'config' | 'db' | 'jobs' | 'blobs' | 'clock' | 'log' | 'lists' | 'facts'>,
  accountId: string,
  wanted: NewTest,
): Promise<PreviewTest> {
  const { db, jobs, clock, config } = outside;
  const earlier = wanted.id === undefined ? undefined : await findTest(db, accountId, wanted.id);
  if (earlier) return earlier;
  const now = clock.now();
  const { source, clientIds, contentChecking: wantedChecks, spam: spamEmail = null, ...fields } = wanted;
  const use = { accountId, metric: 'email_preview_success_count' } as const;
  await checkUse(outside, use);
  await admitWork(outside, accountId, {
    quota: 'screenshots',
    adding: clientIds.length,
    count: () => countProcessing(db, accountId),
  });
  const email = { ...storable(source), subject: wanted.subject };
  const begun: Begun = { id: wanted.id ?? newId(), accountId, contentChecking: {}, spam: null };
  const row: Omit<NewTestRow, keyof Begun> = {
    ...fields,
    name: nameOfSource(email),
    region: config.region,
    source: source.kind,
    sourceUrl: source.url,
    messageBytes: source.messageBytes,
    fileToken: randomHex(20),
    createdAt: now,
    expiresAt: daysAfter(now, config.previews.retentionDays),
  };
  let test: PreviewTest;
  try {
    await keepSource(outside, begun, source.body);
    begun.contentChecking = await startChecks(outside, accountId, { email, wanted: wantedChecks });
    // Last, for it sends mail.
    begun.spam = await startSpam(outside, accountId, spamEmail);
    test = await db.tx(async (tx) => {
      const made = await insertTest(tx, { ...row, ...begun }, clientIds);
      await confirmUses(tx, { accountId, holder: testPrefix(made.id) });
      await jobs.enqueue(tx, prepare, {
        payloads: [{ testId: made.id, clientIds: [...clientIds], isFresh: false }],
        account: accountId,
      });
      await countUse(outside, tx, use);
      return made;
    });
  } catch (error) {
    await takeBack(outside, begun);
    throw error;
  }
  jobs.wake();
  return test;
}

/** Deletes what was begun for a test that is not there. One part that cannot be deleted keeps no other. */
async function takeBack(
  outside: Pick<Outside, 'db' | 'jobs' | 'blobs' | 'log' | 'lists'>,
  { id, accountId, contentChecking, spam }: Begun,
): Promise<void> {
  const parts = [
    outside.blobs.deleteAll(testPrefix(id)),
    releaseMessages(outside, testPrefix(id)),
    removeChecks(outside, accountId, contentChecking),
    removeSpam(outside, accountId, spam),
  ];
  for (const part of await Promise.allSettled(parts)) {
    if (part.status === 'rejected')
      outside.log.error({ err: part.reason, testId: id }, 'a part of a test that could not be started was not deleted');
  }
}

export interface Warning {
  name: string;
  message: string;
}

/** The clients of a new test: those named that exist, or the default ones. Unknown names become warnings. */
export function chooseClients(named: readonly string[] | null | undefined): {
  clientIds: string[];
  warnings: Warning[];
} {
  if (!named) return { clientIds: defaultClientIds(), warnings: [] };
  const unique = [...new Set(named)];
  const unknown = unique.filter((id) => !findClient(id));
  return {
    clientIds: unique.filter((id) => findClient(id)),
    warnings: unknown.map((id) => ({ name: 'invalid_client', message: `Unknown client id: ${id}` })),
  };
}

/** The same for a request: throws `invalid_client` when none of those named exists. */
export function clientsFrom(named: readonly string[] | null | undefined): { clientIds: string[]; warnings: Warning[] } {
  const chosen = chooseClients(named);
  if (chosen.clientIds.length) return chosen;
  throw new AppError(
    'invalid_client',
    `clients names no client that exists: ${(named ?? []).slice(0, 20).join(', ')}. ` +
      'GET /v1/preview/tests/clients lists them.',
    { details: { field: 'clients' } },
  );
}

export async function getTest(ctx: Pick<Context, 'db' | 'principal'>, id: string): Promise<PreviewTest> {
  const test = await findTest(ctx.db, ctx.principal.accountId, id);
  if (!test) throw notFound('preview test', id);
  return test;
}

/**
 * Deletes the test, its content checks, its spam test and its objects. The queued erasure repeats the second half in
 * case this process dies in between, or a picture is being written.
 */
export async function removeTest(
  outside: Pick<Outside, 'db' | 'jobs' | 'blobs' | 'log' | 'lists'>,
  accountId: string,
  id: string,
): Promise<boolean> {
  const { db, jobs, blobs, log } = outside;
  const test = await findTest(db, accountId, id);
  if (!test) return false;
  await removeChecks(outside, accountId, test.contentChecking);
  await removeSpam(outside, accountId, test.spam);
  const isDeleted = await db.tx(async (tx) => {
    if (!(await deleteRows(tx, accountId, id))) return false;
    await jobs.enqueue(tx, erase, { payloads: [{ testId: id }], account: accountId, startAfterSeconds: 60 });
    return true;
  });
  if (isDeleted)
    await Promise.all([blobs.deleteAll(testPrefix(id)), releaseMessages(outside, testPrefix(id))]).catch(
      (error: unknown) =>
        log.warn({ testId: id, message: messageOf(error) }, 'objects were not deleted; the queued erasure will'),
    );
  return isDeleted;
}

interface Reprocessed {
  clientId: string;
  result: PreviewResult | undefined;
  reason: string | undefined;
}

function refusal(result: PreviewResult | undefined): string {
  if (!result) return 'This client is not part of the test.';
  if (result.status === 'bounced') return 'This client bounced; that cannot be retried.';
  return 'This client was reprocessed as often as is allowed.';
}

/** Queues the pictures of these clients anew, assets included. */
export async function reprocessClients(
  ctx: Pick<Context, 'config' | 'db' | 'jobs' | 'clock' | 'principal'>,
  id: string,
  clientIds: readonly string[],
): Promise<Reprocessed[]> {
  const test = await getTest(ctx, id);
  const wanted = [...new Set(clientIds)];
  await admitWork(ctx, test.accountId, {
    quota: 'screenshots',
    adding: wanted.length,
    count: () => countProcessing(ctx.db, test.accountId),
  });
  const at = ctx.clock.now();
  const accepted = await ctx.db.tx(async (tx) => {
    const changed = await markResubmitted(tx, test.accountId, {
      testId: test.id,
      clientIds: wanted,
      reprocessesMax: REPROCESSES_MAX,
      at,
    });
    if (changed.length)
      await ctx.jobs.enqueue(tx, prepare, {
        payloads: [{ testId: test.id, clientIds: changed.map((result) => result.clientId), isFresh: true }],
        account: test.accountId,
      });
    return changed;
  });
  ctx.jobs.wake();
  const before = new Map(
    (await listResults(ctx.db, test.accountId, test.id)).map((result) => [result.clientId, result]),
  );
  return wanted.map((clientId) => {
    const result = accepted.find((candidate) => candidate.clientId === clientId);
    return {
      clientId,
      result: result ?? before.get(clientId),
      reason: result ? undefined : refusal(before.get(clientId)),
    };
  });
}

/** Unix seconds, ISO 8601 or RFC 2822. Throws `invalid_request` naming the field. */
function timeIn(field: string, text: string | undefined): Date | undefined {
  if (text === undefined || text === '') return undefined;
  const time = parseTime(text);
  if (!time) throw invalid(field, `is "${text}"; give Unix seconds, an ISO 8601 date or an RFC 2822 date.`);
  return time;
}

interface AskedSearch {
  from?: string | undefined;
  to?: string | undefined;
  subject?: string | undefined;
  customer_id?: string | undefined;
  reference_id?: string | undefined;
}

/** Which tests are asked for. Throws `invalid_request` naming the field. */
export function readSearch(query: AskedSearch): Search {
  const from = timeIn('from', query.from);
  const to = timeIn('to', query.to);
  if (from && to && from > to) throw invalid('from', 'must not be later than to.');
  return {
    ...(from && { from }),
    ...(to && { to }),
    ...(query.subject && { subject: query.subject }),
    ...(query.customer_id && { customerId: query.customer_id }),
    ...(query.reference_id && { referenceId: query.reference_id }),
  };
}

/** The one result of a client in a test; an error when it is not part of it. */
export function resultIn(results: readonly PreviewResult[], clientId: string): PreviewResult {
  const result = results.find((candidate) => candidate.clientId === clientId);
  if (!result) throw new AppError('invalid_client', `The client "${clientId}" is not part of this test.`);
  return result;
}
