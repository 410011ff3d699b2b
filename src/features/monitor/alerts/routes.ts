import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import { endpoint } from '../../../platform/feature/index.ts';
import { skipOf } from '../../../platform/paging/index.ts';
import { isTimeZone } from '../../../platform/times/index.ts';
import { getSigningKey, rotateSigningKey } from '../../send/signing-keys/index.ts';
import * as contracts from './contract.ts';
import { ALERT_EVENT_NAMES } from './contract.ts';
import { listDeliveriesOf } from './outbox-store.ts';
import * as ofSettings from './settings-contract.ts';
import { addSetting, putSetting, readEvent, removeSetting, type Doors } from './settings.ts';
import {
  findAccountSettings,
  listSettings,
  saveAccountSettings,
  type AlertSetting,
  type QuietHours,
} from './settings-store.ts';
import { disconnect } from './slack-app.ts';
import { slackEndpoints } from './slack-routes.ts';
import { listSlackChannels, saveSlackToken } from './slack.ts';
import { resolve, listAlerts, type Alert } from './store.ts';
import { testEmail, testSlack, testWebhook } from './try-channels.ts';

function settingView({ id, eventType, channel, settings, disabledAt, disabledTargets }: AlertSetting) {
  const disabled = Object.fromEntries(
    Object.entries(disabledTargets).map(([target, { disabledAt: at, reason }]) => [
      target,
      { disabled_at: at, reason },
    ]),
  );
  return {
    id,
    event_type: eventType,
    channel,
    settings,
    disabled_at: disabledAt?.toISOString() ?? null,
    ...(settings.channel_ids && Object.keys(disabled).length > 0 && { disabled_channel_ids: disabled }),
    ...(settings.emails && Object.keys(disabled).length > 0 && { disabled_emails: disabled }),
  };
}

function alertView(alert: Alert, deliveries: Awaited<ReturnType<typeof listDeliveriesOf>>) {
  const { message, fix, page } = alert.data;
  return {
    id: alert.id,
    event: alert.event,
    subject: alert.subject,
    message,
    ...(fix !== undefined && { fix }),
    ...(page !== undefined && { page }),
    count: alert.count,
    created_at: alert.createdAt.toISOString(),
    updated_at: alert.updatedAt.toISOString(),
    over_at: alert.overAt?.toISOString() ?? null,
    deliveries: deliveries
      .filter(({ alertId }) => alertId === alert.id)
      .map(({ channel, target, state, dueAt, last }) => ({
        channel,
        target,
        state,
        ...(state === 'waiting' && { next_attempt_at: dueAt.toISOString() }),
        ...(last && { message: last.message }),
      })),
  };
}

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Throws `invalid_request`. */
function readQuietHours(given: { from: string; until: string; time_zone?: string } | null): QuietHours | null {
  if (given === null) return null;
  const { from, until, time_zone: timeZone = 'UTC' } = given;
  for (const [field, text] of Object.entries({ from, until }))
    if (!CLOCK.test(text)) throw invalid(`quiet_hours.${field}`, 'must be a time of day such as 22:00.');
  if (from === until) throw invalid('quiet_hours.until', 'must differ from quiet_hours.from.');
  if (!isTimeZone(timeZone)) throw invalid('quiet_hours.time_zone', 'must be a time zone such as Europe/Berlin.');
  return { from, until, timeZone };
}

const quietView = (quiet: QuietHours | null | undefined) => ({
  quiet_hours: quiet ? { from: quiet.from, until: quiet.until, time_zone: quiet.timeZone } : null,
});

const events = async () => ({ events: [...ALERT_EVENT_NAMES] });
type Body = Parameters<typeof addSetting>[1];
const add = async (ctx: Doors, { body }: { body: Body }) => settingView(await addSetting(ctx, body));
const remove = async (ctx: Doors, { params }: { params: { id: string } }) => {
  await removeSetting(ctx, params.id);
  return { message: 'Alert setting has been deleted' };
};

