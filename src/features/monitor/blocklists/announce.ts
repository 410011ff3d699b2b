// Tells the account what came onto a list or off it.
import type { Blocklist } from '../../../engines/blocklists/index.ts';
import type { NewRow, Sql } from '../../../platform/db/index.ts';
import { raiseAlert } from '../alerts/index.ts';
import type { SweepDoors } from './found.ts';

/** Raises an alert for each event, in the transaction that writes the event. Hash lists have no kind of alert. */
export async function announce(
  doors: SweepDoors,
  tx: Sql,
  { events, lists }: { events: readonly NewRow<'blocklistEvents'>[]; lists: ReadonlyMap<string, Blocklist> },
): Promise<void> {
  for (const { accountId, kind, name, zone, listName, event, reason } of events) {
    if (kind === 'email') continue;
    const isIp = kind !== 'domain';
    const thing = isIp ? `IP ${name}` : `Domain ${name}`;
    const fix = lists.get(zone)?.remove;
    await raiseAlert(doors, tx, {
      accountId,
      event: `${isIp ? 'ip' : 'domain'}_${event}`,
      // Of the listing and of its end.
      subject: `${name} ${zone}`,
      data: {
        message: event === 'listed' ? `${thing} was blocklisted by ${listName}` : `${thing} was removed by ${listName}`,
        ...(isIp ? { ip: name } : { domain: name }),
        blocklist: listName,
        list: zone,
        reason: reason ?? null,
        ...(fix !== undefined && event === 'listed' && { fix }),
      },
    });
  }
}
