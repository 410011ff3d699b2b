// Whether what somebody typed is a code of the user's app, or one of the recovery codes.
import type { Sql } from '../../../platform/db/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { randomText } from '../../../platform/ids/index.ts';
import * as store from './store.ts';
import type { Owner } from './store.ts';
import { stepOfCode, toBase32 } from './totp.ts';

const RECOVERY_CODES = 10;
/** 60 bits, in three groups of four characters. */
const RECOVERY_BYTES = 8;
const RECOVERY_LENGTH = 12;

export const secretPurpose = (userId: string): string => `second-factor:${userId}`;

/** The digest needs the service's key: a stolen database says nothing about the codes. */
const digestOf = ({ secrets }: Pick<Context, 'secrets'>, userId: string, code: string): Buffer =>
  secrets.mac(Buffer.from(code), `recovery-code:${userId}`);

/** New recovery codes in place of the old ones. Told here and never again. */
export async function makeRecoveryCodes(ctx: Pick<Context, 'secrets'>, tx: Sql, owner: Owner): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    toBase32(Buffer.from(randomText(RECOVERY_BYTES), 'base64url'))
      .slice(0, RECOVERY_LENGTH)
      .toLowerCase(),
  );
  const digests = codes.map((code) => digestOf(ctx, owner.id, code));
  await store.replaceRecoveryCodes(tx, owner, digests);
  return codes.map((code) => code.replace(/(....)(....)(....)/, '$1-$2-$3'));
}

/** What somebody proved with. */
type Proof = 'code' | 'recovery code';

/**
 * Uses a code up, in the transaction that is given; spaces, dashes and case do not matter. Undefined where it is wrong
 * or was used, and where the user has no second factor.
 */
export async function useCode(
  ctx: Pick<Context, 'clock' | 'secrets'>,
  tx: Sql,
  { owner, given }: { owner: Owner; given: string },
): Promise<Proof | undefined> {
  const factor = await store.findFactor(tx, owner);
  if (!factor?.confirmedAt) return undefined;
  const code = given.replaceAll(/[\s-]/g, '').toLowerCase();
  if (code.length === RECOVERY_LENGTH)
    return (await store.useRecoveryCode(tx, owner, digestOf(ctx, owner.id, code))) ? 'recovery code' : undefined;
  const secret = Buffer.from(ctx.secrets.open(factor.sealedSecret, secretPurpose(owner.id)), 'base64');
  const step = stepOfCode(secret, { code, now: ctx.clock.now(), lastStep: factor.lastStep });
  return step !== undefined && (await store.useStep(tx, owner, step)) ? 'code' : undefined;
}
