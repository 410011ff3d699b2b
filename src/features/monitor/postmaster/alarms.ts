// What the account is told of: access that somebody must renew, and spam reports above what providers bear.
import type { Outside } from '../../../platform/feature/index.ts';
import { raiseAlert } from '../alerts/index.ts';
import type { Connection } from './connection-store.ts';
import { dayAfter, dayOf } from './days.ts';
import { SPAM_LIMIT } from './figures.ts';
import { listLatestSpam } from './records-store.ts';

type Doors = Pick<Outside, 'db' | 'jobs' | 'clock'>;
/** An older figure says nothing of today. */
const FRESH_DAYS = 7;

/** Tells that access has ended, or that it works again. */
export async function tellAccess(
  doors: Doors,
  { connection, state, problem }: { connection: Connection; state: Connection['state']; problem: string | null },
): Promise<void> {
  if (state !== 'expired' && state !== 'connected') return;
  const { accountId, id, provider } = connection;
  const { name } = connection.settings;
  const isOver = state === 'connected';
  await raiseAlert(doors, undefined, {
    accountId,
    event: 'postmaster_access_expired',
    subject: id,
    data: {
      message: isOver ? `${name} can be read again.` : `${name} can no longer be read. ${problem ?? ''}`.trim(),
      provider,
      connection: id,
      fix: 'Connect it again with a new key, token or link.',
      page: '/postmaster',
    },
    ...(isOver && { isOver }),
  });
}

/** Ends what was told of a connection that there is no more. */
export async function tellGone(doors: Doors, { accountId, id, provider, settings }: Connection): Promise<void> {
  await raiseAlert(doors, undefined, {
    accountId,
    event: 'postmaster_access_expired',
    subject: id,
    data: { message: `${settings.name} is disconnected.`, provider, connection: id },
    isOver: true,
  });
}

const TITLES = { google: 'Google', yahoo: 'Yahoo' } as const;
const percent = (share: number): string => `${Number((share * 100).toPrecision(3))} %`;

/** Tells of domains whose newest figure is at the limit, and of those where it is below it again. */
export async function tellSpam(doors: Doors, accountId: string): Promise<void> {
  const since = dayAfter(dayOf(doors.clock.now()), -FRESH_DAYS);
  for (const { provider, domain, day, spamRatio } of await listLatestSpam(doors.db, accountId, since)) {
    if (spamRatio === null) continue;
    const isOver = spamRatio < SPAM_LIMIT;
    const said = `${TITLES[provider]} counted ${percent(spamRatio)} spam reports of ${domain} on ${day}`;
    await raiseAlert(doors, undefined, {
      accountId,
      event: 'postmaster_rate_high',
      subject: `${provider} ${domain}`,
      data: {
        message: isOver
          ? `${said}: below the limit of ${percent(SPAM_LIMIT)} again.`
          : `${said}; the limit is ${percent(SPAM_LIMIT)}.`,
        provider,
        domain,
        date: day,
        spam_ratio: spamRatio,
        limit: SPAM_LIMIT,
        fix: 'Write only to people who asked for it, and make it easy to unsubscribe.',
        page: '/postmaster',
      },
      ...(isOver && { isOver }),
    });
  }
}
