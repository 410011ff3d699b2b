// A look at what was sent: which alerts on sending are crossed, for which values of their dimension.
import { NO_COUNTS, type Counts } from '../../../engines/sending-health/index.ts';
import { othersTurn } from '../../../platform/cpu-time/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { newUuid } from '../../../platform/ids/index.ts';
import { findAccount, listSubaccountIds } from '../../account/accounts/index.ts';
import { sendingRates, type RateDimension } from '../_rates/index.ts';
import { raiseAlert } from '../alerts/index.ts';
import { holds, partOf, passing, shareText } from './rules.ts';
import * as store from './send-store.ts';
import type { SendAlert } from './send-store.ts';

type Doors = Pick<Outside, 'db' | 'jobs' | 'clock' | 'events'>;

const MINUTE_MS = 60_000;
/** A look takes no longer; one that was cut off is repeated then. */
export const LOOK_MS = 300_000;
/** A look takes at most so large a part of the time until the next one. */
const SHARE = 20;
/** Open hits of an alert: those that it has, then those of the values with the most mail. */
const HITS_MAX = 500;
/** So many rows are added up before others have their turn. */
const ROWS_AT_ONCE = 1000;

const BY: Readonly<Record<SendAlert['dimension'], RateDimension>> = {
  domain: 'domain',
  ip: 'ip',
  ip_pool: 'pool',
  recipient_provider: 'provider',
  subaccount: 'subaccount',
};

/** What an alert on sending is called where people read it. */
const METRIC_WORDS: Readonly<Record<SendAlert['metric'], string>> = {
  hard_bounce_rate: 'Hard bounces',
  temporary_fail_rate: 'Temporary failures',
  delivered_rate: 'Deliveries',
  complained_rate: 'Complaints',
};
const DIMENSION_WORDS: Readonly<Record<SendAlert['dimension'], string>> = {
  domain: 'domain',
  ip: 'IP address',
  ip_pool: 'IP pool',
  recipient_provider: 'recipient provider',
  subaccount: 'subaccount',
};

interface RaisedHit {
  alert: SendAlert;
  value: string;
  message: string;
  isOver: boolean;
  latestValue?: string;
}

/** Opens or ends the alert of a value. */
export async function raiseHit(
  doors: Pick<Outside, 'db' | 'jobs' | 'clock'>,
  tx: Sql,
  { alert, value, message, isOver, latestValue }: RaisedHit,
): Promise<void> {
  const { name, metric, comparator, bound, dimension, alertChannels } = alert;
  await raiseAlert(doors, tx, {
    accountId: alert.accountId,
    event: 'threshold_hit',
    subject: `${name} · ${value || 'unknown'}`,
    isOver,
    data: {
      message,
      page: '/thresholds',
      threshold: { name, metric, comparator, limit: bound, dimension, dimension_value: value },
      ...(latestValue !== undefined && { latest_value: latestValue }),
      ...(alertChannels && { alert_channels: alertChannels }),
    },
  });
}

/** Whether an alert is about subaccounts, too. */
const isOfParts = ({ dimension, filters }: SendAlert): boolean =>
  dimension === 'subaccount' || filters.some((filter) => filter.dimension === 'subaccount');

const dimensionsOf = (alert: SendAlert): RateDimension[] => {
  const named = [alert.dimension, ...alert.filters.map(({ dimension }) => dimension)].map((one) => BY[one]);
  return [...new Set(named)].toSorted();
};

interface Found {
  value: string;
  part: number;
  whole: number;
}

const textOf = ({ part, whole }: Found): string => shareText(part / whole);

type Rates = Awaited<ReturnType<typeof sendingRates>>;

