// Certificates of tracking hosts that come near their end without a renewal, and those that were renewed since.
import { endsSoonAt } from '../../../platform/certificates/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { findFirstAccount } from '../../account/accounts/index.ts';
import { findDomain, trackingHostOf } from '../sending-domains/index.ts';
import { deleteEnding, listEnding, listEndingOfAuthorities, saveEnding } from './ending-store.ts';
import { trackingCertificateChanged } from './facts.ts';
import { findOwnCertificate, listOwnCertificates } from './own-files.ts';
import { findCertificate } from './store.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'clock' | 'facts' | 'jobs' | 'log'>;
type Ending = Parameters<typeof saveEnding>[1];

const AT_ONCE = 500;
const NAMES_LENGTH_MAX = 300;

async function tell(
  { facts }: Doors,
  tx: Sql,
  { accountId, host, validTo }: Pick<Ending, 'accountId' | 'host'> & { validTo: Date | null },
): Promise<void> {
  const payload = { accountId, host, valid_to: validTo && validTo.toISOString() };
  await facts.tell(tx, trackingCertificateChanged, { account: accountId, payload });
}

async function begin(outside: Doors, ending: Ending): Promise<void> {
  await outside.db.tx(async (tx) => {
    if (await saveEnding(tx, ending)) await tell(outside, tx, ending);
  });
}

/** The certificates of the operator's folder, by their names: of several that have the same ones, the last to end. */
async function ownByNames(outside: Doors): Promise<Map<string, { validFrom: Date; validTo: Date }>> {
  const byNames = new Map<string, { validFrom: Date; validTo: Date }>();
  for (const { certificate } of await listOwnCertificates(outside)) {
    const names = (certificate.subjectAltName ?? certificate.subject).replaceAll('DNS:', '').slice(0, NAMES_LENGTH_MAX);
    const { validFromDate: validFrom, validToDate: validTo } = certificate;
    const known = byNames.get(names);
    if (!known || known.validTo < validTo) byNames.set(names, { validFrom, validTo });
  }
  return byNames;
}

async function beginAll(outside: Doors, own: Awaited<ReturnType<typeof ownByNames>>, now: Date): Promise<void> {
  const operator = await findFirstAccount(outside.db);
  for (const [host, dates] of own)
    if (operator && endsSoonAt(dates) <= now)
      await begin(outside, { accountId: operator.id, host, domain: null, validTo: dates.validTo });
  for (let after: string | undefined = ''; after !== undefined;) {
    const found: Awaited<ReturnType<typeof listEndingOfAuthorities>> = await listEndingOfAuthorities(
      outside.db,
      { at: now, after },
      AT_ONCE,
    );
    for (const { domainId: _, ...ending } of found)
      if (!(await findOwnCertificate(outside, ending.host))) await begin(outside, ending);
    after = found.length < AT_ONCE ? undefined : found.at(-1)?.domainId;
  }
}

/** The dates of the certificate that is used now in the place of one that was to end; undefined: there is none. */
async function datesNow(
  outside: Doors,
  { accountId, host, domain: name }: Ending,
  own: Awaited<ReturnType<typeof ownByNames>>,
): Promise<{ validFrom: Date; validTo: Date } | undefined> {
  if (name === null) return own.get(host);
  const domain = await findDomain(outside.db, accountId, name);
  if (!domain || domain.state !== 'active' || trackingHostOf(domain) !== host) return undefined;
  const given = await findOwnCertificate(outside, host);
  if (given) return { validFrom: given.certificate.validFromDate, validTo: given.certificate.validToDate };
  const row = await findCertificate(outside.db, { accountId, domainId: domain.id, host });
  return row?.validFrom && row.validTo ? { validFrom: row.validFrom, validTo: row.validTo } : undefined;
}

async function endAll(outside: Doors, own: Awaited<ReturnType<typeof ownByNames>>, now: Date): Promise<void> {
  for (let after: Ending | undefined, isDone = false; !isDone;) {
    const open: Ending[] = await listEnding(outside.db, after, AT_ONCE);
    for (const ending of open) {
      const dates = await datesNow(outside, ending, own);
      if (dates && endsSoonAt(dates) <= now) continue;
      await outside.db.tx(async (tx) => {
        if (await deleteEnding(tx, ending)) await tell(outside, tx, { ...ending, validTo: dates?.validTo ?? null });
      });
    }
    after = open.at(-1);
    isDone = open.length < AT_ONCE;
  }
}

/** Tells which certificates come near their end, and which do so no longer. Safe to run twice. */
export async function checkEnding(outside: Doors): Promise<void> {
  const now = outside.clock.now();
  const own = await ownByNames(outside);
  await endAll(outside, own, now);
  await beginAll(outside, own, now);
  outside.jobs.wake();
}
