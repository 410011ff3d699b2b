// The end of a batch: rows go or wait again, and the events are written, in one transaction.
import type { Sql } from '../../../platform/db/index.ts';
import type { NewEvent } from '../../../platform/event-log/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import {
  deferDeliveries,
  extendContents,
  holdDeliveries,
  releaseClaims,
  settleDeliveries,
  type LastAttempt,
} from '../messages/index.ts';
import { insertAttempts } from './attempts-store.ts';
import { deliveryHolds, type Attempt, type Hold, type Outcome } from './outcomes.ts';
import { tellEvents } from './reactions.ts';

export interface Ended extends Attempt {
  outcome: Outcome;
}

/** What was taken and not tried. */
export interface Untried extends Attempt {
  hold?: Hold | undefined;
}

/** Waits between tries, in seconds; the last one goes on. */
const WAITS = [300, 900, 1800, 3600, 7200, 14_400];

/** When one that was deferred is tried again. */
function retryOf({ delivery, outcome }: Ended, now: Date): Date {
  if (outcome.end === 'deferred' && outcome.retryAt) return outcome.retryAt;
  const seconds = WAITS[Math.min(delivery.attempts, WAITS.length) - 1] as number;
  return new Date(now.getTime() + seconds * 1000);
}

/** Its time is over before the next try. */
const isOver = (ended: Ended, now: Date): boolean => retryOf(ended, now) >= ended.delivery.giveUpAt;

/** What a receiver said, or that none was reached: replies of SMTP are 4xx (RFC 5321, 4.2.1); others are made here. */
function reasonOf(where: string, { code, message }: Outcome['status']): string {
  const words = message.replaceAll(/\s+/g, ' ').trim();
  // Replies begin with their code, as a rule.
  const said = words.startsWith(String(code)) ? words : `${code} ${words}`.trim();
  if (code >= 400 && code < 498) return `${where} answered “${said}”. It is tried again.`;
  return `The last attempt did not succeed: ${words === '' ? `${where} gave no reason` : words}. It is tried again.`;
}

/** Why it waits, in plain words, and until when. */
function lastOf(ended: Ended, now: Date): LastAttempt {
  const { delivery, outcome } = ended;
  const { code, message } = outcome.status;
  return {
    at: now.toISOString(),
    code,
    message,
    reason: reasonOf(delivery.destination, outcome.status),
    until: retryOf(ended, now).toISOString(),
  };
}

function eventsOf(ended: Ended, now: Date): NewEvent[] {
  const { delivery, message, outcome } = ended;
  const { firstAt, attempts } = delivery;
  const isTooOld = outcome.end === 'deferred' && isOver(ended, now);
  const shared = {
    at: now,
    accountId: delivery.accountId,
    domain: message.domain,
    recipient: delivery.recipient.toLowerCase(),
    ...(outcome.provider !== undefined && { provider: outcome.provider }),
    messageId: message.id,
    position: delivery.position,
  };
  const status = {
    ...outcome.status,
    'attempt-no': attempts,
    'first-delivery-attempt-seconds': firstAt === null ? 0 : (now.getTime() - firstAt.getTime()) / 1000,
    ...(outcome.end === 'deferred' &&
      !isTooOld && { 'retry-seconds': Math.round((retryOf(ended, now).getTime() - now.getTime()) / 1000) }),
    ...(isTooOld && {
      code: 602,
      description: 'It was tried for as long as it may be.',
      'last-code': outcome.status.code,
      'last-message': outcome.status.message,
    }),
  };
  const about = { 'delivery-status': status, ...(outcome.envelope && { envelope: outcome.envelope }) };
  const tried = { ...shared, attempt: attempts, code: status.code, about };
  if (outcome.end === 'delivered')
    return [
      { ...tried, event: 'delivered' },
      ...(outcome.followUps ?? []).map(({ event, about }) => ({ ...shared, event, about })),
    ];
  const isPermanent = outcome.end === 'failed' || isTooOld;
  const reason = outcome.end === 'failed' ? outcome.reason : isTooOld ? 'old' : 'generic';
  return [{ ...tried, event: 'failed', severity: isPermanent ? 'permanent' : 'temporary', reason }];
}