/** What was counted, by value of the dimension: the same for all alerts with its dimension and filters. */
async function sumsOf(alert: SendAlert, { rows }: Rates): Promise<Map<string, Counts>> {
  const by = BY[alert.dimension];
  const filters = alert.filters.map((filter) => ({ by: BY[filter.dimension], passes: passing(filter) }));
  const sums = new Map<string, Counts>();
  for (const [place, { group, counts }] of rows.entries()) {
    if (place % ROWS_AT_ONCE === 0) await othersTurn();
    if (!filters.every((filter) => filter.passes(group[filter.by] ?? ''))) continue;
    const value = group[by] ?? '';
    const sum = sums.get(value) ?? { ...NO_COUNTS };
    for (const name of Object.keys(counts) as (keyof Counts)[]) sum[name] += counts[name];
    sums.set(value, sum);
  }
  return sums;
}

/** The metric for each value of which it is known. */
function valuesOf(alert: SendAlert, sums: ReadonlyMap<string, Counts>): Found[] {
  return [...sums]
    .map(([value, counts]) => ({ value, ...partOf(alert.metric, counts) }))
    .filter(({ whole }) => whole > 0);
}

const percent = (share: number): string => `${Number((share * 100).toFixed(4))} %`;

const UNCOUNTED = ' More was sent in a day than is counted.';

/** Which mail a value of a dimension is about. */
async function mailOf(tx: Sql, { dimension }: SendAlert, value: string): Promise<string> {
  const account = dimension === 'subaccount' ? await findAccount(tx, value) : undefined;
  const word = DIMENSION_WORDS[dimension];
  return value === '' ? `mail without known ${word}` : `${word} ${account?.name ?? value}`;
}

async function describe(
  tx: Sql,
  alert: SendAlert,
  { value, part, whole, isBound, left = 0 }: Found & { isBound: boolean; left?: number },
): Promise<string> {
  const { metric, period, comparator, bound } = alert;
  return (
    `${METRIC_WORDS[metric]} of ${await mailOf(tx, alert, value)}: ${percent(part / whole)} in the last ${period} ` +
    `(${part} of ${whole}). "${alert.name}" watches for ${comparator} ${percent(Number(bound))}.` +
    (isBound ? UNCOUNTED : '') +
    (left > 0 ? ` ${left} more of its values cross it and have no hit: ${HITS_MAX} may be open at once.` : '')
  );
}

interface Seen {
  found: Found[];
  /** There was more than could be counted. */
  isBound: boolean;
  now: Date;
  dueAt: Date;
}

/** Those that get a hit: who has one keeps it, then come those with the most mail. */
function chosenOf(crossed: readonly Found[], open: ReadonlySet<string>): Found[] {
  if (crossed.length <= HITS_MAX) return [...crossed];
  const byMail = crossed.toSorted((one, other) => other.whole - one.whole || (one.value < other.value ? -1 : 1));
  const kept = byMail.filter(({ value }) => open.has(value));
  const others = byMail.filter(({ value }) => !open.has(value));
  return [...kept, ...others.slice(0, Math.max(0, HITS_MAX - kept.length))];
}

/** Opens and renews the hits of values that cross the alert. */
async function openHits(
  doors: Doors,
  tx: Sql,
  {
    alert,
    chosen,
    left,
    open,
    now,
    isBound,
  }: Omit<Seen, 'found' | 'dueAt'> & {
    alert: SendAlert;
    chosen: Found[];
    left: number;
    open: Set<string>;
  },
): Promise<void> {
  const expiresAt = new Date(now.getTime() + alert.periodMinutes * MINUTE_MS);
  const rows = chosen.map((one) => ({
    id: newUuid(),
    alertId: alert.id,
    dimensionValue: one.value,
    triggered: true,
    latestValue: textOf(one),
    createdAt: now,
    updatedAt: now,
    expiresAt,
  }));
  await store.saveHits(tx, alert.accountId, rows);
  for (const one of chosen.filter(({ value }) => !open.has(value))) {
    const message = await describe(tx, alert, { ...one, isBound, left });
    await raiseHit(doors, tx, { alert, value: one.value, message, isOver: false, latestValue: textOf(one) });
  }
}

