// Challenges: random, of this service, for one purpose, for five minutes, and good once. One that nobody answers costs
// nothing: it is signed rather than kept, and kept when it is used.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Sql } from '../../../platform/db/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { randomText } from '../../../platform/ids/index.ts';
import { insertUsedChallenge } from './store.ts';

export const CHALLENGE_MS = 300_000;
const NONCE_BYTES = 16;
const HEAD_BYTES = NONCE_BYTES + 8;

type Doors = Pick<Context, 'clock' | 'secrets'>;

/** What a challenge is for: signing in, or a new passkey of a user. */
type Purpose = 'sign-in' | `user:${string}`;

const macOf = ({ secrets }: Doors, head: Buffer, purpose: Purpose): Buffer =>
  secrets.mac(head, `passkey-challenge:${purpose}`);

/** In base64url, as browsers take it. */
export function makeChallenge(doors: Doors, purpose: Purpose): string {
  const head = Buffer.alloc(HEAD_BYTES);
  Buffer.from(randomText(NONCE_BYTES), 'base64url').copy(head);
  head.writeBigUInt64BE(BigInt(doors.clock.now().getTime() + CHALLENGE_MS), NONCE_BYTES);
  return Buffer.concat([head, macOf(doors, head, purpose)]).toString('base64url');
}

/** Uses it up, in the transaction that is given. False where it is not ours, too old, or was used. */
export async function useChallenge(
  doors: Doors,
  tx: Sql,
  { challenge, purpose }: { challenge: string; purpose: Purpose },
): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url');
  const [head, mac] = [bytes.subarray(0, HEAD_BYTES), bytes.subarray(HEAD_BYTES)];
  const right = macOf(doors, head, purpose);
  if (head.length !== HEAD_BYTES || mac.length !== right.length || !timingSafeEqual(mac, right)) return false;
  const endsMs = Number(head.readBigUInt64BE(NONCE_BYTES));
  if (endsMs <= doors.clock.now().getTime()) return false;
  return insertUsedChallenge(tx, { digest: createHash('sha256').update(head).digest(), expiresAt: new Date(endsMs) });
}
