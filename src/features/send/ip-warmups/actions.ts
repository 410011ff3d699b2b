import {
  faultOfPlan,
  openThrottle,
  planTo,
  spanOf,
  TARGET_DEFAULT,
  type Verdict,
} from '../../../engines/ip-warmup/index.ts';
import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { plainIp } from '../../../platform/network/index.ts';
import { forgetRoutes, getIp } from '../sending-ips/index.ts';
import { deleteWarmup, findWarmup, insertWarmup, listVerdicts, saveVolumes, type Warmup } from './store.ts';

type Doors = Pick<Context, 'db' | 'clock' | 'principal'>;

/** Verdicts that a forecast follows from. */
const VERDICTS = 7;

/** Whole numbers from JSON or a form. Throws `invalid_request`. */
function readStages(given: unknown): number[] {
  const parts = [given].flat().flatMap((part) => (typeof part === 'string' ? part.split(',') : [part]));
  const stages = parts.map((part) =>
    typeof part === 'string' && /^\s*\d{1,9}\s*$/.test(part)
      ? Number(part)
      : typeof part === 'number'
        ? part
        : Number.NaN,
  );
  const fault = faultOfPlan(stages);
  if (fault !== undefined) throw invalid('stages', fault);
  return stages;
}

/** The warm-up of an address of the account. Throws `not_found`. */
export async function getWarmup({ db, principal }: Pick<Doors, 'db' | 'principal'>, given: string): Promise<Warmup> {
  const ip = plainIp(given);
  const found = ip === undefined ? undefined : await findWarmup(db, principal.accountId, ip);
  if (!found) throw notFound('warm-up of an IP address', given);
  return found;
}

/** One that is under way. Throws `not_found`. */
export async function getWarming(doors: Pick<Doors, 'db' | 'principal'>, given: string): Promise<Warmup> {
  const found = await getWarmup(doors, given);
  if (found.warmAt) throw new AppError('not_found', `${found.ip} is warm: its last stage is through.`);
  return found;
}

/** The latest verdicts of each of these addresses, oldest first; those of an address without any are missing. */
export async function verdictsOf(
  { db, principal }: Pick<Doors, 'db' | 'principal'>,
  ips: readonly string[],
): Promise<ReadonlyMap<string, Verdict[]>> {
  const found = await listVerdicts(db, principal.accountId, { ips, limit: VERDICTS });
  return new Map([...Map.groupBy(found, ({ ip }) => ip)].map(([ip, own]) => [ip, own.map(({ verdict }) => verdict)]));
}

interface Wanted {
  stages?: unknown;
  target?: number | undefined;
}

/** Begins a warm-up. Throws `invalid_request`, `not_found`, `conflict`. */
export async function startWarmup(doors: Doors, given: string, { stages, target }: Wanted): Promise<void> {
  const { db, clock, principal } = doors;
  const { accountId } = principal;
  const { ip, accountId: owner } = await getIp(doors, accountId, given);
  if (owner !== accountId)
    throw new AppError('not_found', `${ip} is shared: only the account that owns it warms it up.`);
  if (stages !== undefined && target !== undefined) throw invalid('stages', 'and target_volume exclude each other.');
  const volumes = stages === undefined ? planTo(target ?? TARGET_DEFAULT) : readStages(stages);
  const now = clock.now();
  const begun = { volumes, stage: 1, stageStartedAt: now };
  const throttle = openThrottle(spanOf(begun));
  const row = { ip, ...begun, ...throttle, startedAt: now, updatedAt: now, countedFrom: now, lookedAt: now };
  if (!(await db.tx((tx) => insertWarmup(tx, accountId, row))))
    throw new AppError('conflict', `${ip} is warming up already.`);
  forgetRoutes(db);
}

/** Ends a warm-up, and forgets it. Throws `not_found`. */
export async function stopWarmup(doors: Doors, given: string): Promise<void> {
  const { ip } = await getWarmup(doors, given);
  await deleteWarmup(doors.db, doors.principal.accountId, ip);
  forgetRoutes(doors.db);
}

/** Changes the stages. Throws `invalid_request`, `not_found`. */
export async function changePlan(
  doors: Pick<Doors, 'db' | 'principal'>,
  given: string,
  { stages, now }: { stages: unknown; now: Date },
): Promise<Warmup> {
  const { db, principal } = doors;
  const warmup = await getWarming(doors, given);
  if (stages === undefined) throw invalid('stages', 'is required.');
  const volumes = readStages(stages);
  const { ip } = warmup;
  if (!(await saveVolumes(db, principal.accountId, { ip, volumes, now })))
    throw invalid('stages', `must have the stage that runs, ${warmup.stage}, or more.`);
  return getWarmup(doors, ip);
}
