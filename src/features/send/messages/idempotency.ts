// `Idempotency-Key`: a call that is sent again, because its answer got lost, is answered again and does nothing.
import { createHash } from 'node:crypto';
import type { Sql } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { isFile } from '../../../platform/http/index.ts';
import { wrong, type Form } from './fields.ts';
import * as store from './store.ts';
import type { Answer } from './store.ts';

const HOURS_KEPT = 24;
const HEADER = 'idempotency-key';

/** Answers that are older are forgotten. */
export const answersSince = (now: Date): Date => new Date(now.getTime() - HOURS_KEPT * 3_600_000);

/** The key of a call; undefined when it names none. Throws `invalid_request`. */
export function keyOf(headers: Record<string, string | string[] | undefined>): string | undefined {
  const given = headers[HEADER];
  if (given === undefined) return undefined;
  if (typeof given !== 'string' || !/^[\x21-\x7e]{1,256}$/.test(given))
    throw wrong('Idempotency-Key', 'Idempotency-Key must be 1 to 256 printable ASCII characters without spaces.');
  return given;
}

/** Of everything that a call says: the same for the same fields and files, however they are encoded. */
export function hashOf(path: string, form: Form): string {
  const hash = createHash('sha256').update(path);
  for (const field of Object.keys(form).sort()) {
    for (const value of [form[field]].flat()) {
      const head = isFile(value) ? [field, value.fileName, value.mediaType] : [field, value];
      hash.update('\0').update(JSON.stringify(head));
      if (isFile(value)) hash.update('\0').update(value.bytes);
    }
  }
  return hash.digest('hex');
}

/**
 * What the same call was answered before; undefined when it is new, and then nobody else gets past here with its key
 * until the transaction has ended. Throws `conflict` for another call with the key, and for one that is under way.
 */
export async function earlierAnswer(
  tx: Sql,
  accountId: string,
  { key, bodyHash, now }: { key: string; bodyHash: string; now: Date },
): Promise<Answer | undefined> {
  const isMine = await tx.tryLock(`idempotency ${accountId} ${key}`);
  if (!isMine)
    throw new AppError('conflict', 'A call with this Idempotency-Key is under way; try again in a few seconds.', {
      headers: { 'retry-after': '2' },
    });
  const found = await store.findAnswer(tx, accountId, { key, since: answersSince(now) });
  if (found && found.bodyHash !== bodyHash)
    throw new AppError(
      'conflict',
      `This Idempotency-Key was used for another call within ${HOURS_KEPT} hours; give each call a key of its own.`,
    );
  return found?.answer;
}
