// Secrets that must be read back (mailbox passwords, signing keys) are kept encrypted: a stolen database is not enough.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../errors/index.ts';

export { hashPassword, matchesPassword } from './passwords.ts';
export { hashPersonsPassword, matchesPersonsPassword } from './people.ts';

export interface Secrets {
  /**
   * Encrypts. `purpose` names what the secret belongs to (`dkim:example.com`): sealed text that is moved to another
   * place does not open there.
   */
  seal(secret: string, purpose: string): string;
  /** Throws when the text was not sealed with this key for this purpose. */
  open(sealed: string, purpose: string): string;
  /** `seal` of bytes, such as a message: nonce, tag and what is encrypted. */
  sealBytes(bytes: Uint8Array, purpose: string): Buffer;
  openBytes(sealed: Uint8Array, purpose: string): Buffer;
  /**
   * A code of 32 bytes that only this service can make: what comes back with it was written here, for this purpose.
   */
  mac(said: Buffer, purpose: string): Buffer;
}

/** Sealed text does not open here. */
export class UnreadableSecret extends Error {}

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/** Sealing is AES-256-GCM (NIST SP 800-38D) with a fresh 96-bit nonce and the purpose as associated data. */
export function createSecrets(key: Buffer): Secrets {
  if (key.length !== KEY_BYTES) throw new Error(`The key for secrets has ${key.length} bytes instead of ${KEY_BYTES}.`);
  const macKey = Buffer.from(hkdfSync('sha256', key, '', 'galley codes', KEY_BYTES));

  function sealBytes(bytes: Uint8Array, purpose: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose));
    const body = Buffer.concat([cipher.update(bytes), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]);
  }

  function openBytes(bytes: Uint8Array, purpose: string): Buffer {
    if (bytes.length < IV_BYTES + TAG_BYTES)
      throw new UnreadableSecret(`The secret of ${purpose} is not in a form that is known here.`);
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(purpose))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    } catch (cause) {
      throw new UnreadableSecret(
        `The secret of ${purpose} was sealed with another key; GALLEY_SECRET_KEY or secret.key must be ` +
          'the one it was stored with.',
        { cause },
      );
    }
  }

  return {
    sealBytes,
    openBytes,
    // HMAC-SHA256 (RFC 2104), with a key of its own.
    mac: (said, purpose) =>
      createHmac('sha256', macKey)
        .update(`${Buffer.byteLength(purpose)}:${purpose}`)
        .update(said)
        .digest(),
    seal: (secret, purpose) => `${VERSION}.${sealBytes(Buffer.from(secret), purpose).toString('base64url')}`,
    open(sealed, purpose) {
      const [version, text = ''] = sealed.split('.');
      if (version !== VERSION)
        throw new UnreadableSecret(`The secret of ${purpose} is not in a form that is known here.`);
      return openBytes(Buffer.from(text, 'base64url'), purpose).toString('utf8');
    },
  };
}

/**
 * The key of `GALLEY_SECRET_KEY`, else that of `secret.key` in the data directory, which is made when it is missing.
 */
export async function openSecrets({
  dataDir,
  secretKey,
}: {
  dataDir: string;
  secretKey: string | undefined;
}): Promise<Secrets> {
  if (secretKey !== undefined)
    return createSecrets(Buffer.from(hkdfSync('sha256', secretKey, '', 'galley secrets', KEY_BYTES)));
  const path = join(dataDir, 'secret.key');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const present = await readKey(path);
  if (present) return createSecrets(present);
  try {
    await makeKey(path);
  } catch (error) {
    throw new Error(`The key for secrets cannot be written to ${path}: ${messageOf(error)}`, { cause: error });
  }
  return createSecrets((await readKey(path)) as Buffer);
}

async function readKey(path: string): Promise<Buffer | undefined> {
  let text: string;
  try {
    text = (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${path} does not hold a key: 64 hexadecimal digits are expected.`);
  return Buffer.from(text, 'hex');
}

/** Whole or not at all; of two processes that start at once, the first one's key stands. */
async function makeKey(path: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(KEY_BYTES).toString('hex')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(temporary);
  }
}
