// Sends what is due: a signed POST for each alert, one email for all alerts of an address, a message to Slack.
import { createHmac } from 'node:crypto';
import { messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { randomHex } from '../../../platform/ids/index.ts';
import { UnreadableSecret } from '../../../platform/secrets/index.ts';
import { attempt, isSuccess, stateAfter, type Attempt } from '../../../platform/posting/index.ts';
import { unixSeconds } from '../../../platform/times/index.ts';
import { signingKeyOf } from '../../send/signing-keys/index.ts';
import { sendEmail, type MailDoors } from './email.ts';
import {
  cancelWaiting,
  settleDelivery,
  takeDueDeliveries,
  type EventData,
  type TakenDelivery,
} from './outbox-store.ts';
import { targetsOf } from './settings.ts';
import { disableTarget, findSetting } from './settings-store.ts';
import { postToSlack } from './slack.ts';

type DeliverDoors = MailDoors & Pick<Outside, 'db' | 'secrets' | 'fetch' | 'log'>;

const AT_ONCE = 100;
/** Longer than any attempt takes; what a dead process took goes on elsewhere. */
const TAKEN_MS = 600_000;
const TOKEN_BYTES = 25;

/** Posts an alert, signed over its whole body. */
export async function postAlert(
  doors: Pick<Outside, 'db' | 'secrets' | 'clock' | 'fetch'>,
  { accountId, url, data, signal }: { accountId: string; url: string; data: EventData; signal?: AbortSignal },
): Promise<Attempt> {
  const key = await signingKeyOf(doors, accountId, 'alerts');
  const signature = { timestamp: unixSeconds(doors.clock.now()), token: randomHex(TOKEN_BYTES) };
  const json = JSON.stringify({ signature, event_data: data });
  const headers = { 'x-sign': createHmac('sha256', key).update(json).digest('hex') };
  return attempt(doors, { url, json, headers, purpose: 'alerts', ...(signal && { signal }) });
}

/** One message to one target: the alerts of an email are several. */
interface Group {
  accountId: string;
  channel: TakenDelivery['channel'];
  settings: TakenDelivery['settings'];
  target: string;
  deliveries: TakenDelivery[];
}

function groupsOf(accountId: string, taken: readonly TakenDelivery[]): Group[] {
  const keyOf = ({ channel, target, id }: TakenDelivery): string =>
    channel === 'webhook' ? `${channel} ${id}` : `${channel} ${target}`;
  return [...Map.groupBy(taken, keyOf).values()].map((deliveries) => {
    const { channel, settings, target } = deliveries[0] as TakenDelivery;
    return { accountId, channel, settings, target, deliveries };
  });
}

/** Each alert once, though several settings name the target. */
const alertsOf = ({ deliveries }: Group): EventData[] => [
  ...new Map(deliveries.map(({ eventData }) => [`${eventData.id} ${eventData.is_over}`, eventData])).values(),
];

interface Made extends Attempt {
  /** It is not tried again. */
  isFinal?: boolean;
  /** Nothing was sent, for a reason of this service: it says nothing about the target. */
  isOwnFault?: boolean;
}

/** Sends; a secret that cannot be read, such as the signing key, is an attempt that failed. */
export async function tried(clock: Outside['clock'], work: () => Promise<Made>): Promise<Made> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error;
    const message = error.message.slice(0, 500);
    return { at: clock.now().toISOString(), code: null, message, tookMs: 0, answer: '', isOwnFault: true };
  }
}

async function send(doors: DeliverDoors, group: Group, signal: AbortSignal): Promise<Made> {
  const { accountId, channel, settings, target } = group;
  const alerts = alertsOf(group);
  if (channel === 'email') return sendEmail(doors, { to: target, alerts, signal });
  if (channel === 'slack') return postToSlack(doors, { accountId, settings, target, alerts, signal });
  return postAlert(doors, { accountId, url: target, data: alerts[0] as EventData, signal });
}

/** Nothing goes to a target any more that took nothing for all attempts. */
async function disable(
  { db, clock }: DeliverDoors,
  { accountId, target }: Group,
  { settingId, made }: { settingId: string; made: Attempt },
): Promise<void> {
  await db.tx(async (tx) => {
    const setting = await findSetting(tx, accountId, settingId);
    if (!setting) return;
    const others = targetsOf(setting).filter((one) => one !== target);
    const isLast = others.every((one) => Object.hasOwn(setting.disabledTargets, one));
    const reason = made.message.slice(0, 300);
    await disableTarget(tx, accountId, { id: settingId, target, now: clock.now(), reason, isLast });
    await cancelWaiting(tx, accountId, { settingId, target });
  });
}

async function settle(doors: DeliverDoors, group: Group, made: Made): Promise<void> {
  const { isFinal, isOwnFault, ...last } = made;
  const now = doors.clock.now();
  const failed = new Set<string>();
  for (const { id, settingId, attempts: before } of group.deliveries) {
    const attempts = [...before, last];
    const after = isFinal && !isSuccess(last.code) ? ({ state: 'failed' } as const) : stateAfter(attempts, now);
    const state = after.state === 'rejected' ? 'failed' : after.state;
    const dueAt = after.state === 'waiting' ? { dueAt: after.dueAt } : {};
    await settleDelivery(doors.db, group.accountId, { id, state, attempts, ...dueAt });
    if (state === 'failed' && !isOwnFault) failed.add(settingId);
  }
  for (const settingId of failed) await disable(doors, group, { settingId, made: last });
}

/** Sends everything of an account that is due. What was cut off is sent again. */
export async function deliverDue(doors: DeliverDoors, accountId: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const now = doors.clock.now();
    const until = new Date(now.getTime() + TAKEN_MS);
    const taken = await takeDueDeliveries(doors.db, accountId, { now, until, limit: AT_ONCE });
    const ends = await Promise.allSettled(
      groupsOf(accountId, taken).map(async (group) => {
        const made = await tried(doors.clock, () => send(doors, group, signal));
        if (made.code === null && signal.aborted) return;
        await settle(doors, group, made);
      }),
    );
    const fault = ends.find((end) => end.status === 'rejected');
    if (fault) {
      doors.log.warn({ message: messageOf(fault.reason), accountId }, 'alerts could not be sent; they are tried again');
      throw fault.reason;
    }
    if (taken.length < AT_ONCE || signal.aborted) return;
  }
}
