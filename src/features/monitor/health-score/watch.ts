// What an account hears of its health: once when it is surely low, once when it is well again.
import { healthOf, NO_COUNTS, type Health } from '../../../engines/sending-health/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { raiseAlert } from '../alerts/index.ts';
import { sendingRates } from '../_rates/index.ts';
import { countHits, isWatched } from '../spam-traps/index.ts';

type Doors = Pick<Outside, 'clock' | 'db' | 'events' | 'jobs'>;

const DAYS = 7;
/** Below it, even at the better end of the interval, the alert begins. */
const LOW = 80;
/** From it on the alert is over. What lies between changes nothing, so that a score at the limit does not flap. */
const WELL = 85;

/** Of what an account itself sent in the last week; undefined when nothing came to an end. */
async function healthOfWeek({ clock, db, events }: Doors, accountId: string): Promise<Health | undefined> {
  const to = clock.now();
  const window = { accountIds: [accountId], from: daysAfter(to, -DAYS), to };
  const { rows } = await sendingRates({ events }, { ...window, by: [] });
  const isTrapped = await isWatched(db, window.accountIds);
  const { counts } = await countHits(db, window, { by: 'none' });
  const hits = counts.reduce((sum, one) => sum + one.hits, 0);
  const health = healthOf({ counts: rows[0]?.counts ?? NO_COUNTS, trapHits: isTrapped ? hits : null });
  return health.sent === 0 ? undefined : health;
}

const FIXES = {
  complaint: 'Write only to people who asked for it, and make it easy to unsubscribe.',
  bounce: 'Take addresses that bounce off your list, and let new readers confirm theirs.',
  trap: 'Find out where the addresses of your list come from, and buy none.',
  bad_failure: 'Read the replies of the receivers at Messages: they name what they refuse.',
  full_mailbox: 'Take off the list who has not opened or clicked for a year.',
} as const;

/** Raises or ends the alert of one account. */
export async function tellHealth(doors: Doors, accountId: string): Promise<void> {
  const health = await healthOfWeek(doors, accountId);
  if (!health) return;
  const { score, interval, components } = health;
  const isLow = interval.high < LOW;
  if (!isLow && score < WELL) return;
  const worst = components.toSorted((one, other) => other.lost - one.lost)[0];
  const said = `The health score of the last ${DAYS} days is ${score} of 100`;
  await raiseAlert(doors, undefined, {
    accountId,
    event: 'health_fell',
    subject: 'health score',
    data: {
      message: isLow ? `${said}, below ${LOW}. What costs the most: ${worst?.words ?? ''}` : `${said}: well again.`,
      ...(isLow && worst && { fix: FIXES[worst.name] }),
      page: '/reputation',
      score,
      interval,
    },
    ...(!isLow && { isOver: true }),
  });
}
