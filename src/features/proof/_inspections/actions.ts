// The machine that every inspection shares: create, run, run again, list, get, delete. A kind brings what is its own.
import { Type } from 'typebox';
import type { Sql } from '../../../platform/db/index.ts';
import { ComputeError } from '../../../platform/compute/index.ts';
import { messageOf, notFound } from '../../../platform/errors/index.ts';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { Hopeless, type Job } from '../../../platform/jobs/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { admitWork } from '../../account/accounts/index.ts';
import { confirmUses } from '../_message/index.ts';
import { erase } from './jobs.ts';
import { packInput, readInput, writeInput } from './inputs.ts';
import type { Run } from './listing.ts';
import type { EndDoors, Endings, Inspected, InspectionKind, InspectionMachine, Reader, StartDoors } from './machine.ts';
import { objectsOf } from './objects.ts';
import * as store from './store.ts';
import type { Inspection, Outcome } from './store.ts';

const ATTEMPTS = 3;
const RETENTION_DAYS = 90;

const admit = (outside: Pick<Outside, 'config' | 'db'>, accountId: string): Promise<void> =>
  admitWork(outside, accountId, { quota: 'inspections', count: () => store.countProcessing(outside.db, accountId) });

function newInspection(now: Date): Omit<Inspection<never>, 'accountId' | 'kind' | 'name'> {
  const expiresAt = daysAfter(now, RETENTION_DAYS);
  return {
    id: newId(),
    status: 'Processing',
    version: 1,
    summary: {},
    result: null,
    findings: [],
    error: null,
    createdAt: now,
    versionCreatedAt: now,
    updatedAt: now,
    expiresAt,
  };
}

function failed(error: unknown, at: Date): Outcome {
  return { status: 'Failed', result: null, findings: [], summary: {}, facets: {}, error: messageOf(error), at };
}

function complete({ result, findings, summary = {}, facets = {} }: Inspected<unknown>, at: Date): Outcome {
  return { status: 'Complete', result, findings, summary, facets, error: null, at };
}

async function endWith(
  outside: Omit<EndDoors, 'clock'>,
  { declared, run: { id, version } }: { declared: Endings; run: Pick<Run, 'id' | 'version'> },
  outcome: Outcome,
): Promise<void> {
  if (declared.tell) {
    await outside.db.tx(async (tx) => {
      const accountId = await store.endInspection(tx, { id, version }, outcome);
      if (accountId !== undefined) await declared.tell?.(outside, tx, { id, version, accountId, outcome });
    });
    outside.jobs.wake();
  } else await store.endInspection(outside.db, { id, version }, outcome);
  await declared.ended?.(outside, { id, version }, outcome);
}

/** The job of one kind: runs the check on the stored input and ends the inspection, whatever happens. */
function jobOf<Input, Result, Need extends keyof Outside>(declared: InspectionKind<Input, Result, Need>): Job<Outside> {
  const { kind } = declared;
  return defineJob({
    name: `${kind}.inspect`,
    payload: Type.Object({ id: Type.String(), version: Type.Integer() }),
    lane: declared.lane,
    attempts: ATTEMPTS,
    timeoutMs: declared.timeoutMs,
    async run(outside, { id, version }, turn) {
      const found = await store.findInspectionOfAnyone(outside.db, id);
      if (found?.status !== 'Processing' || found.version !== version) return;
      const input = await readInput<Input>(outside, found);
      const run = { id, version, signal: turn.signal };
      try {
        if (declared.begin) await declared.begin(outside, input, run);
        else
          await endWith(
            outside,
            { declared, run },
            complete(await declared.inspect(outside, input, run), outside.clock.now()),
          );
      } catch (error) {
        // What took too much will take as much again.
        throw error instanceof ComputeError && error.isOverrun ? new Hopeless(error.message, { cause: error }) : error;
      }
      if (!(await store.findInspectionOfAnyone(outside.db, id))) await outside.blobs.deleteAll(objectsOf(id));
    },
    async gaveUp(outside, { id, version }, { reason }) {
      const found = await store.findInspectionOfAnyone(outside.db, id);
      if (found?.status === 'Processing' && found.version === version)
        await endWith(outside, { declared, run: { id, version } }, failed(new Error(reason), outside.clock.now()));
    },
  }) as Job<Outside>;
}

