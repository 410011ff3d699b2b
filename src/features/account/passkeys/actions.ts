import type { Static } from 'typebox';
import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { proveSelf } from '../second-factors/index.ts';
import { refusalOfProvider } from '../sessions/index.ts';
import type { User } from '../users/index.ts';
import { CHALLENGE_MS, makeChallenge, useChallenge } from './challenges.ts';
import { PASSKEYS_MAX, type beginPasskey as beginning, type NewPasskey } from './contract.ts';
import { getPlace } from './place.ts';
import * as store from './store.ts';
import type { Passkey } from './store.ts';
import { ALGORITHMS, challengeIn, readNewPasskey } from './webauthn.ts';

type Person = User & { email: string };
type Doors = Pick<Context, 'config' | 'db' | 'clock' | 'secrets' | 'address' | 'baseUrl'>;

const tooMany = (): AppError =>
  new AppError('conflict', `You have ${PASSKEYS_MAX} passkeys, which is as many as a user may have. Delete one first.`);

/** Nobody keeps a passkey that would be refused. Throws `forbidden`. */
async function refuseWhereNoneSignIn(ctx: Doors, user: Person): Promise<void> {
  const refusal = await refusalOfProvider(ctx, user);
  if (refusal !== undefined) throw new AppError('forbidden', refusal);
}

/** What the browser asks the device for. */
export async function beginPasskey(
  ctx: Doors,
  user: Person,
  proofs: { current_password: string; code: string },
): Promise<Static<typeof beginning.reply>['options']> {
  const { domain } = getPlace(ctx);
  await refuseWhereNoneSignIn(ctx, user);
  const known = await store.listPasskeys(ctx.db, user);
  if (known.length >= PASSKEYS_MAX) throw tooMany();
  await proveSelf(ctx, user, proofs);
  return {
    challenge: makeChallenge(ctx, `user:${user.id}`),
    rp: { id: domain, name: 'Galley' },
    user: {
      id: Buffer.from(user.id).toString('base64url'),
      name: user.email,
      displayName: user.name || user.email,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_MS,
    attestation: 'none',
    excludeCredentials: known.map(({ credentialId }) => ({
      type: 'public-key',
      id: credentialId.toString('base64url'),
    })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  };
}

type Given = Static<typeof NewPasskey>;
const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url');

/** Keeps what the device made. Throws `invalid_request` for what it did not make for this. */
export async function addPasskey(
  ctx: Doors,
  user: Person,
  { name, credential: { id, response } }: Given,
): Promise<Passkey> {
  const place = getPlace(ctx);
  await refuseWhereNoneSignIn(ctx, user);
  const [clientData, credentialId, publicKey] = [response.clientDataJSON, id, response.publicKey].map(bytesOf) as [
    Buffer,
    Buffer,
    Buffer,
  ];
  const algorithm = response.publicKeyAlgorithm;
  const deviceData = bytesOf(response.authenticatorData);
  const made = readNewPasskey({ clientData, deviceData, credentialId, publicKey, algorithm }, place);
  if ('fault' in made) throw invalid('credential', `is not what was asked for: ${made.fault}.`);
  const passkey: Passkey = {
    id: newId(),
    userId: user.id,
    accountId: user.accountId,
    credentialId,
    publicKey,
    algorithm,
    counter: String(made.counter),
    name: name.trim() || 'Passkey',
    domain: place.domain,
    isBackedUp: made.isBackedUp,
    createdAt: ctx.clock.now(),
    lastUsedAt: null,
  };
  await ctx.db.tx(async (tx) => {
    await tx.lock(`passkeys ${user.id}`);
    const challenge = challengeIn(clientData);
    if (!(await useChallenge(ctx, tx, { challenge, purpose: `user:${user.id}` })))
      throw invalid('credential', 'is for a challenge that is over or was used. Begin anew.');
    if ((await store.countPasskeys(tx, user)) >= PASSKEYS_MAX) throw tooMany();
    if (!(await store.insertPasskey(tx, passkey)))
      throw new AppError('conflict', 'This passkey is known here already.');
  });
  return passkey;
}

/** Throws `not_found`, and `invalid_request` for a name without letters. */
export async function renamePasskey(
  { db }: Pick<Context, 'db'>,
  user: Person,
  { id, name }: { id: string; name: string },
): Promise<Passkey> {
  const plain = name.trim();
  if (plain === '') throw invalid('name', 'must not be blank.');
  const renamed = await db.tx((tx) => store.savePasskeyName(tx, user, { passkeyId: id, name: plain }));
  if (!renamed) throw notFound('passkey', id);
  return renamed;
}

/** Throws `not_found`. */
export async function removePasskey({ db }: Pick<Context, 'db'>, user: Person, id: string): Promise<void> {
  if (!(await db.tx((tx) => store.deletePasskey(tx, user, id)))) throw notFound('passkey', id);
}
