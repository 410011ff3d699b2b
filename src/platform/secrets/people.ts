// Passwords of people: Argon2id (RFC 9106), with what OWASP's Password Storage Cheat Sheet (read in November 2026) asks
// for at least: 19 MiB, two passes, one lane. Computed on a thread of its own, some 60 ms for each guess.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { inTurn } from './turns.ts';

const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

interface Cost {
  /** KiB. */
  memory: number;
  passes: number;
  parallelism: number;
}

function keyOf(password: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFC'));
  return inTurn(
    () =>
      new Promise((resolve, reject) => {
        argon2('argon2id', { message, nonce, tagLength: KEY_BYTES, ...cost }, (error, key) =>
          error ? reject(error) : resolve(key),
        );
      }),
  );
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

/** What to keep of a person's password: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<key>`, as other programs write it. */
export async function hashPersonsPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await keyOf(password, salt, COST);
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(key)}`;
}

const KEPT = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/;
/** Nobody's: whoever is not there takes as long as who is. */
const NOBODYS = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Whether it is the password of which this was kept; of null, it is not, and that takes as long. */
export async function matchesPersonsPassword(password: string, kept: string | null): Promise<boolean> {
  const [, memory = '', passes = '', parallelism = '', salt = '', key = ''] = KEPT.exec(kept ?? NOBODYS) ?? [];
  const expected = Buffer.from(key, 'base64');
  if (expected.length !== KEY_BYTES) throw new Error('What is kept of a password is not in a form that is known here.');
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const isEqual = timingSafeEqual(await keyOf(password, Buffer.from(salt, 'base64'), cost), expected);
  return isEqual && kept !== null;
}