const ofAlerts = [
  endpoint(contracts.listAlertEvents, events),
  endpoint(contracts.listAlertEventsBare, events),
  endpoint(contracts.listAlerts, async ({ db, principal }, { query: { event_type: name, ...query } }) => {
    const event = name === undefined ? undefined : readEvent(name);
    const { items, total } = await listAlerts(db, principal.accountId, { ...query, event });
    const ids = items.map(({ id }) => id);
    const deliveries = await listDeliveriesOf(db, principal.accountId, ids);
    return { items: items.map((alert) => alertView(alert, deliveries)), total };
  }),
  endpoint(contracts.resolveAlert, async ({ db, clock, principal }, { params }) => {
    const resolved = await resolve(db, principal.accountId, { id: params.alert_id, now: clock.now() });
    if (!resolved) throw notFound('open alert', params.alert_id);
    return { message: 'Alert has been resolved' };
  }),
  endpoint(contracts.getQuietHours, async ({ db, principal }) =>
    quietView((await findAccountSettings(db, principal.accountId))?.quietHours),
  ),
  endpoint(contracts.putQuietHours, async ({ db, principal }, { body }) => {
    const quietHours = readQuietHours(body.quiet_hours);
    await saveAccountSettings(db, principal.accountId, { quietHours });
    return quietView(quietHours);
  }),
];

/** A key that cannot be read hides no settings: its place says why. */
async function signingKeyView(ctx: Doors): Promise<{ signing_key: string | null; signing_key_fault?: string }> {
  try {
    return { signing_key: await getSigningKey(ctx, ctx.principal.accountId, 'alerts') };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { signing_key: null, signing_key_fault: error.message };
  }
}

const ofChannels = [
  endpoint(ofSettings.getAlertSettings, async (ctx) => {
    const { accountId, role } = ctx.principal;
    const settings = await listSettings(ctx.db, accountId);
    const account = await findAccountSettings(ctx.db, accountId);
    const mayWrite = role === 'admin' || role === 'developer';
    return {
      events: settings.map(settingView),
      slack: {
        // Only that there is one: whoever may read it could post as it.
        token: account?.slackToken ? 'xoxb-…' : null,
        team_id: account?.slackTeam?.id ?? null,
        team_name: account?.slackTeam?.name ?? null,
        scope: account?.slackTeam?.scope ?? null,
      },
      webhooks: mayWrite ? await signingKeyView(ctx) : { signing_key: null },
    };
  }),
  endpoint(ofSettings.createAlertSetting, add),
  endpoint(ofSettings.createAlertSettingBare, add),
  endpoint(ofSettings.updateAlertSetting, async (ctx, { params, body }) =>
    settingView(await putSetting(ctx, params.id, body)),
  ),
  endpoint(ofSettings.deleteAlertSetting, remove),
  endpoint(ofSettings.deleteAlertSettingBare, remove),
  endpoint(ofSettings.rotateAlertSigningKey, async (ctx) => ({
    signing_key: await rotateSigningKey(ctx, ctx.principal.accountId, 'alerts'),
  })),
  endpoint(ofSettings.saveSlackToken, async (ctx, { body }) => {
    const team = await saveSlackToken(ctx, ctx.principal.accountId, body.token);
    return { message: 'Slack token has been saved', team_id: team.id, team_name: team.name };
  }),
  endpoint(ofSettings.deleteSlackToken, async (ctx) => ({ message: await disconnect(ctx) })),
  endpoint(ofSettings.listSlackChannels, async (ctx, { query: { limit, page } }) => {
    const { skip } = skipOf({ limit, page });
    const { channels, hasMore } = await listSlackChannels(ctx, ctx.principal.accountId, { skip, limit });
    const at = (number: number): string => `${ctx.baseUrl}/v1/alerts/slack/channels?limit=${limit}&page=${number}`;
    return {
      items: channels,
      paging: { ...(page > 1 && { previous: at(page - 1) }), ...(hasMore && { next: at(page + 1) }) },
    };
  }),
  endpoint(ofSettings.testAlertEmail, async (ctx, { body }) => {
    await testEmail(ctx, body);
    return { message: 'Test alert has been sent' };
  }),
  endpoint(ofSettings.testAlertWebhook, async (ctx, { body }) => {
    await testWebhook(ctx, body);
    return { message: 'Test alert has been sent' };
  }),
  endpoint(ofSettings.testAlertSlack, async (ctx, { body }) => {
    await testSlack(ctx, body);
    return { message: 'Test alert has been sent' };
  }),
];

export const endpoints = [...ofAlerts, ...ofChannels, ...slackEndpoints];
