import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../platform/errors/index.ts';
import type { Outside } from '../../platform/feature/index.ts';
import type { Principal } from '../../platform/http/index.ts';
import { deploymentSecret } from '../accounts/index.ts';
import { authenticateKeyId } from '../keys/index.ts';

export const SESSION_SECONDS = 12 * 3600;

function sign(secret: Buffer, text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest();
}

/** A token that names a key for twelve hours; the key itself stays out of the browser. */
export async function sessionToken({ db, clock }: Outside, keyId: string): Promise<string> {
  const claim = `${keyId}.${Math.floor(clock.now().getTime() / 1000) + SESSION_SECONDS}`;
  return `${claim}.${sign(await deploymentSecret(db, 'sessions'), claim).toString('base64url')}`;
}

/** Who holds this token. Throws `unauthorized`; a revoked key ends its sessions too. */
export async function authenticateSession(outside: Outside, token: string, accountId?: string): Promise<Principal> {
  const [keyId = '', expires = '', signature = ''] = token.split('.');
  const wanted = sign(await deploymentSecret(outside.db, 'sessions'), `${keyId}.${expires}`);
  const given = Buffer.from(signature, 'base64url');
  const isGenuine = given.length === wanted.length && timingSafeEqual(given, wanted);
  if (!isGenuine || Number(expires) * 1000 < outside.clock.now().getTime()) throw new AppError('unauthorized', 'The session has ended; sign in again.');
  return authenticateKeyId(outside, keyId, accountId);
}
