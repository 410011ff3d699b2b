// A look at what was sent: which alerts on sending are crossed, for which values of their dimension.
import { NO_COUNTS, type Counts } from '../../../engines/sending-health/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { newUuid } from '../../../platform/ids/index.ts';
import { findAccount, listSubaccountIds } from '../../account/accounts/index.ts';
import { sendingRates, type RateDimension } from '../_rates/index.ts';
import { raiseAlert } from '../alerts/index.ts';
import { holds, partOf, passes, shareText } from './rules.ts';
import * as store from './send-store.ts';
import type { SendAlert } from './send-store.ts';

type Doors = Pick<Outside, 'db' | 'jobs' | 'clock' | 'events'>;

const MINUTE_MS = 60_000;
/** A look takes no longer; one that was cut off is repeated then. */
export const LOOK_MS = 300_000;
/** A look takes at most so large a part of the time until the next one. */
const SHARE = 20;
/** Values of a dimension that are looked at: those with the most mail. */
const VALUES_MAX = 500;

const BY: Readonly<Record<SendAlert['dimension'], RateDimension | undefined>> = {
  domain: 'domain',
  ip: 'ip',
  ip_pool: undefined,
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
  const named = [alert.dimension, ...alert.filters.map(({ dimension }) => dimension)].flatMap((one) => BY[one] ?? []);
  return [...new Set(named)].toSorted();
};

interface Found {
  value: string;
  part: number;
  whole: number;
}

const textOf = ({ part, whole }: Found): string => shareText(part / whole);

type Rates = Awaited<ReturnType<typeof sendingRates>>;

function add(sum: Counts, more: Counts): Counts {
  const names = Object.keys(sum) as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, sum[name] + more[name]])) as unknown as Counts;
}

/** The metric for each value of the dimension that was sent anything, those with the most mail first. */
function valuesOf(alert: SendAlert, { rows }: Rates): Found[] {
  const by = BY[alert.dimension];
  const sums = new Map<string, Counts>();
  for (const { group, counts } of rows) {
    const of = (dimension: SendAlert['dimension']): string => group[BY[dimension] ?? 'domain'] ?? '';
    if (!alert.filters.every((filter) => passes(filter, of(filter.dimension)))) continue;
    const value = by ? (group[by] ?? '') : '';
    sums.set(value, add(sums.get(value) ?? NO_COUNTS, counts));
  }
  return [...sums]
    .map(([value, counts]) => ({ value, ...partOf(alert.metric, counts) }))
    .filter(({ whole }) => whole > 0)
    .toSorted((one, other) => other.whole - one.whole || (one.value < other.value ? -1 : 1))
    .slice(0, VALUES_MAX);
}

const percent = (share: number): string => `${Number((share * 100).toFixed(4))} %`;

async function describe(
  tx: Sql,
  alert: SendAlert,
  { value, part, whole, isBound }: Found & { isBound: boolean },
): Promise<string> {
  const { metric, dimension, period, comparator, bound } = alert;
  const account = dimension === 'subaccount' ? await findAccount(tx, value) : undefined;
  const of = value === '' ? `mail without known ${DIMENSION_WORDS[dimension]}` : `${DIMENSION_WORDS[dimension]} `;
  return (
    `${METRIC_WORDS[metric]} of ${of}${account?.name ?? value}: ${percent(part / whole)} in the last ${period} ` +
    `(${part} of ${whole}). "${alert.name}" watches for ${comparator} ${percent(Number(bound))}.` +
    (isBound ? ' More was sent in a day than is counted.' : '')
  );
}

interface Seen {
  found: Found[];
  /** There was more than could be counted. */
  isBound: boolean;
  now: Date;
  dueAt: Date;
}

/** Opens and renews the hits of values that cross the alert. */
async function openHits(
  doors: Doors,
  tx: Sql,
  {
    alert,
    crossed,
    open,
    now,
    isBound,
  }: Omit<Seen, 'found' | 'dueAt'> & {
    alert: SendAlert;
    crossed: Found[];
    open: Set<string>;
  },
): Promise<void> {
  const expiresAt = new Date(now.getTime() + alert.periodMinutes * MINUTE_MS);
  const rows = crossed.map((one) => ({
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
  for (const one of crossed.filter(({ value }) => !open.has(value))) {
    const message = await describe(tx, alert, { ...one, isBound });
    await raiseHit(doors, tx, { alert, value: one.value, message, isOver: false, latestValue: textOf(one) });
  }
}

/** Writes what a look at one alert found. */
async function write(doors: Doors, alert: SendAlert, { found, isBound, now, dueAt }: Seen): Promise<void> {
  await doors.db.tx(async (tx) => {
    if (!(await store.noteLook(tx, alert, { now, dueAt }))) return;
    const hits = await store.listHitsOf(tx, alert.accountId, alert.id);
    const before = hits.filter(({ triggered }) => triggered);
    const crossed = found.filter(({ part, whole }) => holds(part / whole, alert.comparator, Number(alert.bound)));
    await openHits(doors, tx, { alert, crossed, open: new Set(before.map((hit) => hit.dimensionValue)), now, isBound });
    const isCrossed = new Set(crossed.map(({ value }) => value));
    for (const { id, dimensionValue: value, latestValue } of before.filter(
      (hit) => !isCrossed.has(hit.dimensionValue),
    )) {
      const left = found.find((one) => one.value === value);
      const latest = left ? textOf(left) : latestValue;
      await store.endHit(tx, alert.accountId, { id, latestValue: latest, now });
      const message = left
        ? await describe(tx, alert, { ...left, isBound })
        : `In the last ${alert.period} nothing was sent that "${alert.name}" watches.`;
      await raiseHit(doors, tx, { alert, value, message, isOver: true, latestValue: latest });
    }
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
  const seen: { alert: SendAlert; found: Found[]; isBound: boolean }[] = [];
  for (const alerts of shared.values()) {
    if (signal.aborted) break;
    const counted = await rates(doors, alerts[0] as SendAlert, now);
    for (const alert of alerts) seen.push({ alert, found: valuesOf(alert, counted), isBound: counted.isBound });
  }
  const waitMs = Math.max(MINUTE_MS, (performance.now() - begunAt) * SHARE);
  const dueAt = new Date(now.getTime() + waitMs);
  for (const { alert, ...of } of seen) await write(doors, alert, { ...of, now, dueAt });
  doors.jobs.wake();
}
