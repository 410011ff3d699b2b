// The throttle of addresses that are warming up: every message that would leave from one takes its turn here, whichever
// process sends it.
import { giveBack, spanOf, takeFrom, throttleAt, type Throttle } from '../../../engines/ip-warmup/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import type { SendingGate } from '../sending-ips/index.ts';
import { findWarmingIps, lockWarming, saveThrottle, type Warmup } from './store.ts';

type Doors = Pick<Outside, 'db' | 'clock'>;

const HOUR_MS = 3_600_000;

/** When those that this process refused may ask again: one after the other, so that they do not all ask for each turn. */
const promised = new WeakMap<Outside['db'], Map<string, number>>();

function promise({ db }: Doors, { ip, now, nextAt, hourlyLimit }: Turn): Date {
  const all = promised.get(db) ?? new Map<string, number>();
  promised.set(db, all);
  const last = all.get(ip) ?? 0;
  const step = HOUR_MS / Math.max(1, hourlyLimit);
  // Beyond an hour nothing is known: the next limit follows from what will have left by then.
  const at = Math.min(Math.max(nextAt.getTime(), last + step), Math.max(nextAt.getTime(), now.getTime() + HOUR_MS));
  all.set(ip, at);
  return new Date(at);
}

interface Turn {
  ip: string;
  now: Date;
  nextAt: Date;
  hourlyLimit: number;
}

/** Of today without its date. */
function timeOf(date: Date, now: Date): string {
  const [day = '', time = ''] = date.toISOString().split('T');
  return `${now.toISOString().startsWith(day) ? '' : `${day} `}${time.slice(0, 5)} UTC`;
}

type Shown = Pick<Warmup, 'ip' | 'stage' | 'volumes' | 'hourlyLimit' | 'stageStartedAt'>;

function reasonOf(
  { ip, stage, volumes, hourlyLimit, stageStartedAt }: Shown,
  { now, until }: Record<'now' | 'until', Date>,
) {
  if (now < stageStartedAt)
    return (
      `${ip} is warming up and rests until ${timeOf(stageStartedAt, now)}: ` +
      'receivers refused or held back too much of its last stage'
    );
  const messages = hourlyLimit === 1 ? '1 message' : `${hourlyLimit.toLocaleString('en')} messages`;
  return (
    `${ip} is warming up: stage ${stage} of ${volumes.length}, ${messages} in this hour; ` +
    `the next may leave at ${timeOf(until, now)}`
  );
}

/** Changes the throttle of an address that is warming up, alone; undefined when it is not. */
function changing<Result>(
  { db }: Doors,
  ip: string,
  change: (warmup: Warmup) => { throttle: Throttle; result: Result },
): Promise<Result | undefined> {
  return db.tx(async (tx) => {
    const warmup = await lockWarming(tx, ip);
    if (!warmup) return undefined;
    const { throttle, result } = change(warmup);
    await saveThrottle(tx, ip, throttle);
    return result;
  });
}

/** Holds back what leaves from addresses that are warming up. */
export const warmupGate: SendingGate = {
  heldBack: ({ db }, ips) => findWarmingIps(db, ips),
  async takeFrom(doors, ip, { count, now }) {
    const turn = await changing(doors, ip, (warmup) => {
      const { throttle, ...taken } = takeFrom(throttleAt(warmup, { stage: spanOf(warmup), now }), { count, now });
      const { hourlyLimit } = throttle;
      return { throttle: plainThrottle(throttle), result: { ...taken, warmup: { ...warmup, hourlyLimit } } };
    });
    // It was stopped, or is warm.
    if (!turn) return { count };
    const { granted, nextAt, warmup } = turn;
    if (!nextAt) return { count: granted };
    const until = promise(doors, { ip, now, nextAt, hourlyLimit: warmup.hourlyLimit });
    return { count: granted, reason: reasonOf(warmup, { now, until }), until };
  },
  async giveBack(doors, ip, count) {
    await changing(doors, ip, (warmup) => ({ throttle: plainThrottle(giveBack(warmup, count)), result: undefined }));
  },
};

/** Its columns, without the others of a row. */
function plainThrottle(throttle: Throttle): Throttle {
  const { hourStartedAt, hourlyLimit, sentInHour, sentInStage, tokens, filledAt } = throttle;
  return { hourStartedAt, hourlyLimit, sentInHour, sentInStage, tokens, filledAt };
}
