// The sources of a report are named after it is kept: DNS may take long.
import { Type } from 'typebox';
import { nameAddresses, nameHost } from '../../../engines/dmarc-reports/index.ts';
import { defineJob } from '../../../platform/feature/index.ts';
import { listAddresses, nameRows } from './store.ts';

/** Addresses of a report that are looked up: those that sent most. */
const ADDRESSES_MAX = 2000;
const AT_ONCE = 100;

/** Looks the addresses of a report up in DNS, and names its sources by what they are called. Safe to run twice. */
export const nameSources = defineJob({
  name: 'dmarc-reports.name-sources',
  payload: Type.Object({ accountId: Type.String(), reportId: Type.String() }),
  lane: 'quick',
  urgency: 'bulk',
  attempts: 3,
  timeoutMs: 600_000,
  async run({ db, dns }, { accountId, reportId }, { signal }) {
    const addresses = await listAddresses(db, { accountId, reportId, limit: ADDRESSES_MAX });
    for (let from = 0; from < addresses.length; from += AT_ONCE) {
      signal.throwIfAborted();
      const some = addresses.slice(from, from + AT_ONCE);
      const names = await nameAddresses((name, type) => dns.resolve(name, type), some);
      await db.tx(async (tx) => {
        for (const [ip, host] of names)
          if (host !== null) await nameRows(tx, { accountId, reportId }, { ...nameHost(host), ip, host });
      });
    }
  },
});
