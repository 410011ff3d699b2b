// A test's message on the wire, signed: what takes long is computed apart, the keys stay in this process.
import { signHashed, type DkimKey } from '../../../engines/mail-authentication/index.ts';
import type { Compute } from '../../../platform/compute/index.ts';
import { composeCopy, type GivenMessage, type Recipient } from './computations.ts';

interface ToSign {
  keys: readonly DkimKey[];
  /** The time of the signatures. */
  at: Date;
  /** Whose variables are filled in; null: none are. */
  recipient: Recipient | null;
}

/** Composes the message and signs it with each key. */
export async function composeSigned(
  compute: Compute,
  message: GivenMessage,
  { keys, at, recipient }: ToSign,
): Promise<Buffer> {
  const { raw, bodyHash } = await compute.run(composeCopy, { message, recipient });
  return signHashed(raw, keys, { now: at, bodyHash });
}
