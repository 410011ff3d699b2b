// What an account hears of its health: once when it is surely low, once when it is well again.
import { healthOf, NO_COUNTS, type Health } from '../../../engines/sending-health/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { raiseAlert } from '../alerts/index.ts';
import { sendingRates } from '../_rates/index.ts';
import { countHits, isWatched } from '../spam-traps/index.ts';

type Doors = Pick<Outside, 'clock' | 'db' | 'events' | 'jobs'>;

interface Window {
  days: number;
  words: string;
}

/** The second is for those who send more than is counted in a week. */
const WINDOWS: readonly Window[] = [
  { days: 7, words: '7 days' },
  { days: 0.25, words: '6 hours' },
];
/** Below it, even at the better end of the interval, the alert begins. */
const LOW = 80;
/** From it on the alert is over. What lies between changes nothing, so that a score at the limit does not flap. */
const WELL = 85;

/**
 * Of what an account itself sent; undefined when nothing came to an end, and when there is more than can be counted:
 * rates of a part would mislead.
 */
async function recentHealth(
  { clock, db, events }: Doors,
  accountId: string,
): Promise<{ health: Health; words: string } | undefined> {
  const to = clock.now();
  for (const { days, words } of WINDOWS) {
    const window = { accountIds: [accountId], from: daysAfter(to, -days), to };
    const { rows, isBound } = await sendingRates({ events }, { ...window, by: [] });
    if (isBound) continue;
    const isTrapped = await isWatched(db, window.accountIds);
    const { counts } = await countHits(db, window, { by: 'none' });
    const hits = counts.reduce((sum, one) => sum + one.hits, 0);
    const health = healthOf({ counts: rows[0]?.counts ?? NO_COUNTS, trapHits: isTrapped ? hits : null });
    return health.sent === 0 ? undefined : { health, words };
  }
  return undefined;
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
  const found = await recentHealth(doors, accountId);
  if (!found) return;
  const { health, words } = found;
  const { score, interval, components } = health;
  const isLow = interval.high < LOW;
  if (!isLow && score < WELL) return;
  const worst = components.toSorted((one, other) => other.lost - one.lost)[0];
  const said = `The health score of the last ${words} is ${score} of 100`;
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
