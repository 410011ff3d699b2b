// Users who sign in with a passkey: the device has asked who they are, so nothing else is asked.
import type { Static } from 'typebox';
import { AppError } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { admitFrom } from '../ip-allowlist/index.ts';
import { letIn, noteFailure, refuseWhereSsoIsAsked, type BegunSession } from '../sessions/index.ts';
import { recallUser, type User } from '../users/index.ts';
import { useChallenge } from './challenges.ts';
import type { SignedPasskey } from './contract.ts';
import { getPlace } from './place.ts';
import * as store from './store.ts';
import type { Passkey } from './store.ts';
import { challengeIn, readSignature } from './webauthn.ts';

type Doors = Pick<Context, 'config' | 'db' | 'clock' | 'facts' | 'log' | 'secrets' | 'address' | 'headers' | 'baseUrl'>;
type Answer = Static<typeof SignedPasskey>['credential'];

const NOT_VALID = 'This passkey is not known here, or its answer is not valid. Try again, or sign in in another way.';
const isRefused = (): AppError => new AppError('unauthorized', NOT_VALID);
const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url');

/** Why the answer of the device is not taken; undefined where it is. Uses up its challenge. */
async function faultOf(ctx: Doors, passkey: Passkey, { response }: Answer): Promise<string | undefined> {
  const clientData = bytesOf(response.clientDataJSON);
  const signed = {
    clientData,
    deviceData: bytesOf(response.authenticatorData),
    signature: bytesOf(response.signature),
  };
  if (response.userHandle && bytesOf(response.userHandle).toString() !== passkey.userId) return 'it is of another user';
  const read = readSignature(signed, passkey, getPlace(ctx));
  if ('fault' in read) return read.fault;
  const at = ctx.clock.now();
  return ctx.db.tx(async (tx) => {
    const challenge = challengeIn(clientData);
    if (!(await useChallenge(ctx, tx, { challenge, purpose: 'sign-in' }))) return 'the challenge is over or was used';
    const isUsed = await store.usePasskey(tx, passkey, { ...read, at });
    return isUsed ? undefined : 'its counter went back: it may be a copy';
  });
}

/** Throws `unauthorized`, or `forbidden` for an address that the account does not let in. */
export async function signInByPasskey(ctx: Doors, answer: Answer, oldToken: string): Promise<BegunSession> {
  const passkey = await store.findPasskey(ctx.db, bytesOf(answer.id));
  const user: User | undefined = passkey && (await recallUser(ctx, passkey.userId));
  if (!passkey || !user) throw isRefused();
  const fault = user.disabledAt ? 'disabled' : await faultOf(ctx, passkey, answer);
  if (fault !== undefined) {
    await noteFailure(ctx, user, { by: 'passkey', reason: fault });
    throw isRefused();
  }
  await refuseWhereSsoIsAsked(ctx, user, 'passkey');
  await admitFrom(ctx, { ownAccountId: user.accountId, address: ctx.address });
  return letIn(ctx, user, { by: 'passkey', oldToken });
}
