// An authenticator app, as far as a test needs one.
import assert from 'node:assert/strict';
import type { Answer } from './start-app.ts';
import { PASSWORD, type People } from './people.ts';
import { codeOf, stepAt } from '../../src/features/account/second-factors/totp.ts';

function fromBase32(text: string): Buffer {
  const bits = [...text].map((sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'));
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** What an app with this secret shows at a time. */
export const shownAt = (secret: string, time: Date): string => codeOf(fromBase32(secret), stepAt(time));

/** Somebody with a second factor that is on. */
interface Guarded {
  id: string;
  email: string;
  cookie: string;
  recoveryCodes: string[];
  /** A code that was not used: a minute later than the one before. */
  nextCode(): string;
  /** The answer to the password. */
  begin(password?: string): Promise<Answer>;
  /** The answer to a code after the password. */
  finish(code: string): Promise<Answer>;
}

/** Invites somebody, who turns a second factor on. */
export async function joinGuarded({ app, ...people }: People, email: string, role?: string): Promise<Guarded> {
  const id = await people.join(email, role);
  const cookie = await people.signIn(email);
  const path = '/v5/users/me/second-factor';
  const { body } = await people.as(cookie, `POST ${path}`, { body: { current_password: PASSWORD } });
  const nextCode = (): string => {
    app.clock.advance(60_000);
    return shownAt(body.secret, app.clock.now());
  };
  const confirmed = await people.as(cookie, `POST ${path}/confirmation`, { body: { code: nextCode() } });
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
  const open = (operation: string, given: object) => app.call(operation, { key: null, body: given });
  const begin = (password = PASSWORD) => open('POST /v1/session/password', { email, password });
  return {
    id,
    email,
    cookie,
    recoveryCodes: confirmed.body.recovery_codes,
    nextCode,
    begin,
    finish: async (code) => open('POST /v1/session/code', { challenge: (await begin()).body.challenge, code }),
  };
}
