// Alerts on sending as they are given, checked and kept.
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { newUuid } from '../../../platform/ids/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { admitStored } from '../../account/accounts/index.ts';
import type { LimitChannel } from '../../account/limits/index.ts';
import { countThresholds, unnamed } from './limits.ts';
import { raiseHit } from './look.ts';
import { minutesOf, shareIn } from './rules.ts';
import * as store from './send-store.ts';
import type { SendAlert, SendFilter } from './send-store.ts';

type Doors = Pick<Context, 'config' | 'db' | 'clock' | 'jobs' | 'principal'>;

/** Where none is given. */
const PERIOD = '1h';

interface AskedSendAlert extends Pick<SendAlert, 'name' | 'metric' | 'comparator' | 'dimension'> {
  limit: string;
  filters?: SendFilter[];
  period?: string;
  description?: string;
  alert_channels?: LimitChannel[];
}

/** Throws `invalid_request`. */
function read({ clock }: Pick<Doors, 'clock'>, asked: AskedSendAlert) {
  const { name, metric, comparator, dimension, filters = [], description = '', alert_channels: channels } = asked;
  if (name.trim() === '') throw invalid('name', 'must not be empty.');
  if (shareIn(asked.limit) === undefined)
    throw invalid('limit', 'must be a share from 0 to 1 as text, such as 0.02, with at most ten digits.');
  const period = asked.period || PERIOD;
  const minutes = minutesOf(period);
  if (minutes === undefined)
    throw invalid('period', 'must be minutes, hours or days such as 30m, 1h or 7d, up to 31d.');
  const now = clock.now();
  return {
    name,
    metric,
    comparator,
    dimension,
    filters,
    description,
    period,
    bound: asked.limit.trim(),
    periodMinutes: minutes,
    alertChannels: channels ? [...new Set(channels)] : null,
    updatedAt: now,
    lastChecked: null,
    valuesCrossed: 0,
    dueAt: now,
  };
}

const taken = (name: string): AppError =>
  new AppError('conflict', `An alert on sending of this account is named "${name}" already; names are unique.`);

/** Throws `not_found`. */
export async function getSendAlert(
  { db, principal }: Pick<Doors, 'db' | 'principal'>,
  name: string,
  on: Sql = db,
): Promise<SendAlert> {
  const found = await store.findSendAlert(on, principal.accountId, name);
  if (!found) throw unnamed('alert on sending', name);
  return found;
}

/** Throws `invalid_request`, and `conflict` for a name that there is. */
export async function addSendAlert(ctx: Doors, asked: AskedSendAlert): Promise<SendAlert> {
  const { db, principal } = ctx;
  const row = read(ctx, asked);
  await admitStored(ctx, principal.accountId, {
    quota: 'thresholds',
    count: () => countThresholds(db, principal.accountId),
  });
  const { updatedAt: createdAt } = row;
  const made = await store.insertSendAlert(db, principal.accountId, { id: newUuid(), ...row, createdAt });
  if (!made) throw taken(row.name);
  return made;
}

/** What is open of an alert is over. */
async function closeHits(ctx: Doors, tx: Sql, { alert, why }: { alert: SendAlert; why: string }): Promise<void> {
  const hits = await store.listHitsOf(tx, alert.accountId, alert.id);
  for (const { dimensionValue } of hits.filter(({ triggered }) => triggered))
    await raiseHit(ctx, tx, { alert, value: dimensionValue, message: why, isOver: true });
}

/** Throws `not_found`, `invalid_request`, and `conflict` for the name of another. */
export async function replaceSendAlert(ctx: Doors, name: string, asked: AskedSendAlert): Promise<void> {
  const { db, jobs, principal } = ctx;
  const { accountId } = principal;
  const row = read(ctx, asked);
  await db.tx(async (tx) => {
    await tx.lock(`alerts on sending ${accountId}`);
    const found = await getSendAlert(ctx, name, tx);
    if (row.name !== name && (await store.findSendAlert(tx, accountId, row.name))) throw taken(row.name);
    await store.holdSendAlert(tx, found);
    await closeHits(ctx, tx, { alert: found, why: `The alert on sending "${name}" was changed.` });
    await store.putSendAlert(tx, accountId, { id: found.id, ...row });
  });
  jobs.wake();
}

/** Throws `not_found`. */
export async function removeSendAlert(ctx: Doors, name: string): Promise<void> {
  const { db, jobs, principal } = ctx;
  await db.tx(async (tx) => {
    const found = await getSendAlert(ctx, name, tx);
    await store.holdSendAlert(tx, found);
    await closeHits(ctx, tx, { alert: found, why: `The alert on sending "${name}" was deleted.` });
    await store.deleteSendAlert(tx, principal.accountId, found.id);
  });
  jobs.wake();
}
