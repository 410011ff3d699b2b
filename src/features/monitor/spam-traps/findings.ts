// What an account's own sending shows: mail to misspelled names of large providers. No trap is known to be there.
import { TYPO_DOMAINS } from '../../../engines/typo-domains/index.ts';
import type { LoggedEvent } from '../../../platform/event-log/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';

/** Events that are read, the newest first. */
const EVENTS_MAX = 2000;

interface Finding {
  domain: string;
  /** The provider's name. */
  meant: string;
  delivered: number;
  failed: number;
  addresses: number;
  lastAt: Date;
}

function findingOf(domain: string, events: readonly LoggedEvent[]): Finding {
  const delivered = events.filter(({ event }) => event === 'delivered').length;
  return {
    domain,
    meant: TYPO_DOMAINS.get(domain) ?? '',
    delivered,
    failed: events.length - delivered,
    addresses: new Set(events.map(({ recipient }) => recipient)).size,
    lastAt: events[0]?.at as Date,
  };
}

/**
 * Misspelled names that an account wrote to: those that took the most mail first. `isBound`: there is more than was
 * read.
 */
export async function findTypos(
  { events }: Pick<Outside, 'events'>,
  { accountId, from, to }: { accountId: string; from: Date; to: Date },
): Promise<{ findings: Finding[]; isBound: boolean }> {
  const page = await events.page({
    accountIds: [accountId],
    from,
    to,
    where: {
      all: [
        { field: 'recipientDomain', is: 'in', values: [...TYPO_DOMAINS.keys()] },
        {
          any: [
            { field: 'event', is: 'in', values: ['delivered'] },
            {
              all: [
                { field: 'event', is: 'in', values: ['failed'] },
                { field: 'severity', is: 'in', values: ['permanent'] },
              ],
            },
          ],
        },
      ],
    },
    order: 'descending',
    limit: EVENTS_MAX,
  });
  const byDomain = Map.groupBy(page.events, ({ recipientDomain }) => recipientDomain);
  const findings = [...byDomain].map(([domain, found]) => findingOf(domain, found));
  return {
    findings: findings.toSorted(
      (one, other) => other.delivered - one.delivered || (one.domain < other.domain ? -1 : 1),
    ),
    isBound: page.events.length === EVENTS_MAX || page.resume !== undefined,
  };
}
