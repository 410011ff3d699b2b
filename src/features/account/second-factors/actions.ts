import type { Sql } from '../../../platform/db/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { randomText } from '../../../platform/ids/index.ts';
import { changeAccess } from '../accounts/index.ts';
import { beginTry, endSessionsOfUser, getUser, provePassword, saveUser, type User } from '../users/index.ts';
import { makeRecoveryCodes, secretPurpose, useCode } from './codes.ts';
import * as store from './store.ts';
import { keyUrl, stepOfCode, toBase32 } from './totp.ts';

/** As long as the digest of SHA-1 (RFC 4226, section 4). */
const SECRET_BYTES = 20;
/** Within this a first code confirms the secret. */
const PENDING_MS = 3_600_000;

type Person = User & { email: string };
type ChangeDoors = Pick<Context, 'db' | 'clock' | 'secrets' | 'address'>;

const isOn = (): AppError => new AppError('conflict', 'Your second factor is on already. Turn it off first.');
const isOff = (): AppError => new AppError('conflict', 'You have no second factor.');
const isWrongCode = (): AppError =>
  invalid('code', 'is wrong, or was used before. Give the six digits that your app shows now.');

/** A secret for the user's app, which nothing asks for until a code has confirmed it. */
export async function beginFactor(
  ctx: ChangeDoors,
  user: Person,
  currentPassword: string,
): Promise<{ secret: string; url: string }> {
  if (user.tfaCreatedAt) throw isOn();
  if (user.passwordHash === null)
    throw new AppError('conflict', 'A code is asked for after the password, and you have none. Choose one first.');
  await provePassword(ctx, user, currentPassword);
  const bytes = Buffer.from(randomText(SECRET_BYTES), 'base64url');
  const { id: userId, accountId } = user;
  const sealedSecret = ctx.secrets.seal(bytes.toString('base64'), secretPurpose(userId));
  const pending = { userId, accountId, sealedSecret, confirmedAt: null, lastStep: 0, createdAt: ctx.clock.now() };
  if (!(await ctx.db.tx((tx) => store.savePending(tx, pending)))) throw isOn();
  const secret = toBase32(bytes);
  return { secret, url: keyUrl(secret, user.email) };
}

/** The app has the secret: from now on codes are asked for. Ends the other sessions, and answers recovery codes. */
export async function confirmFactor(
  ctx: ChangeDoors & Pick<Context, 'ports' | 'principal'>,
  user: Person,
  code: string,
): Promise<string[]> {
  const factor = await store.findFactor(ctx.db, user);
  if (factor?.confirmedAt) throw isOn();
  const now = ctx.clock.now();
  if (!factor || factor.createdAt.getTime() + PENDING_MS <= now.getTime())
    throw new AppError(
      'conflict',
      'There is no secret that waits for a code, or it is older than an hour. Begin anew.',
    );
  const attempt = beginTry(ctx, user.email, user);
  const secret = Buffer.from(ctx.secrets.open(factor.sealedSecret, secretPurpose(user.id)), 'base64');
  const step = stepOfCode(secret, { code: code.replaceAll(/\s/g, ''), now, lastStep: 0 });
  if (step === undefined) throw isWrongCode();
  attempt.wasRight();
  const { sessionId } = ctx.principal;
  return changeAccess(ctx, async (tx) => {
    if (!(await store.confirmFactor(tx, factor, { step, at: now }))) throw isOn();
    await ctx.ports.get(endSessionsOfUser)(tx, {
      ...user,
      ...(sessionId !== undefined && { exceptSessionId: sessionId }),
    });
    await saveUser(tx, user, { tfaCreatedAt: now, updatedAt: now });
    return makeRecoveryCodes(ctx, tx, user);
  });
}

interface Proofs {
  current_password: string;
  code: string;
}

/** A change of who has the password and a code. Throws `invalid_request` for either, `too_many_requests`. */
async function changeProven<Result>(
  ctx: ChangeDoors,
  user: Person,
  { current_password: password, code, work }: Proofs & { work: (tx: Sql) => Promise<Result> },
): Promise<Result> {
  if (!user.tfaCreatedAt) throw isOff();
  await provePassword(ctx, user, password);
  const attempt = beginTry(ctx, user.email, user);
  const result = await changeAccess(ctx, async (tx) => {
    if (!(await useCode(ctx, tx, { owner: user, given: code }))) throw isWrongCode();
    return work(tx);
  });
  attempt.wasRight();
  return result;
}

/** That it is the user who adds a way to sign in: by the password, if there is one, and a code, where one is asked. */
export async function proveSelf(ctx: ChangeDoors, user: Person, proofs: Proofs): Promise<void> {
  if (user.tfaCreatedAt) await changeProven(ctx, user, { ...proofs, work: async () => undefined });
  else if (user.passwordHash !== null) await provePassword(ctx, user, proofs.current_password);
}

/** New recovery codes; those before are worth nothing from now on. */
export function renewRecoveryCodes(ctx: ChangeDoors, user: Person, proofs: Proofs): Promise<string[]> {
  return changeProven(ctx, user, { ...proofs, work: (tx) => makeRecoveryCodes(ctx, tx, user) });
}

/** With its recovery codes; nothing asks for a code from now on. */
export async function forgetFactor(tx: Sql, user: User, at: Date): Promise<void> {
  await store.deleteFactor(tx, user);
  await saveUser(tx, user, { tfaCreatedAt: null, updatedAt: at });
}

/** The password alone signs in from now on. */
export function turnOff(ctx: ChangeDoors, user: Person, proofs: Proofs): Promise<void> {
  return changeProven(ctx, user, { ...proofs, work: (tx) => forgetFactor(tx, user, ctx.clock.now()) });
}

/** For somebody else, who lost app and recovery codes. Throws `not_found`, and `conflict` where there is nothing. */
export async function resetFactor(ctx: Pick<Context, 'db' | 'clock' | 'principal'>, userId: string): Promise<void> {
  const user = await getUser(ctx, userId);
  if (ctx.principal.userId === userId)
    throw new AppError('conflict', 'Nobody resets their own second factor; turn it off with a code, or ask an admin.');
  if (!user.tfaCreatedAt) throw new AppError('conflict', 'This user has no second factor.');
  await changeAccess(ctx, (tx) => forgetFactor(tx, user, ctx.clock.now()));
}