/** Ends the hits of values that no longer cross the alert. */
async function endHits(
  doors: Doors,
  tx: Sql,
  { alert, ended, found, isBound, now }: Omit<Seen, 'dueAt'> & { alert: SendAlert; ended: store.Hit[] },
): Promise<void> {
  const byValue = new Map(found.map((one) => [one.value, one]));
  for (const { id, dimensionValue: value, latestValue } of ended) {
    const counted = byValue.get(value);
    const latest = counted ? textOf(counted) : latestValue;
    await store.endHit(tx, alert.accountId, { id, latestValue: latest, now });
    const message = counted
      ? await describe(tx, alert, { ...counted, isBound })
      : `In the last ${alert.period} nothing was counted of ${await mailOf(tx, alert, value)} that ` +
        `"${alert.name}" watches.${isBound ? UNCOUNTED : ''}`;
    await raiseHit(doors, tx, { alert, value, message, isOver: true, latestValue: latest });
  }
}

/** Writes what a look at one alert found. */
async function write(doors: Doors, alert: SendAlert, { found, isBound, now, dueAt }: Seen): Promise<void> {
  const crossed = found.filter(({ part, whole }) => holds(part / whole, alert.comparator, Number(alert.bound)));
  const isCrossed = new Set(crossed.map(({ value }) => value));
  await doors.db.tx(async (tx) => {
    if (!(await store.noteLook(tx, alert, { now, dueAt, valuesCrossed: crossed.length }))) return;
    const before = (await store.listHitsOf(tx, alert.accountId, alert.id)).filter(({ triggered }) => triggered);
    const open = new Set(before.map((hit) => hit.dimensionValue));
    const chosen = chosenOf(crossed, open);
    await openHits(doors, tx, { alert, chosen, left: crossed.length - chosen.length, open, now, isBound });
    const ended = before.filter((hit) => !isCrossed.has(hit.dimensionValue));
    await endHits(doors, tx, { alert, ended, found, isBound, now });
  });
}

/** What a look at the same events finds for several alerts. */
async function rates(doors: Doors, alert: SendAlert, now: Date): Promise<Rates> {
  const { accountId } = alert;
  const parts = isOfParts(alert) ? await listSubaccountIds(doors.db, accountId) : [];
  return sendingRates(doors, {
    accountIds: [accountId, ...parts],
    from: new Date(now.getTime() - alert.periodMinutes * MINUTE_MS),
    to: now,
    by: dimensionsOf(alert),
  });
}

/**
 * Looks at what is due of an account, first at what was not looked at for longest. Alerts over the same events share
 * one count of them. When the signal ends it, what was not looked at is due again soon.
 */
export async function lookAt(doors: Doors, accountId: string, signal: AbortSignal): Promise<void> {
  const now = doors.clock.now();
  const begunAt = performance.now();
  const until = new Date(now.getTime() + LOOK_MS);
  const due = await store.takeDue(doors.db, accountId, { now, until });
  due.sort((one, other) => (one.lastChecked?.getTime() ?? 0) - (other.lastChecked?.getTime() ?? 0));
  const shared = Map.groupBy(due, (alert) =>
    JSON.stringify([alert.periodMinutes, isOfParts(alert), dimensionsOf(alert)]),
  );
  const seen: { alerts: SendAlert[]; sums: Map<string, Counts>; isBound: boolean }[] = [];
  for (const alerts of shared.values()) {
    if (signal.aborted) break;
    const counted = await rates(doors, alerts[0] as SendAlert, now);
    const alike = Map.groupBy(alerts, ({ dimension, filters }) => JSON.stringify([dimension, filters]));
    for (const same of alike.values())
      seen.push({ alerts: same, sums: await sumsOf(same[0] as SendAlert, counted), isBound: counted.isBound });
  }
  const waitMs = Math.max(MINUTE_MS, (performance.now() - begunAt) * SHARE);
  const dueAt = new Date(now.getTime() + waitMs);
  for (const { alerts, sums, isBound } of seen)
    for (const alert of alerts) await write(doors, alert, { found: valuesOf(alert, sums), isBound, now, dueAt });
  doors.jobs.wake();
}
