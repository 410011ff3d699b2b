// How alerts begin and end. One that flaps is told once in a while, and one that is raised again is only counted.
import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { newUuid } from '../../../platform/ids/index.ts';
import { beginningOf, isNotice, type AlertEvent } from './contract.ts';
import { isAskedFor } from './settings-store.ts';
import { tell } from './tell-job.ts';
import * as store from './store.ts';
import type { AlertData } from './store.ts';

/** The channels hear of one subject so often at most; only its end is told sooner. */
const COOL_DOWN_MS = 3_600_000;

interface Raised {
  accountId: string;
  event: AlertEvent;
  /** What it is about, such as an address and a list: of one account, event and subject one alert is open. */
  subject: string;
  data: AlertData;
  /** It is no longer so. */
  isOver?: boolean;
}

type Doors = Pick<Outside, 'db' | 'jobs' | 'clock'>;

async function write({ jobs, clock }: Doors, tx: Sql, { accountId, event: given, isOver, ...asked }: Raised) {
  if (isNotice(given) && !(await isAskedFor(tx, accountId, given))) return;
  const now = clock.now();
  const beginning = beginningOf(given);
  const of = { event: beginning ?? given, subject: asked.subject };
  const ends = isOver === true || beginning !== undefined;
  if (ends) {
    if (!(await store.end(tx, accountId, { ...of, data: asked.data, now }))) return;
  } else {
    // What has finished does not flap: each end is told.
    const told = isNotice(given) ? null : await store.lastTold(tx, accountId, of);
    const dueAt = new Date(Math.max(now.getTime(), (told?.getTime() ?? 0) + COOL_DOWN_MS));
    const count = await store.raise(tx, accountId, { id: newUuid(), ...of, data: asked.data, createdAt: now, dueAt });
    if (count > 1 || dueAt > now) return;
  }
  await jobs.enqueue(tx, tell, { payloads: [{ accountId }], account: accountId });
}

/**
 * Says that something is the matter, or with `isOver` that it no longer is, in the caller's transaction where it has
 * one; call `jobs.wake()` after its commit. What is open already is only counted, and what is not open does not end.
 * `ip_delisted` and `domain_delisted` are the ends of their listings and need the same subject.
 */
export async function raiseAlert(doors: Doors, tx: Sql | undefined, raised: Raised): Promise<void> {
  if (tx) return write(doors, tx, raised);
  await doors.db.tx((own) => write(doors, own, raised));
  doors.jobs.wake();
}
