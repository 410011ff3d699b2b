// The source of a test: a reference to the message, whose bytes the account has once.
import { AppError } from '../../../platform/errors/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { digestOf, keepMessage, listHolders, readKept } from '../_message/index.ts';
import { sourceKey, sourceReferenceKey, testIdOf, testPrefix } from './objects.ts';
import { findNewestTest, type PreviewTest } from './store.ts';

interface Owned {
  id: string;
  accountId: string;
}

/** Durable when it resolves; `confirmUses` belongs into the transaction that stores the test. */
export async function keepSource(
  outside: Pick<Outside, 'db' | 'blobs' | 'clock'>,
  { id, accountId }: Owned,
  bytes: Buffer,
): Promise<void> {
  const sha256 = await keepMessage(outside, { accountId, holder: testPrefix(id), bytes });
  await outside.blobs.put(sourceReferenceKey(id), Buffer.from(JSON.stringify({ sha256 })), 'application/json');
}

/** The bytes as they were given. Throws `damaged` when they are gone. */
export async function readSourceOf(outside: Pick<Outside, 'blobs'>, test: Owned & { source: string }): Promise<Buffer> {
  const reference = await outside.blobs.get(sourceReferenceKey(test.id));
  if (reference) {
    const { sha256 } = JSON.parse(reference.toString('utf8')) as { sha256: string };
    return readKept(outside, { accountId: test.accountId, digest: sha256 });
  }
  const body = await outside.blobs.get(sourceKey(test));
  if (!body) throw new AppError('damaged', `The stored source of preview test ${test.id} is missing.`);
  return body;
}

/** SHA-256 of the source of a test, in hex. Throws `damaged` when it is gone. */
export async function sourceDigestOf(
  outside: Pick<Outside, 'blobs'>,
  test: Owned & { source: string },
): Promise<string> {
  return digestOf(await readSourceOf(outside, test));
}

/** The newest test of an account with the source of that digest. */
export async function findTestOfSource(db: Sql, accountId: string, digest: string): Promise<PreviewTest | undefined> {
  const holders = await listHolders(db, { accountId, digest });
  return findNewestTest(
    db,
    accountId,
    holders.flatMap((holder) => testIdOf(holder) ?? []),
  );
}
