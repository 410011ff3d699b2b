import { defineJob } from '../../../platform/feature/index.ts';
import { findAccount } from '../../account/accounts/index.ts';
import {
  findLimitById,
  findLimitSettings,
  limitReached,
  messageLimitReached,
  USE_WORDS,
} from '../../account/limits/index.ts';
import { raiseAlert } from '../alerts/index.ts';

/** Tells the owner of a limit that it is used up, or so far that there was to be a warning. */
export const tellLimit = defineJob({
  name: 'thresholds.tell-limit',
  payload: limitReached.payload,
  lane: 'quick',
  attempts: 3,
  timeoutMs: 60_000,
  async run(outside, { limitId, ownerId, accountId, percent, used, resetsAt }) {
    const limit = await findLimitById(outside.db, ownerId, limitId);
    const account = await findAccount(outside.db, accountId);
    if (!limit || !account) return;
    const channels = limit.alertChannels ?? (await findLimitSettings(outside.db, ownerId))?.alertChannels;
    const what = USE_WORDS[limit.metric];
    const whose = accountId === ownerId ? '' : ` of the subaccount "${account.name}"`;
    const isUsedUp = percent >= 100;
    const usedSoFar = `${used} of ${limit.maxUses} ${what}`;
    await raiseAlert(outside, undefined, {
      accountId: ownerId,
      event: 'limit_reached',
      subject: `${limit.name} · ${accountId} · until ${resetsAt} · ${percent} %`,
      data: {
        message: isUsedUp
          ? `The limit "${limit.name}"${whose} is used up: ${usedSoFar}. It resets at ${resetsAt}.`
          : `The limit "${limit.name}"${whose} is used up to ${percent} %: ${usedSoFar}.`,
        ...(isUsedUp && { fix: 'Raise the limit, or wait until it resets.' }),
        page: '/thresholds',
        limit: { name: limit.name, metric: limit.metric, value: limit.maxUses, used, percent, resets_at: resetsAt },
        account_id: accountId,
        ...(channels && { alert_channels: channels }),
      },
    });
  },
});

/** Tells whoever set a monthly limit of messages that it is used up, or half of it, or three quarters. */
export const tellMessageLimit = defineJob({
  name: 'thresholds.tell-message-limit',
  payload: messageLimitReached.payload,
  lane: 'quick',
  attempts: 3,
  timeoutMs: 60_000,
  async run(outside, { ownerId, accountId, percent, used, max, resetsAt }) {
    const account = await findAccount(outside.db, accountId);
    if (account?.status !== 'open') return;
    const whose = accountId === ownerId ? '' : ` of the subaccount "${account.name}"`;
    const isUsedUp = percent >= 100;
    const usedSoFar = `${used} of ${max} messages`;
    await raiseAlert(outside, undefined, {
      accountId: ownerId,
      event: 'limit_reached',
      subject: `messages · ${accountId} · until ${resetsAt} · ${percent} %`,
      data: {
        message: isUsedUp
          ? `The monthly limit of messages${whose} is used up: ${usedSoFar}. Messages are refused until ${resetsAt}.`
          : `The monthly limit of messages${whose} is used up to ${percent} %: ${usedSoFar}.`,
        ...(isUsedUp && { fix: 'Raise the limit, enable the account again, or wait until it resets.' }),
        page: accountId === ownerId ? '/account' : '/subaccounts',
        limit: { name: 'custom/monthly', metric: 'messages', value: max, used, percent, resets_at: resetsAt },
        account_id: accountId,
      },
    });
  },
});
