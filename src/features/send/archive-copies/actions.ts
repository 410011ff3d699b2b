import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { readTarget } from '../../../platform/posting/index.ts';
import type { MessageFacts } from '../messages/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { findDomain } from '../sending-domains/index.ts';
import { ATTEMPTS_MAX } from './contract.ts';
import { TAKEN_MS } from './deliver.ts';
import { deliverCopy } from './jobs.ts';
import { findCopy, insertCopy, makeCopyDue, type ArchiveCopy } from './store.ts';

interface Offered extends Pick<MessageFacts, 'accountId' | 'domain' | 'options' | 'mode'> {
  now: Date;
  isCopies: boolean;
}

const readArchive = (allowHosts: readonly string[], text: string, field: string): string =>
  readTarget(text, { allowHosts, field, prefix: `${field}: ` }).url;

/**
 * A message that is accepted brings its copy along, in its own transaction. Tests bring none, and neither do copies for
 * members of a list: the message to the list did. Throws `invalid_request` where nothing can be posted to the URL.
 */
export async function archiveMessage(
  { config, db, jobs }: Pick<Outside, 'config' | 'db' | 'jobs'>,
  { accountId, domain, options, mode, now, isCopies }: Offered,
) {
  if (isCopies || options.isTest) return undefined;
  const given = options.archiveTo;
  const checked = given === undefined ? undefined : readArchive(config.fetch.allowHosts, given, 'o:archive-to');
  const url = checked ?? (await findDomain(db, accountId, domain))?.settings.archiveTo;
  if (!url) return undefined;
  const state = mode === 'live' ? 'waiting' : 'captured';
  return async (tx: Sql, { id: messageId }: { id: string }) => {
    const id = await insertCopy(tx, accountId, {
      messageId,
      domain,
      url,
      state,
      attempts: [],
      dueAt: now,
      createdAt: now,
    });
    if (state === 'waiting') await jobs.enqueue(tx, deliverCopy, { payloads: [{ id }], account: accountId });
    return {};
  };
}

/** Of a bigint. */
const ID = /^\d{1,18}$/;

const conflict = (message: string): AppError => new AppError('conflict', message);

/** Tries at once what waits, failed or was rejected. Throws `not_found`, `conflict`. */
export async function retryCopy(
  { db, clock, jobs }: Pick<Outside, 'db' | 'clock' | 'jobs'>,
  accountId: string,
  id: string,
): Promise<ArchiveCopy> {
  const copy = ID.test(id) ? await findCopy(db, accountId, id) : undefined;
  if (!copy) throw new AppError('not_found', 'Archive copy not found');
  if (copy.state === 'delivered') throw conflict('The archive has the copy: it is not posted again.');
  if (copy.state === 'captured') throw conflict('The message was captured: no copy of it leaves this installation.');
  if (copy.attempts.length >= ATTEMPTS_MAX)
    throw conflict(`The copy was tried ${copy.attempts.length} times: it has no more.`);
  const now = clock.now();
  const begun = await db.tx(async (tx) => {
    const due = await makeCopyDue(tx, copy, { now, after: new Date(now.getTime() + TAKEN_MS) });
    if (due) await jobs.enqueue(tx, deliverCopy, { payloads: [{ id }], account: accountId });
    return due;
  });
  if (!begun) throw conflict('The copy is being posted, or will be within five minutes.');
  jobs.wake();
  return begun;
}
