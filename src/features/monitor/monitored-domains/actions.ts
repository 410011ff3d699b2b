import { readDomain } from '../../../engines/blocklists/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { newId, randomHex } from '../../../platform/ids/index.ts';
import { admitWatched, unwatch } from '../blocklists/index.ts';
import { verifyRecord } from './jobs.ts';
import * as store from './store.ts';

const TOKEN_BYTES = 16;

/** Throws `invalid_request`. */
function readName(given: unknown): string {
  if (given === undefined || given === '') throw invalid('domain', 'is required, such as example.com.');
  const name = typeof given === 'string' ? readDomain(given) : undefined;
  if (name === undefined)
    throw invalid(
      'domain',
      `"${String(given).slice(0, 100)}" is not a domain name; give one such as mail.example.com.`,
    );
  return name;
}

/** Throws `invalid_request`, `too_many_requests`. */
export async function addDomain(
  doors: Pick<Outside, 'db' | 'config' | 'clock'>,
  accountId: string,
  given: unknown,
): Promise<store.MonitoredDomain> {
  const name = readName(given);
  await admitWatched(doors, accountId, () => store.countUnverified(doors.db, accountId));
  const domain: store.MonitoredDomain = {
    id: newId(),
    accountId,
    name,
    token: randomHex(TOKEN_BYTES),
    status: 'unverified',
    problem: '',
    createdAt: doors.clock.now(),
    verifiedAt: null,
  };
  if (!(await store.insertDomain(doors.db, domain))) throw invalid('domain', `${name} has been added already.`);
  return domain;
}

async function getDomain(db: Outside['db'], accountId: string, given: unknown): Promise<store.MonitoredDomain> {
  const name =
    typeof given === 'string' && given !== '' ? given.trim().toLowerCase().replace(/\.$/, '') : readName(given);
  const domain = await store.findDomain(db, accountId, name);
  if (!domain) throw new AppError('not_found', `The domain ${name} has not been added.`);
  return domain;
}

/** Throws `not_found`. */
export async function removeDomain(doors: Pick<Outside, 'db'>, accountId: string, given: string): Promise<string> {
  const { name } = await getDomain(doors.db, accountId, given);
  await doors.db.tx(async (tx) => {
    await store.deleteDomain(tx, accountId, name);
    await unwatch({ db: tx }, accountId, { kind: 'domain', name });
  });
  return name;
}

/** Queues the look-up of the record. Throws `not_found`. */
export async function queueVerification(
  { db, jobs }: Pick<Outside, 'db' | 'jobs'>,
  accountId: string,
  given: unknown,
): Promise<string> {
  const domain = await getDomain(db, accountId, given);
  await db.tx(async (tx) => {
    if (domain.status !== 'inbox_ready') await store.saveStatus(tx, domain, { status: 'pending' });
    await jobs.enqueue(tx, verifyRecord, { payloads: [{ id: domain.id }], account: accountId });
  });
  jobs.wake();
  return domain.name;
}
