// From alerts that are due to deliveries: one for each address, URL and channel of the settings that name the event.
import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { nextTimeOfDay } from '../../../platform/times/index.ts';
import { endOf, isMoment, isNotice, type AlertEvent } from './contract.ts';
import { insertDeliveries, type EventData } from './outbox-store.ts';
import { targetsOf } from './settings.ts';
import { findAccountSettings, listSettings, type AlertSetting, type QuietHours } from './settings-store.ts';
import * as store from './store.ts';
import type { Alert } from './store.ts';

const ALERTS_AT_ONCE = 200;
const HOUR_MS = 3_600_000;
/** When a daily digest goes, by the clocks of the quiet hours, or UTC. */
const DIGEST_AT = { hour: 8, minute: 0 };

const clockOf = (text: string) => ({ hour: Number(text.slice(0, 2)), minute: Number(text.slice(3, 5)) });

/** The end of the quiet hours, when `now` is one of them: their end comes before their next beginning. */
function quietUntil(quiet: QuietHours | null | undefined, now: Date): Date | undefined {
  if (!quiet) return undefined;
  const until = nextTimeOfDay(now, clockOf(quiet.until), quiet.timeZone);
  return until > now && until < nextTimeOfDay(new Date(now.getTime() + 1), clockOf(quiet.from), quiet.timeZone)
    ? until
    : undefined;
}

/** When a setting's people hear of what is due now. Programs hear at once. */
function dueTime(
  { channel, settings }: Pick<AlertSetting, 'channel' | 'settings'>,
  { now, quiet }: { now: Date; quiet: QuietHours | null | undefined },
): Date {
  if (channel === 'webhook') return now;
  const { digest } = settings;
  let at = now;
  if (digest === 'hourly') at = new Date((Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS);
  if (digest === 'daily') at = nextTimeOfDay(now, DIGEST_AT, quiet?.timeZone ?? 'UTC');
  return quietUntil(quiet, at) ?? at;
}

const toldAs = ({ event, overAt }: Pick<Alert, 'event' | 'overAt'>): AlertEvent =>
  overAt === null ? event : endOf(event);

function dataOf(alert: Alert): EventData {
  return {
    ...alert.data,
    id: alert.id,
    timestamp: (alert.overAt ?? alert.createdAt).toISOString(),
    log_level: isNotice(alert.event) ? 'info' : 'warn',
    event: toldAs(alert),
    count: alert.count,
    is_over: alert.overAt !== null,
  };
}

/** Of one transaction. Answers how many alerts were told. */
async function write(tx: Sql, accountId: string, now: Date): Promise<number> {
  const due = await store.takeDue(tx, accountId, { now, limit: ALERTS_AT_ONCE });
  if (due.length === 0) return 0;
  const settings = await listSettings(tx, accountId, [...new Set(due.map(toldAs))]);
  const quiet = (await findAccountSettings(tx, accountId))?.quietHours;
  const rows = due.flatMap((alert) =>
    settings
      .filter(({ eventType, disabledAt }) => eventType === toldAs(alert) && disabledAt === null)
      .filter(({ channel }) => alert.data.alert_channels?.includes(channel) ?? true)
      .flatMap((setting) =>
        targetsOf(setting)
          .filter((target) => !Object.hasOwn(setting.disabledTargets, target))
          .map((target) => ({
            settingId: setting.id,
            alertId: alert.id,
            target,
            eventData: dataOf(alert),
            state: 'waiting' as const,
            createdAt: now,
            dueAt: dueTime(setting, { now, quiet }),
            attempts: [],
          })),
      ),
  );
  await insertDeliveries(tx, accountId, rows);
  const ended = due.filter(({ event, overAt }) => overAt === null && isMoment(event));
  const isEnded = new Set(ended.map(({ id }) => id));
  await store.saveTold(tx, accountId, { ids: [...isEnded], now, isOver: true });
  const others = due.filter(({ id }) => !isEnded.has(id)).map(({ id }) => id);
  await store.saveTold(tx, accountId, { ids: others, now, isOver: false });
  return due.length;
}

/** Writes deliveries for everything of an account that is due. */
export async function tellDue({ db, clock }: Pick<Outside, 'db' | 'clock'>, accountId: string): Promise<void> {
  while ((await db.tx((tx) => write(tx, accountId, clock.now()))) === ALERTS_AT_ONCE);
}
