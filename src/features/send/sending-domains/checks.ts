// What DNS says of the records of a domain, and what is told of it.
import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { domainRecordsChanged } from './facts.ts';
import { checkRecord, policyAfter, recordsToPublish, standingAfter, type Publisher } from './records.ts';
import { linkHostOf, trackingHostOf } from './tracking-hosts.ts';
import { findDomain, listKeys, saveVerification, type RecordToPublish, type SendingDomain } from './store.ts';

/** The hosts that records name. */
export function publisherOf({ config }: Pick<Outside, 'config'>): Publisher {
  return { sendingHost: config.mail.helo, receivingHost: config.smtp.domain, linkHost: linkHostOf({ config }) };
}

/** The domain's records, with those active keys that sign. */
export async function listRecords(
  outside: Pick<Outside, 'config' | 'db'>,
  domain: SendingDomain,
): Promise<RecordToPublish[]> {
  return recordsToPublish(domain, {
    keys: await listKeys(outside.db, domain),
    publisher: publisherOf(outside),
  });
}

type Checks = SendingDomain['checks'];

/** What looking takes. */
export type CheckDoors = Pick<Outside, 'config' | 'db' | 'clock' | 'jobs' | 'dns' | 'facts'>;

const AUTHENTICATION = ['spf', 'dkim', 'dmarc'] as const;

/**
 * What DNS says now, and the state that follows from it; null when nothing does. `isMeant`: who asks says that the
 * records are as they should be.
 */
export async function lookUp(
  outside: Pick<CheckDoors, 'config' | 'db' | 'dns'>,
  domain: SendingDomain,
  { isMeant }: { isMeant: boolean },
) {
  const records = await listRecords(outside, domain);
  const answers = await Promise.all(
    records.map(async (record) => ({ record, check: await checkRecord(record, outside.dns) })),
  );
  const needed = answers.filter(({ record }) => record.isNeeded).map(({ check }) => check.valid);
  const isUnknown = needed.includes('unknown');
  const isVerified = needed.length > 0 && needed.every((valid) => valid === 'valid');
  const checks: Checks = Object.fromEntries(
    answers.map(({ record: { purpose }, check }) => {
      const before = domain.checks[purpose];
      const isAnother = purpose === 'tracking' && before?.name !== trackingHostOf(domain);
      const named = purpose === 'tracking' && { name: trackingHostOf(domain) };
      const now = { ...check, ...named, standing: standingAfter(isAnother ? undefined : before, check) };
      return [purpose, purpose === 'dmarc' ? policyAfter(before, now, isMeant) : now];
    }),
  );
  return { checks, state: isVerified ? ('active' as const) : isUnknown ? null : ('unverified' as const) };
}

/** Tells which records were lost, or came back. */
export async function tellChanges(
  { facts }: Pick<Outside, 'facts'>,
  tx: Sql,
  { accountId, name, before, after }: Pick<SendingDomain, 'accountId' | 'name'> & Record<'before' | 'after', Checks>,
): Promise<void> {
  const isLost = (checks: Checks, purpose: (typeof AUTHENTICATION)[number]) => checks[purpose]?.standing === 'lost';
  const records = AUTHENTICATION.filter((purpose) => isLost(before, purpose) !== isLost(after, purpose));
  if (records.length > 0)
    await facts.tell(tx, domainRecordsChanged, {
      account: accountId,
      payload: { accountId, domain: name, records },
    });
}

/**
 * Looks whether the records of a domain are still there. What was verified stays so: a slip in the DNS stops no mail
 * before somebody has heard of it.
 */
export async function lookAgain(outside: CheckDoors, accountId: string, name: string): Promise<void> {
  const domain = await findDomain(outside.db, accountId, name);
  if (!domain || domain.state === 'disabled') return;
  const { checks } = await lookUp(outside, domain, { isMeant: false });
  await outside.db.tx(async (tx) => {
    if (await saveVerification(tx, domain, { state: null, checks, at: outside.clock.now() }))
      await tellChanges(outside, tx, { accountId, name, before: domain.checks, after: checks });
  });
  outside.jobs.wake();
}
