// Settings as they are read, checked and kept. A setting that nobody would hear of is refused.
import { isMailAddress } from '../../../engines/mime/index.ts';
import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { newUuid } from '../../../platform/ids/index.ts';
import { attempt, readTarget } from '../../../platform/posting/index.ts';
import { admitStored } from '../../account/accounts/index.ts';
import { ALERT_EVENT_NAMES, type AlertEvent } from './contract.ts';
import { cancelWaiting } from './outbox-store.ts';
import * as store from './settings-store.ts';
import type { AlertSetting, ChannelSettings } from './settings-store.ts';

export type Doors = Pick<Context, 'config' | 'db' | 'secrets' | 'clock' | 'fetch' | 'principal'>;

type Channel = AlertSetting['channel'];

const TARGETS_MAX = 10;
const CHANNEL_ID = /^[A-Z0-9]{2,30}$/;

interface Asked {
  event_type: string;
  channel: Channel;
  settings: ChannelSettings;
}

/** Throws `invalid_request`. */
export function readEvent(name: string): AlertEvent {
  const event = ALERT_EVENT_NAMES.find((one) => one === name);
  if (!event) throw invalid('event_type', `must be one of ${ALERT_EVENT_NAMES.join(', ')}.`);
  return event;
}

/** Without what comes twice. Throws `invalid_request`. */
export function readEmails(field: string, given: readonly string[] | undefined): string[] {
  const emails = [...new Set((given ?? []).map((one) => one.trim()))];
  if (emails.length === 0 || emails.length > TARGETS_MAX)
    throw invalid(field, `must name 1 to ${TARGETS_MAX} email addresses.`);
  const wrong = emails.find((one) => !isMailAddress(one));
  if (wrong !== undefined) throw invalid(field, `names "${wrong.slice(0, 100)}", which is not an email address.`);
  return emails;
}

/** Throws `invalid_request`. */
export function readChannelIds(field: string, given: readonly string[]): string[] {
  const ids = [...new Set(given.map((one) => one.trim()))];
  if (ids.length === 0 || ids.length > TARGETS_MAX || !ids.every((id) => CHANNEL_ID.test(id)))
    throw invalid(field, `must name 1 to ${TARGETS_MAX} Slack channels by their ids, such as C024BE91L.`);
  return ids;
}

export const readUrl = (doors: Pick<Doors, 'config'>, field: string, url: string | undefined): string => {
  if (url === undefined || url.trim() === '') throw invalid(field, 'is required.');
  return readTarget(url, { allowHosts: doors.config.fetch.allowHosts, field }).url;
};

/** What goes with a channel; other fields are left out. Throws `invalid_request`. */
function readSettings(doors: Pick<Doors, 'config'>, channel: Channel, given: ChannelSettings): ChannelSettings {
  if (channel === 'webhook') return { url: readUrl(doors, 'settings.url', given.url) };
  if (channel === 'email') {
    const emails = readEmails('settings.emails', given.emails);
    return { emails, ...(given.digest !== undefined && { digest: given.digest }) };
  }
  if (given.url !== undefined) return { url: readUrl(doors, 'settings.url', given.url) };
  if (given.channel_ids === undefined)
    throw invalid('settings.channel_ids', 'is required for Slack, or settings.url with an incoming webhook.');
  return { channel_ids: readChannelIds('settings.channel_ids', given.channel_ids) };
}

/** Where a setting leads, one after the other. */
export function targetsOf({ settings }: Pick<AlertSetting, 'settings'>): string[] {
  return settings.emails ?? settings.channel_ids ?? [settings.url ?? ''];
}

/** Asks a URL of webhooks with GET. Throws `invalid_request` unless it answers 200. */
async function validateUrl(doors: Doors, url: string): Promise<void> {
  const asked = await attempt(doors, { url, purpose: 'alerts' });
  if (asked.code === 200) return;
  const why = asked.code === null ? asked.message : `it answered ${asked.code}.`;
  throw new AppError(
    'invalid_request',
    `settings.url must answer a GET request with status 200: ${why} The setting was not saved.`,
    { details: { field: 'settings.url' } },
  );
}

async function check(doors: Doors, { event_type, channel, settings: given }: Asked) {
  const eventType = readEvent(event_type);
  const settings = readSettings(doors, channel, given);
  if (channel === 'webhook') await validateUrl(doors, settings.url as string);
  if (settings.channel_ids) {
    const { slackToken } = (await store.findAccountSettings(doors.db, doors.principal.accountId)) ?? {};
    if (!slackToken)
      throw invalid('settings.channel_ids', 'need a Slack token: PUT /v1/alerts/settings/slack saves one.');
  }
  return { eventType, channel, settings };
}

async function getSetting({ db, principal }: Doors, id: string): Promise<AlertSetting> {
  const found = await store.findSetting(db, principal.accountId, id);
  if (!found) throw notFound('alert setting', id);
  return found;
}

/** Throws `invalid_request`; then nothing is saved. */
export async function addSetting(doors: Doors, asked: Asked): Promise<AlertSetting> {
  const { db, clock, principal } = doors;
  await admitStored(doors, principal.accountId, {
    quota: 'alerts',
    count: async () => (await store.listSettings(db, principal.accountId)).length,
  });
  const checked = await check(doors, asked);
  const id = newUuid();
  await store.insertSetting(db, principal.accountId, { id, ...checked, now: clock.now() });
  return getSetting(doors, id);
}

/** What was disabled is enabled. Throws `not_found` and `invalid_request`; then nothing is changed. */
export async function putSetting(doors: Doors, id: string, asked: Asked): Promise<AlertSetting> {
  const { db, clock, principal } = doors;
  const before = await getSetting(doors, id);
  const checked = await check(doors, asked);
  await db.tx(async (tx) => {
    if (!(await store.putSetting(tx, principal.accountId, { id, ...checked, now: clock.now() })))
      throw notFound('alert setting', id);
    // What waits was written for the targets as they were.
    const kept = targetsOf(checked);
    for (const target of targetsOf(before))
      if (before.eventType !== checked.eventType || before.channel !== checked.channel || !kept.includes(target))
        await cancelWaiting(tx, principal.accountId, { settingId: id, target });
  });
  return getSetting(doors, id);
}

/** Throws `not_found`. */
export async function removeSetting({ db, principal }: Doors, id: string): Promise<void> {
  if (!(await store.deleteSetting(db, principal.accountId, id))) throw notFound('alert setting', id);
}
