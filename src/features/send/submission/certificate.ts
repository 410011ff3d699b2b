// Whether the certificate that the operator gave ends soon. One that was made here is made anew in time.
import { certificateDates, endsSoonAt, openCertificate } from '../../../platform/certificates/index.ts';
import type { Row, Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { findFirstAccount } from '../../account/accounts/index.ts';
import { certificateChanged } from './facts.ts';

type ServedCertificate = Row<'servedCertificates'>;

const PLACE = 'submission';

/** The one that was seen last; undefined when none was given. */
export function findServedCertificate(db: Sql): Promise<ServedCertificate | undefined> {
  return db.ofAnyone.selectFrom('servedCertificates').selectAll().where('place', '=', PLACE).executeTakeFirst();
}

async function saveServedCertificate(tx: Sql, row: Omit<ServedCertificate, 'place'>): Promise<void> {
  await tx.ofAnyone
    .insertInto('servedCertificates')
    .values({ place: PLACE, ...row })
    .onConflict((conflict) => conflict.column('place').doUpdateSet(row))
    .execute();
}

/**
 * Looks at the certificate of the settings, and tells when it comes near its end or was renewed. Where its files cannot
 * be read, the one that was read last is still in use.
 */
export async function checkCertificate(
  outside: Pick<Outside, 'config' | 'db' | 'clock' | 'facts' | 'jobs' | 'log'>,
): Promise<void> {
  const { config, db, clock, log } = outside;
  const { port, tlsPort, certificatePath } = config.submission;
  if (certificatePath === undefined || (port === undefined && tlsPort === undefined)) return;
  const read = await openCertificate(outside).catch((error: unknown) => {
    log.error({ err: error }, 'the certificate of submission cannot be read');
    return undefined;
  });
  await db.tx(async (tx) => {
    await tx.lock(`served certificate ${PLACE}`);
    const before = await findServedCertificate(tx);
    const seen = read ? certificateDates(read.certificate.cert) : before;
    if (!seen) return;
    const { names, validFrom, validTo } = seen;
    const ends = endsSoonAt(seen) < clock.now();
    await saveServedCertificate(tx, { names, validFrom, validTo, isEnding: ends });
    const account = ends === (before?.isEnding ?? false) ? undefined : await findFirstAccount(tx);
    if (account)
      await outside.facts.tell(tx, certificateChanged, { account: account.id, payload: { accountId: account.id } });
  });
  outside.jobs.wake();
}