/** Reads one inspection, or an earlier version of it. Throws `not_found`. */
async function read<Result>(
  ctx: Omit<Reader, 'db'> & { db: Sql },
  { noun, ...wanted }: { noun: string; kind: string; id: string },
  version: number | undefined,
): Promise<Inspection<Result>> {
  const found = await store.findInspection<Result>(ctx.db, ctx.principal.accountId, wanted);
  if (!found) throw notFound(noun, wanted.id);
  if (version === undefined || version === found.version) return found;
  const earlier = await store.findVersion<Result>(ctx.db, { accountId: found.accountId, id: found.id, version });
  if (!earlier) throw notFound(`version of this ${noun}`, String(version));
  return { ...found, ...earlier };
}

/** Reads one inspection with a part of its result as text. Throws `not_found`. */
async function readWritten(ctx: Reader, { noun, ...wanted }: { noun: string; kind: string; id: string; part: string }) {
  const found = await store.findWritten(ctx.db, ctx.principal.accountId, wanted);
  if (!found) throw notFound(noun, wanted.id);
  return found;
}

async function remove(
  outside: Pick<Outside, 'db' | 'jobs'>,
  accountId: string,
  { kind, noun, id }: { kind: string; noun: string; id: string },
): Promise<void> {
  await outside.db.tx(async (tx) => {
    if (!(await store.deleteInspection(tx, accountId, { kind, id }))) throw notFound(noun, id);
    await outside.jobs.enqueue(tx, erase, { payloads: [{ ids: [id] }], account: accountId });
  });
  outside.jobs.wake();
}

interface Started<Input, Result> {
  input: Input;
  beside?: (tx: Sql, made: Inspection<Result>) => Promise<void>;
}

/** Builds the machine of one kind. */
export function defineInspection<Input, Result, Need extends keyof Outside = never>(
  declared: InspectionKind<Input, Result, Need>,
): InspectionMachine<Input, Result, Need> {
  const { kind, noun } = declared;
  const job = jobOf(declared);
  const start = async (
    outside: StartDoors,
    accountId: string,
    { input, beside }: Started<Input, Result>,
  ): Promise<Inspection<Result>> => {
    await admit(outside, accountId);
    const name = declared.nameOf?.(input) ?? '';
    const made: Inspection<Result> = { ...newInspection(outside.clock.now()), accountId, kind, name };
    await writeInput(outside, made, await packInput(outside, made, input));
    await outside.db.tx(async (tx) => {
      await store.insertInspection(tx, made);
      await confirmUses(tx, { accountId, holder: objectsOf(made.id) });
      await beside?.(tx, made);
      await outside.jobs.enqueue(tx, job, { payloads: [{ id: made.id, version: made.version }], account: accountId });
    });
    outside.jobs.wake();
    return made;
  };
  return {
    kind,
    noun,
    listing: declared.listing,
    job,
    inspect: declared.inspect,
    get: (ctx, id, wanted) => read<Result>(ctx, { kind, noun, id }, wanted?.version),
    getWritten: (ctx, id, part) => readWritten(ctx, { kind, noun, id, part }),
    end: (outside, run, inspected) => endWith(outside, { declared, run }, complete(inspected, outside.clock.now())),
    fail: (outside, run, error) => endWith(outside, { declared, run }, failed(error, outside.clock.now())),
    start: (outside, accountId, input) => start(outside, accountId, { input }),
    startWith: start,
    async restart(ctx, id, given) {
      const before = await read<Result>(ctx, { kind, noun, id }, undefined);
      await admit(ctx, before.accountId);
      const packed = await packInput(ctx, before, given ?? (await readInput<Input>(ctx, before)));
      // Two restarts at once lead to two versions; the object of each is there before its row says so.
      const begun = await ctx.db.tx(async (tx) => {
        const version = await store.beginVersion(tx, before, {
          keepsVersions: declared.keepsVersions ?? false,
          at: ctx.clock.now(),
        });
        if (version === undefined) throw notFound(noun, id);
        await confirmUses(tx, { accountId: before.accountId, holder: objectsOf(id) });
        await writeInput(ctx, { id, version }, packed);
        await ctx.jobs.enqueue(tx, job, { payloads: [{ id, version }], account: ctx.principal.accountId });
        // Read here, before the run can end: the answer says what was begun.
        return read<Result>({ ...ctx, db: tx }, { kind, noun, id }, undefined);
      });
      ctx.jobs.wake();
      return begun;
    },
    input: async (ctx, id) => readInput<Input>(ctx, await read(ctx, { kind, noun, id }, undefined)),
    versions: async (ctx, id) => store.listVersions(ctx.db, await read(ctx, { kind, noun, id }, undefined)),
    list: (ctx, page) => store.listInspections<Result>(ctx.db, { accountId: ctx.principal.accountId, kind }, page),
    remove: (outside, accountId, id) => remove(outside, accountId, { kind, noun, id }),
  };
}
