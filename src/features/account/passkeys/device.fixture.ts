// A device with one passkey, as far as a test needs one: keys of Node, the layout of Web Authentication.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

const text = (bytes: Buffer): string => bytes.toString('base64url');
const HAS_CREDENTIAL = 0x40;

interface Says {
  origin?: string;
  domain?: string;
  flags?: number;
  type?: string;
  crossOrigin?: boolean;
}

const KINDS = {
  ES256: { algorithm: -7, make: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }) },
  EdDSA: { algorithm: -8, make: () => generateKeyPairSync('ed25519') },
  RS256: { algorithm: -257, make: () => generateKeyPairSync('rsa', { modulusLength: 2048 }) },
} as const;

export class Device {
  readonly #origin: string;
  readonly #algorithm: number;
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject };
  readonly #id = randomBytes(32);
  /** What it counts to; 0 for one that does not count. */
  counter = 0;
  /** Of the user. */
  #handle = 'AAAA';

  constructor(origin: string, kind: keyof typeof KINDS = 'ES256') {
    this.#origin = origin;
    this.#algorithm = KINDS[kind].algorithm;
    this.#keys = KINDS[kind].make();
  }

  #clientData(challenge: string, type: string, { origin = this.#origin, crossOrigin = false }: Says): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));
  }

  /** Present, and verified, unless it says else. */
  #head({ domain = new URL(this.#origin).hostname, flags = 0x05 }: Says, more = 0): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([createHash('sha256').update(domain).digest(), Buffer.from([flags | more]), counter]);
  }

  /** What `navigator.credentials.create` answers. */
  make(options: { challenge: string; user: { id: string } }, says: Says = {}) {
    this.#handle = options.user.id;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    const deviceData = Buffer.concat([this.#head(says, HAS_CREDENTIAL), Buffer.alloc(16), length, this.#id]);
    return {
      id: text(this.#id),
      rawId: text(this.#id),
      type: 'public-key',
      response: {
        clientDataJSON: text(this.#clientData(options.challenge, says.type ?? 'webauthn.create', says)),
        authenticatorData: text(deviceData),
        publicKey: text(this.#keys.publicKey.export({ type: 'spki', format: 'der' })),
        publicKeyAlgorithm: this.#algorithm,
        transports: ['internal'],
      },
    };
  }

  /** What `navigator.credentials.get` answers. */
  answer({ challenge }: { challenge: string }, says: Says = {}) {
    const clientData = this.#clientData(challenge, says.type ?? 'webauthn.get', says);
    const deviceData = this.#head(says);
    const signed = Buffer.concat([deviceData, createHash('sha256').update(clientData).digest()]);
    const signature = sign(this.#algorithm === -8 ? null : 'sha256', signed, this.#keys.privateKey);
    return {
      id: text(this.#id),
      type: 'public-key',
      response: {
        clientDataJSON: text(clientData),
        authenticatorData: text(deviceData),
        signature: text(signature),
        userHandle: this.#handle,
      },
    };
  }
}
