// Limits as they are given, checked and kept. What would stop nothing, or the wrong accounts, is refused.
import type { Sql } from '../../../platform/db/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { newUuid } from '../../../platform/ids/index.ts';
import { admitStored, findAccount, listSubaccountIds } from '../../account/accounts/index.ts';
import * as limits from '../../account/limits/index.ts';
import type { Limit, LimitChannel, LimitFilter, UsePeriod } from '../../account/limits/index.ts';
import { countSendAlerts } from './send-store.ts';

type Doors = Pick<Context, 'config' | 'db' | 'clock' | 'principal'>;

const PERIODS: Readonly<Record<string, UsePeriod>> = { '': 'month', '1h': 'hour', '1d': 'day' };
const LIMIT_MAX = 1_000_000_000;

interface AskedLimit extends Pick<Limit, 'name' | 'metric' | 'dimension'> {
  comparator: Limit['comparator'];
  limit: string;
  filters?: LimitFilter[];
  period?: string;
  description?: string;
  alert_channels?: LimitChannel[];
}

/** A period on the wire. */
export function periodText(period: UsePeriod): string {
  return Object.keys(PERIODS).find((text) => PERIODS[text] === period) ?? '';
}

/** Throws `not_found` for a threshold that there is not. */
export function unnamed(what: string, name: string): AppError {
  return new AppError('not_found', `No ${what} is named "${name}".`);
}

/** Limits and alerts on sending share a quota. */
export async function countThresholds(db: Sql, accountId: string): Promise<number> {
  return (await limits.countLimits(db, accountId)) + (await countSendAlerts(db, accountId));
}

function readMax(text: string): number {
  const max = /^\d{1,10}$/.test(text.trim()) ? Number(text) : Infinity;
  if (max > LIMIT_MAX) throw invalid('limit', `must be a whole number from 0 to ${LIMIT_MAX}, as text.`);
  return max;
}

function readPeriod(text = ''): UsePeriod {
  const period = Object.hasOwn(PERIODS, text) ? PERIODS[text] : undefined;
  if (!period) throw invalid('period', 'must be 1h, 1d, or left out for a month.');
  return period;
}

/** The accounts that filters leave. Throws `invalid_request` for one that is neither the account nor a part of it. */
async function readFilters({ db, principal }: Doors, { dimension, filters = [] }: AskedLimit) {
  if (filters.length === 0) return { includes: null, excludes: [] };
  if (dimension !== 'subaccount') throw invalid('filters', 'can be given with the dimension subaccount only.');
  const known = new Set([principal.accountId, ...(await listSubaccountIds(db, principal.accountId))]);
  for (const { values } of filters) {
    const unknown = values.find((id) => !known.has(id));
    if (unknown !== undefined)
      throw invalid('filters', `names "${unknown.slice(0, 100)}", which is the id of no subaccount of this account.`);
  }
  const [first, ...others] = filters.filter(({ comparator }) => comparator === '=').map(({ values }) => values);
  return {
    includes: first ? first.filter((id) => others.every((values) => values.includes(id))) : null,
    excludes: [...new Set(filters.filter(({ comparator }) => comparator === '!=').flatMap(({ values }) => values))],
  };
}

async function read(ctx: Doors, asked: AskedLimit) {
  const { name, metric, comparator, dimension, filters = [], description = '', alert_channels: channels } = asked;
  const now = ctx.clock.now();
  if (name.trim() === '') throw invalid('name', 'must not be empty.');
  return {
    name,
    metric,
    comparator,
    dimension,
    filters,
    description,
    maxUses: readMax(asked.limit),
    period: readPeriod(asked.period),
    ...(await readFilters(ctx, asked)),
    alertChannels: channels ? [...new Set(channels)] : null,
    updatedAt: now,
  };
}

const taken = (name: string): AppError =>
  new AppError('conflict', `A limit of this account is named "${name}" already; names are unique.`);

/** Throws `not_found`. */
export async function getLimit({ db, principal }: Pick<Doors, 'db' | 'principal'>, name: string): Promise<Limit> {
  const found = await limits.findLimit(db, principal.accountId, name);
  if (!found) throw unnamed('limit', name);
  return found;
}

/** Throws `invalid_request`, and `conflict` for a name that there is. */
export async function addLimit(ctx: Doors, asked: AskedLimit): Promise<Limit> {
  const { db, principal } = ctx;
  const row = await read(ctx, asked);
  await admitStored(ctx, principal.accountId, {
    quota: 'thresholds',
    count: () => countThresholds(db, principal.accountId),
  });
  const made = await limits.insertLimit(db, principal.accountId, { id: newUuid(), ...row, createdAt: row.updatedAt });
  if (!made) throw taken(row.name);
  return made;
}

/** Throws `not_found`, `invalid_request`, and `conflict` for the name of another. */
export async function replaceLimit(ctx: Doors, name: string, asked: AskedLimit): Promise<Limit> {
  const { db, principal } = ctx;
  const row = await read(ctx, asked);
  return db.tx(async (tx) => {
    await tx.lock(`limits ${principal.accountId}`);
    const found = await limits.findLimit(tx, principal.accountId, name);
    if (!found) throw unnamed('limit', name);
    if (row.name !== name && (await limits.findLimit(tx, principal.accountId, row.name))) throw taken(row.name);
    const changed = await limits.putLimit(tx, principal.accountId, { id: found.id, ...row });
    if (!changed) throw unnamed('limit', name);
    return changed;
  });
}

/** Throws `not_found`. */
export async function removeLimit({ db, principal }: Doors, name: string): Promise<void> {
  if (!(await limits.deleteLimit(db, principal.accountId, name))) throw unnamed('limit', name);
}

/** What a limit of the newer endpoints is called. Throws `not_found` for the subaccount of somebody else. */
export async function metricName(
  { db, principal }: Doors,
  { metric, subaccount_id: id }: { metric: string; subaccount_id?: string | undefined },
): Promise<string> {
  if (id === undefined || id === '' || id === principal.accountId) return metric;
  const found = await findAccount(db, id);
  if (found?.parentId !== principal.accountId)
    throw new AppError('not_found', `No subaccount of this account has the id "${id.slice(0, 100)}".`);
  return `${metric} of ${id}`;
}

/** A limit of the newer endpoints: of a month, for one account. Throws as `addLimit` does. */
export async function metricLimit(
  ctx: Doors,
  asked: { metric: Limit['metric']; limit: string; subaccount_id?: string | undefined },
): Promise<AskedLimit> {
  const { metric, limit, subaccount_id: id } = asked;
  return {
    name: await metricName(ctx, asked),
    metric,
    limit,
    comparator: '>=',
    dimension: 'subaccount',
    filters: [{ dimension: 'subaccount', comparator: '=', values: [id || ctx.principal.accountId] }],
  };
}