/** The attempt as it is kept. */
function keptOf(ended: Ended, now: Date): Parameters<typeof insertAttempts>[1] {
  const { delivery, message, outcome } = ended;
  const { conversation } = outcome;
  if (!conversation) return [];
  const isEnd = outcome.end === 'deferred' && isOver(ended, now);
  return [
    {
      messageId: message.id,
      position: delivery.position,
      attempt: delivery.attempts,
      accountId: delivery.accountId,
      at: now,
      outcome: isEnd ? 'failed' : outcome.end,
      conversation,
    },
  ];
}

/** What was held back: when it is looked at again, and what is known of it then. */
function waitOf({ delivery, hold }: Untried & { hold: Hold }, now: Date) {
  const { reason, until, by, isExtended } = hold;
  const last = delivery.last ?? { at: now.toISOString(), code: 0, message: '' };
  return {
    id: delivery.id,
    dueAt: until,
    giveUpAt: isExtended ? new Date(delivery.giveUpAt.getTime() + until.getTime() - now.getTime()) : delivery.giveUpAt,
    last: {
      ...last,
      reason: `${reason}.`,
      until: until.toISOString(),
      heldAt: now.toISOString(),
      ...(by !== undefined && { heldBy: by }),
    },
  };
}

/** One that is held back until its time is over has ended. */
function overOf({ hold, ...attempt }: Untried): Ended[] {
  if (!hold || hold.isExtended || hold.until < attempt.delivery.giveUpAt) return [];
  const status = { code: 498, message: `${hold.reason}.`, description: '' };
  return [{ ...attempt, outcome: { end: 'deferred', retryAt: hold.until, status } }];
}

/** What waits is kept for as long as it may be tried. */
async function keepContents(tx: Sql, waits: readonly { attempt: Untried; giveUpAt: Date }[]): Promise<void> {
  const extended = waits.filter(({ attempt: { hold } }) => hold?.isExtended);
  const byAccount = [...Map.groupBy(extended, ({ attempt }) => attempt.delivery.accountId)];
  for (const [accountId, some] of byAccount.sort(([one], [other]) => (one < other ? -1 : 1))) {
    const messageIds = [...new Set(some.map(({ attempt }) => attempt.delivery.messageId))];
    const until = new Date(Math.max(...some.map(({ giveUpAt }) => giveUpAt.getTime())));
    await extendContents(tx, accountId, { messageIds, until });
  }
}

/**
 * Writes how attempts ended, and gives back what was not tried. What this process no longer holds is left to who does.
 */
export async function settle(
  outside: Pick<Outside, 'db' | 'events' | 'lists' | 'clock' | 'facts' | 'jobs'>,
  worker: string,
  { ended, untried }: { ended: readonly Ended[]; untried: readonly Untried[] },
): Promise<void> {
  const { db, clock } = outside;
  const now = clock.now();
  const all = [...ended, ...untried.flatMap(overOf)];
  const over = new Set(all.map(({ delivery }) => delivery.id));
  const left = untried.filter(({ delivery }) => !over.has(delivery.id));
  const isAgain = (one: Ended): boolean => one.outcome.end === 'deferred' && !isOver(one, now);
  const ends = all.filter((one) => !isAgain(one)).map(({ delivery }) => delivery.id);
  const agains = all.filter(isAgain).map((one) => ({
    id: one.delivery.id,
    dueAt: retryOf(one, now),
    last: lastOf(one, now),
  }));
  const waits = left.flatMap((attempt) => {
    const { hold } = attempt;
    return hold ? [{ attempt, ...waitOf({ ...attempt, hold }, now) }] : [];
  });
  const free = left.flatMap(({ hold, delivery }) => (hold ? [] : [delivery.id]));
  await db.tx(async (tx) => {
    const settled = await settleDeliveries(tx, worker, ends);
    const held = new Set([...settled, ...(await deferDeliveries(tx, worker, agains))]);
    const told = all.filter(({ delivery }) => held.has(delivery.id));
    await tellEvents(
      outside,
      tx,
      told.flatMap((one) => eventsOf(one, now)),
    );
    await insertAttempts(
      tx,
      told.flatMap((one) => keptOf(one, now)),
    );
    await holdDeliveries(tx, worker, waits);
    await keepContents(tx, waits);
    await releaseClaims(tx, worker, free);
  });
  const untriedOnes = left.map(({ delivery }) => delivery);
  if (untriedOnes.length > 0)
    for (const { giveBack } of outside.lists.of(deliveryHolds)) await giveBack?.(outside, untriedOnes);
}
