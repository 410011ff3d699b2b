// Domains that somebody put into a dynamic pool by hand.
import { AppError } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { changeRoutes } from '../ip-pools/index.ts';
import { noteMove } from './check.ts';
import { getEnrollment } from './enrollment.ts';
import { admitOwner, bandNamed, initiatedBy, POOL_NAMES } from './names.ts';
import { judge } from './rates.ts';
import { holdEnrollment, saveEnrollment } from './store.ts';
import { poolName } from './view.ts';

type Doors = Pick<Context, 'config' | 'db' | 'clock' | 'events' | 'principal' | 'requestor' | 'requestorClient'>;

const gone = (name: string): AppError => new AppError('not_found', `The domain ${name} is in no dynamic pool.`);

/** Throws `not_found`, `forbidden`, and `invalid_request` naming the field and its value. */
export async function overridePool(doors: Doors, name: string, pool: string | undefined): Promise<void> {
  await admitOwner(doors);
  const to = bandNamed(pool ?? '');
  if (!to)
    throw new AppError('invalid_request', `pool must be one of ${POOL_NAMES}.`, {
      details: { field: 'pool', value: (pool ?? '').slice(0, 100) },
    });
  const enrollment = await getEnrollment(doors, name);
  const at = doors.clock.now();
  await changeRoutes(doors, enrollment.ownerId, async (tx) => {
    const held = await holdEnrollment(tx, enrollment);
    if (!held) throw gone(name);
    const reason = `Put into ${poolName(to)} by hand.`;
    const isMoved = to !== held.band;
    await saveEnrollment(tx, held, { band: to, isOverride: true, reason, ...(isMoved && { bandedAt: at }) });
    await noteMove(tx, enrollment, { to, from: held.band, reason, rates: held, initiatedBy: initiatedBy(doors), at });
  });
}

/** What a check would find now decides again, at once. Throws `not_found` and `forbidden`. */
export async function removeOverride(doors: Doors, name: string): Promise<void> {
  await admitOwner(doors);
  const enrollment = await getEnrollment(doors, name);
  if (!enrollment.isOverride) return;
  const at = doors.clock.now();
  // How long it was where somebody had put it is no reason to leave it there.
  const [verdict] = await judge(doors, [{ ...enrollment, bandedAt: new Date(0) }], at);
  const { band: to, reason: found, ...rates } = verdict!;
  await changeRoutes(doors, enrollment.ownerId, async (tx) => {
    const held = await holdEnrollment(tx, enrollment);
    if (!held) throw gone(name);
    if (!held.isOverride) return;
    const isMoved = to !== held.band;
    await saveEnrollment(tx, held, {
      band: to,
      isOverride: false,
      reason: found,
      ...rates,
      checkedAt: at,
      ...(isMoved && { bandedAt: at }),
    });
    const reason = `The override was removed. ${found}`;
    await noteMove(tx, enrollment, { to, from: held.band, reason, rates, initiatedBy: initiatedBy(doors), at });
  });
}
