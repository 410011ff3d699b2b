// What DNS says of the records of a domain, and what is told of it.
import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { domainRecordsChanged } from './facts.ts';
import { findAuthority, listKeys, saveKey, type StoredKey } from './key-store.ts';
import { checkRecord, keyRecord, policyAfter, recordsToPublish, standingAfter, type Publisher } from './records.ts';
import { linkHostOf } from './tracking-hosts.ts';
import { findDomain, saveVerification, type RecordCheck, type RecordToPublish, type SendingDomain } from './store.ts';

/** The hosts that records name. */
export function publisherOf({ config }: Pick<Outside, 'config'>): Publisher {
  return {
    sendingHost: config.mail.helo,
    receivingHost: config.smtp.domain,
    linkHost: linkHostOf({ config }),
    keysZone: config.dns.keysZone || undefined,
  };
}

/** The domain's records, with those of the active keys that sign for it. */
export async function listRecords(
  outside: Pick<Outside, 'config' | 'db'>,
  domain: SendingDomain,
  publisher = publisherOf(outside),
): Promise<RecordToPublish[]> {
  const authority = await findAuthority(outside.db, domain);
  return recordsToPublish(domain, {
    authority,
    keys: await listKeys(outside.db, authority),
    publisher,
  });
}

/** Whether DNS leads from the domain's tracking host to this service now. */
export async function isTrackingHostLeadingHere(
  outside: Pick<Outside, 'config' | 'db' | 'dns'>,
  domain: SendingDomain,
): Promise<boolean> {
  const record = (await listRecords(outside, domain)).find(({ purpose }) => purpose === 'tracking');
  return record !== undefined && (await checkRecord(record, outside.dns)).valid === 'valid';
}

type Checks = SendingDomain['checks'];

/** What looking takes. */
export type CheckDoors = Pick<Outside, 'config' | 'db' | 'clock' | 'jobs' | 'dns' | 'facts'>;

const AUTHENTICATION = ['spf', 'dkim', 'dmarc'] as const;

/** What DNS says now of the keys that sign for a domain. */
export async function lookUpKeys({ db, dns }: Pick<CheckDoors, 'db' | 'dns'>, domain: SendingDomain) {
  const authority = await findAuthority(db, domain);
  const signing = (await listKeys(db, authority)).filter(({ isActive }) => isActive);
  return Promise.all(
    signing.map(async (key) => {
      const record = keyRecord(authority.name, key);
      return { record, check: await checkRecord(record, dns) };
    }),
  );
}

/**
 * What DNS says now, and the state that follows from it; null when nothing does. `isMeant`: who asks says that the
 * records are as they should be.
 */
export async function lookUp(
  outside: Pick<CheckDoors, 'config' | 'db' | 'dns'>,
  domain: SendingDomain,
  { isMeant }: { isMeant: boolean },
) {
  const authority = await findAuthority(outside.db, domain);
  const keys = await listKeys(outside.db, authority);
  const records = recordsToPublish(domain, { authority, keys, publisher: publisherOf(outside) });
  const asked = records.filter(({ purpose }) => purpose !== 'dkim');
  const keyChecks = await Promise.all(
    keys.map(async (key) => ({ key, check: await checkRecord(keyRecord(authority.name, key), outside.dns) })),
  );
  const answers = await Promise.all(
    asked.map(async (record) => ({ record, check: await checkRecord(record, outside.dns) })),
  );
  const signing = keyChecks.filter(({ key }) => key.isActive);
  if (signing[0])
    answers.push({
      record: keyRecord(authority.name, signing[0].key),
      check: allOf(signing.map(({ check }) => check)),
    });
  const needed = answers.filter(({ record }) => record.isNeeded).map(({ check }) => check.valid);
  const isUnknown = needed.includes('unknown');
  const isVerified = needed.length > 0 && needed.every((valid) => valid === 'valid');
  const checks: Checks = Object.fromEntries(
    answers.map(({ record: { purpose, name }, check }) => {
      const before = domain.checks[purpose];
      const isNamed = purpose === 'tracking' || purpose === 'return_path';
      const isAnother = isNamed && before?.name !== name;
      const named = isNamed && { name };
      const now = { ...check, ...named, standing: standingAfter(isAnother ? undefined : before, check) };
      return [purpose, purpose === 'dmarc' ? policyAfter(before, now, isMeant) : now];
    }),
  );
  return { checks, keyChecks, state: isVerified ? ('active' as const) : isUnknown ? null : ('unverified' as const) };
}

const RANKS = ['valid', 'unknown', 'invalid'] as const;

/** What is said of several keys as of one: the worst. */
function allOf(all: readonly RecordCheck[]): RecordCheck {
  const valid = RANKS.findLast((rank) => all.some((check) => check.valid === rank)) ?? 'unknown';
  return { valid, found: all.flatMap(({ found }) => found) };
}

interface KeyCheck {
  key: StoredKey;
  check: RecordCheck;
}

/** Keeps what DNS said of each key. */
export async function saveKeyChecks(db: Sql, accountId: string, checks: readonly KeyCheck[]): Promise<void> {
  for (const { key, check } of checks) await saveKey(db, accountId, { id: key.id, change: { checked: check } });
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
  const { checks, keyChecks } = await lookUp(outside, domain, { isMeant: false });
  await outside.db.tx(async (tx) => {
    await saveKeyChecks(tx, accountId, keyChecks);
    if (await saveVerification(tx, domain, { state: null, checks, at: outside.clock.now() }))
      await tellChanges(outside, tx, { accountId, name, before: domain.checks, after: checks });
  });
  outside.jobs.wake();
}
