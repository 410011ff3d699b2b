// Whether a domain's TXT record shows that it is the account's own.
import { DnsError } from '../../../platform/dns/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { watch } from '../blocklists/index.ts';
import * as store from './store.ts';

const SHOWN_MAX = 3;

/** What the TXT record says. */
export const recordOf = ({ token }: Pick<store.MonitoredDomain, 'token'>): string => `galley-verification=${token}`;

/** Why DNS does not show the record; undefined when it does. */
async function problemOf({ dns }: Pick<Outside, 'dns'>, domain: store.MonitoredDomain): Promise<string | undefined> {
  try {
    const records = (await dns.resolve(domain.name, 'TXT')).map((pieces) => pieces.join('').trim());
    if (records.includes(recordOf(domain))) return undefined;
    const others = records.filter((record) => record.startsWith('galley-verification='));
    return others.length
      ? `The TXT record is another one: ${others.slice(0, SHOWN_MAX).join(', ').slice(0, 300)}.`
      : `${domain.name} has ${records.length} TXT records; none of them is this one.`;
  } catch (error) {
    if (!(error instanceof DnsError)) throw error;
    if (error.code === 'ENOTFOUND') return `DNS knows no ${domain.name}.`;
    if (error.code === 'ENODATA') return `${domain.name} has no TXT record.`;
    return `The name servers did not answer (${error.code}); try again.`;
  }
}

/** Looks the record up. A domain that was verified stays so: owners may take the record away again. */
export async function verify(
  doors: Pick<Outside, 'db' | 'dns' | 'config' | 'clock' | 'jobs'>,
  id: string,
): Promise<void> {
  const domain = await store.findById(doors.db, id);
  if (!domain || domain.status === 'inbox_ready') return;
  const problem = await problemOf(doors, domain);
  if (problem !== undefined) {
    await store.saveStatus(doors.db, domain, { status: 'unverified', problem });
    return;
  }
  const { accountId, name } = domain;
  const verified = { status: 'inbox_ready', problem: '', verifiedAt: doors.clock.now() } as const;
  await doors.db.tx(async (tx) => {
    if (await store.saveStatus(tx, domain, verified)) await watch(doors, tx, { accountId, kind: 'domain', name });
  });
  doors.jobs.wake();
}
