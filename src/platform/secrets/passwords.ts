// Passwords that only have to be recognized: what is kept of one is slow to guess from (RFC 7914).
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { inTurn } from './turns.ts';

/** 32 MiB and some 60 ms for each guess. */
const COST = { log2N: 15, r: 8, p: 1 } as const;
const MEMORY_MAX = 128 * 2 ** 20;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

interface Cost {
  log2N: number;
  r: number;
  p: number;
}

function keyOf(password: string, salt: Buffer, { log2N, r, p }: Cost): Promise<Buffer> {
  const said = Buffer.from(password.normalize('NFC'));
  const options = { N: 2 ** log2N, r, p, maxmem: MEMORY_MAX };
  return inTurn(
    () =>
      new Promise((resolve, reject) => {
        scrypt(said, salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
      }),
  );
}

/** What to keep of a password: `scrypt$15$8$1$<salt>$<key>`, base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await keyOf(password, salt, COST);
  return ['scrypt', COST.log2N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Whether it is the password of which this was kept. Throws for a text that `hashPassword` did not write. */
export async function matchesPassword(password: string, kept: string): Promise<boolean> {
  const [, log2N = '', r = '', p = '', salt = '', key = ''] =
    /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(kept) ?? [];
  const expected = Buffer.from(key, 'base64url');
  if (expected.length !== KEY_BYTES) throw new Error('What is kept of a password is not in a form that is known here.');
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) };
  return timingSafeEqual(await keyOf(password, Buffer.from(salt, 'base64url'), cost), expected);
}
