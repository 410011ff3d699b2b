// The machine that every inspection shares: create, run, list, get, delete. A kind brings what is its own.
import { Type } from 'typebox';
import { messageOf, notFound } from '../../platform/errors/index.ts';
import { defineJob, type Context, type Outside } from '../../platform/feature/index.ts';
import type { Job, Lane } from '../../platform/jobs/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { newId } from '../accounts/index.ts';
import { erase } from './jobs.ts';
import { inputKey, objectsOf } from './objects.ts';
import { deleteInspection, endInspection, findInspection, findInspectionOfAnyone, insertInspection, listInspections, type Inspection, type Page } from './store.ts';

export interface InspectionKind<Input, Result> {
  /** `links`; its job is `links.inspect`. */
  kind: string;
  /** What a caller calls it: `link test`. */
  noun: string;
  lane: Lane;
  timeoutMs: number;
  /** A finding is part of the result; a throw means the check itself could not run. */
  inspect(outside: Outside, input: Input, run: { id: string; signal: AbortSignal }): Promise<{ result: Result; summary?: Record<string, unknown> }>;
}

export interface InspectionMachine<Input, Result> {
  kind: string;
  job: Job<Outside>;
  /** Stores the input and queues the run; `inside` joins a transaction of the caller's. */
  start(outside: Outside, accountId: string, input: Input): Promise<Inspection<Result>>;
  get(ctx: Context, id: string): Promise<Inspection<Result>>;
  list(ctx: Context, page: Page): Promise<{ items: Inspection<Result>[]; total: number }>;
  remove(outside: Outside, accountId: string, id: string): Promise<void>;
}

const ATTEMPTS = 3;
const RETENTION_DAYS = 90;

type InspectionJob = Job<Outside>;

/** The job of one kind: runs the check on the stored input and ends the inspection, whatever happens. */
function jobOf<Input, Result>(declared: InspectionKind<Input, Result>): InspectionJob {
  const { kind } = declared;
  return defineJob({
    name: `${kind}.inspect`,
    payload: Type.Object({ id: Type.String(), version: Type.Integer() }),
    lane: declared.lane,
    attempts: ATTEMPTS,
    timeoutMs: declared.timeoutMs,
    async run(outside, { id, version }, turn) {
      const found = await findInspectionOfAnyone(outside.db, id);
      if (found?.status !== 'Processing' || found.version !== version) return;
      try {
        const input = await readInput<Input>(outside, { id, version });
        const { result, summary = {} } = await declared.inspect(outside, input, { id, signal: turn.signal });
        await endInspection(outside.db, { id, version }, { status: 'Complete', result, summary, error: null, at: outside.clock.now() });
      } catch (error) {
        if (!turn.isLast) throw error;
        outside.log.error({ err: error, inspection: id, kind }, 'an inspection could not run');
        await endInspection(outside.db, { id, version }, { status: 'Failed', result: null, summary: {}, error: messageOf(error), at: outside.clock.now() });
      }
      if (!(await findInspectionOfAnyone(outside.db, id))) await outside.blobs.deleteAll(objectsOf(id));
    },
  }) as InspectionJob;
}

async function queue({ jobs }: Outside, tx: Sql, run: { job: InspectionJob; id: string; version: number }): Promise<void> {
  await jobs.enqueue(tx, run.job, { payloads: [{ id: run.id, version: run.version }] });
}

/** Builds the machine of one kind. */
export function defineInspection<Input, Result>(declared: InspectionKind<Input, Result>): InspectionMachine<Input, Result> {
  const { kind, noun } = declared;
  const job = jobOf(declared);
  return {
    kind,
    job,
    async get(ctx, id) {
      const found = await findInspection<Result>(ctx.db, ctx.principal.accountId, { kind, id });
      if (!found) throw notFound(noun, id);
      return found;
    },
    async start(outside, accountId, input) {
      const now = outside.clock.now();
      const made: Inspection<Result> = { id: newId(), accountId, kind, status: 'Processing', version: 1, summary: {}, result: null, error: null, createdAt: now, updatedAt: now, expiresAt: new Date(now.getTime() + RETENTION_DAYS * 86_400_000) };
      await writeInput(outside, made, input);
      await outside.db.tx(async (tx) => {
        await insertInspection(tx, made);
        await queue(outside, tx, { job, ...made });
      });
      outside.jobs.wake();
      return made;
    },
    list: (ctx, page) => listInspections<Result>(ctx.db, { accountId: ctx.principal.accountId, kind }, page),
    async remove(outside, accountId, id) {
      await outside.db.tx(async (tx) => {
        if (!(await deleteInspection(tx, accountId, { kind, id }))) throw notFound(noun, id);
        await outside.jobs.enqueue(tx, erase, { payloads: [{ ids: [id] }] });
      });
      outside.jobs.wake();
    },
  };
}

async function writeInput({ blobs }: Outside, run: { id: string; version: number }, input: unknown): Promise<void> {
  await blobs.put(inputKey(run.id, run.version), Buffer.from(JSON.stringify(input)), 'application/json');
}

async function readInput<Input>({ blobs }: Pick<Outside, 'blobs'>, run: { id: string; version: number }): Promise<Input> {
  const stored = await blobs.get(inputKey(run.id, run.version));
  if (!stored) throw new Error(`The input of inspection ${run.id} is missing.`);
  return JSON.parse(stored.toString('utf8')) as Input;
}
