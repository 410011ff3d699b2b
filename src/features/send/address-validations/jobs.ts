import { Type } from 'typebox';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import { defineAging } from '../../../platform/feature/retention.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { addFurtherUses } from '../../account/limits/index.ts';
import { eventOf } from './count.ts';
import { addressesValidated } from './facts.ts';
import { DAYS, type Summary } from './contract.ts';
import { deleteOldProbes } from './probe-store.ts';
import { PROBE_DAYS } from './probe.ts';
import {
  deleteOldJobs,
  findJobById,
  findNextPart,
  lockJob,
  saveResults,
  updateJob,
  type ValidationJob,
} from './store.ts';
import { validateAddresses } from './validate.ts';
import { resultView, type Validation } from './view.ts';

type Doors = Pick<Outside, 'clock' | 'events' | 'facts' | 'jobs'>;

/** Of a part, whose job has five minutes. */
const PROBE_MS = 150_000;

const payload = Type.Object({ validationId: Type.String() });

const isOpen = ({ status }: ValidationJob): boolean => status === 'created' || status === 'processing';

/** With these added. */
function sumOf(summary: Summary, judged: readonly Validation[]): Summary {
  const { result, risk } = structuredClone(summary);
  for (const one of judged) {
    result[one.result] += 1;
    risk[one.risk] += 1;
  }
  return { result, risk };
}

/** Keeps what was found of a part once, however often the job runs, and queues the next. */
async function keep(
  doors: Doors,
  tx: Sql,
  { validationId, place, found }: { validationId: string; place: number; found: readonly Validation[] },
): Promise<void> {
  const job = await lockJob(tx, validationId);
  if (!job || !isOpen(job)) return;
  if (!(await saveResults(tx, { validationId, place }, found.map(resultView)))) return;
  const { accountId, name: listId } = job;
  const now = doors.clock.now();
  const processed = job.processed + found.length;
  const isDone = processed >= job.quantity;
  await updateJob(tx, validationId, {
    processed,
    summary: sumOf(job.summary, found),
    status: isDone ? 'uploaded' : 'processing',
    ...(isDone && { finishedAt: now }),
  });
  await doors.events.append(
    tx,
    found.map((validation) => eventOf(validation, { accountId, at: now, listId })),
  );
  const deliverable = found.filter(({ result }) => result === 'deliverable').length;
  await addFurtherUses(tx, accountId, { uses: { email_validation_valid_count: deliverable }, now });
  if (isDone)
    await doors.facts.tell(tx, addressesValidated, { account: accountId, payload: { accountId, name: listId } });
  else await doors.jobs.enqueue(tx, validatePart, { payloads: [{ validationId }], account: accountId });
}

/** Validates the next addresses of a list, then queues itself again: other accounts have their turn between. */
export const validatePart = defineJob({
  name: 'address-validations.part',
  payload,
  lane: 'net',
  urgency: 'bulk',
  attempts: 5,
  timeoutMs: 300_000,
  async run(outside, { validationId }) {
    const { db } = outside;
    const job = await findJobById(db, validationId);
    if (!job || !isOpen(job)) return;
    const part = await findNextPart(db, validationId);
    if (!part) return;
    const found = await validateAddresses(outside, {
      accountId: job.accountId,
      addresses: part.addresses,
      probeMs: PROBE_MS,
    });
    await db.tx((tx) => keep(outside, tx, { validationId, place: part.place, found }));
    outside.jobs.wake();
  },
  async gaveUp({ db, facts, clock, jobs }, { validationId }, { reason }) {
    await db.tx(async (tx) => {
      const job = await lockJob(tx, validationId);
      if (!job || !isOpen(job)) return;
      await updateJob(tx, validationId, { status: 'failed', failure: reason, finishedAt: clock.now() });
      const { accountId, name } = job;
      await facts.tell(tx, addressesValidated, { account: accountId, payload: { accountId, name } });
    });
    jobs.wake();
  },
});

export const forget = defineAging({
  name: 'address-validations.probes',
  days: PROBE_DAYS,
  deleteOld: deleteOldProbes,
});

export const expire = defineAging({ name: 'address-validations', days: DAYS, deleteOld: deleteOldJobs });
