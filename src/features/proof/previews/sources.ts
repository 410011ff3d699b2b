// The source of a test: a reference to the message, whose bytes the account has once.
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { keepMessage, readKept } from '../_message/index.ts';
import { sourceKey, sourceReferenceKey, testPrefix } from './objects.ts';

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
