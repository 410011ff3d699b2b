import type { Sql } from '../../../platform/db/index.ts';
import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { callerName, cleanLine } from '../../../platform/http/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { parseTime } from '../../../platform/times/index.ts';
import { admitStored, isOperator } from '../../account/accounts/index.ts';
import { findTestOfSource, getTest, listResults, sourceDigestOf, type PreviewTest } from '../previews/index.ts';
import { readCaptured } from './computations.ts';
import { PICTURE_BYTES_MAX } from './contract.ts';
import { compare } from './jobs.ts';
import { capturePrefix, pictureKey } from './objects.ts';
import {
  countCaptures,
  decideCapture,
  deleteCapture,
  findCapture,
  findCaptureOfAnyone,
  insertCapture,
  type Capture,
} from './store.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'blobs' | 'jobs' | 'clock' | 'compute'>;

/** Throws `forbidden`. */
export async function requireOperator(ctx: Pick<Context, 'db' | 'principal'>): Promise<void> {
  if (!(await isOperator(ctx, ctx.principal)))
    throw new AppError(
      'forbidden',
      'Only the operator may do this: a key with the role admin of the first account of this installation.',
    );
}

/** One of the own account; for the operator, of any. Throws `not_found`. */
export async function getCapture(ctx: Pick<Context, 'db' | 'principal'>, id: string): Promise<Capture> {
  const own = await findCapture(ctx.db, ctx.principal.accountId, id);
  const found = own ?? ((await isOperator(ctx, ctx.principal)) ? await findCaptureOfAnyone(ctx.db, id) : undefined);
  if (!found) throw notFound('capture', id);
  return found;
}

interface Stated {
  client: string;
  client_version: string;
  os: string;
  captured_by?: string;
  captured_at?: string;
  scale?: number;
}

/** Clocks of other machines are a little ahead. */
const AHEAD_MS = 300_000;

function timeOf(given: string | undefined, now: Date): Date {
  if (!given) return now;
  const time = parseTime(given);
  if (!time) throw invalid('captured_at', 'must be Unix seconds, ISO 8601 or RFC 2822.');
  if (time.getTime() > now.getTime() + AHEAD_MS) throw invalid('captured_at', 'is in the future.');
  return time;
}

/** A line that somebody stated. Throws `invalid_request` where nothing of it can be shown. */
function lineOf(field: string, text: string): string {
  const line = cleanLine(text);
  if (line === '') throw invalid(field, 'must not be empty.');
  return line;
}

/** Of what the picture is: the test that is named, or the newest of that source. */
async function testOf(
  ctx: Pick<Context, 'db' | 'principal'>,
  { test_id: id, html_digest: digest }: { test_id?: string; html_digest?: string },
): Promise<PreviewTest> {
  if (id && digest) throw invalid('html_digest', 'must not be given beside test_id.');
  if (id) return getTest(ctx, id);
  if (!digest) throw invalid('test_id', 'is required, or html_digest in its place.');
  const test = await findTestOfSource(ctx.db, ctx.principal.accountId, digest);
  if (!test) throw new AppError('not_found', `No preview test has a source with the html_digest "${digest}".`);
  return test;
}

interface Made {
  how: Capture['how'];
  agentName: string | null;
  capturedBy: string;
  state: Capture['state'];
  decision: Capture['decision'];
}

/** Stores the rows of whoever asks for the capture, in its transaction. */
type Beside = (tx: Sql, captureId: string) => Promise<void>;

/** Reads the picture, stores it, and queues its comparison. Throws `invalid_request`, `invalid_client`, `too_large`. */
export async function keepCapture(
  doors: Doors,
  test: PreviewTest,
  { stated, bytes, made, beside }: { stated: Stated; bytes: Buffer; made: Made; beside?: Beside },
): Promise<Capture> {
  const { accountId } = test;
  const { client, scale = 1 } = stated;
  const now = doors.clock.now();
  const facts = {
    clientVersion: lineOf('client_version', stated.client_version),
    os: lineOf('os', stated.os),
    capturedAt: timeOf(stated.captured_at, now),
  };
  if (!(await listResults(doors.db, accountId, test.id)).some(({ clientId }) => clientId === client))
    throw new AppError('invalid_client', `client is not part of this test: ${client}.`);
  if (bytes.length > PICTURE_BYTES_MAX)
    throw new AppError('too_large', `picture has ${bytes.length} bytes; ${PICTURE_BYTES_MAX} are the most.`);
  await admitStored(doors, accountId, { quota: 'captures', count: () => countCaptures(doors.db, accountId) });
  const read = await doors.compute.run(readCaptured, { bytes, scale }, { urgency: 'answer' });
  if (read.fault !== undefined) throw invalid('picture', read.fault);
  const png = Buffer.from(read.png);
  const capture: Capture = {
    id: newId(),
    accountId,
    testId: test.id,
    clientId: client,
    ...facts,
    ...made,
    sourceDigest: await sourceDigestOf(doors, test),
    width: read.width,
    height: read.height,
    scale,
    bytes: png.length,
    createdAt: now,
    comparedAt: null,
    comparison: null,
    comparisonProblem: null,
  };
  await doors.blobs.put(pictureKey(capture, 'captured'), png, 'image/png');
  try {
    await doors.db.tx(async (tx) => {
      await insertCapture(tx, capture);
      await beside?.(tx, capture.id);
      await doors.jobs.enqueue(tx, compare, { payloads: [{ captureId: capture.id }], account: accountId });
    });
  } catch (error) {
    // Such as when the test was deleted a moment ago.
    await doors.blobs.deleteAll(capturePrefix(capture));
    throw error;
  }
  doors.jobs.wake();
  return capture;
}

/** What a person uploads: it waits for the operator. */
export async function uploadCapture(
  ctx: Doors & Pick<Context, 'principal' | 'requestor'>,
  { bytes, ...stated }: Stated & { test_id?: string; html_digest?: string; bytes: Buffer },
): Promise<Capture> {
  const test = await testOf(ctx, stated);
  const capturedBy = cleanLine(stated.captured_by ?? '') || callerName(ctx);
  const made = { how: 'by_hand', agentName: null, capturedBy, state: 'waiting', decision: null } as const;
  return keepCapture(ctx, test, { stated, bytes, made });
}

/** Accepts or rejects a capture, an agent's too. Throws `forbidden` or `not_found`. */
export async function decide(
  ctx: Pick<Context, 'db' | 'clock' | 'principal' | 'requestor'>,
  id: string,
  { state, reason }: { state: 'accepted' | 'rejected'; reason: string },
): Promise<Capture> {
  await requireOperator(ctx);
  const capture = await getCapture(ctx, id);
  const decision = { reason: reason.trim(), by: callerName(ctx), at: ctx.clock.now().toISOString() };
  const decided = await decideCapture(ctx.db, capture.accountId, { id, state, decision });
  if (!decided) throw notFound('capture', id);
  return decided;
}

export async function removeCapture(ctx: Pick<Context, 'db' | 'blobs' | 'principal'>, id: string): Promise<void> {
  const { accountId } = ctx.principal;
  const capture = await findCapture(ctx.db, accountId, id);
  if (!capture || !(await deleteCapture(ctx.db, accountId, id))) throw notFound('capture', id);
  await ctx.blobs.deleteAll(capturePrefix(capture));
}
