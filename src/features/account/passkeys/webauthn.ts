// What a device signs when somebody makes a passkey or signs in with one: Web Authentication, Level 3 (W3C), sections
// 7.1 and 7.2. Who made the device is not asked (attestation "none"), so that no CBOR is read: the browser hands out
// the key and the data of the device by themselves. Pure.
import { createHash, createPublicKey, timingSafeEqual, verify, type KeyObject } from 'node:crypto';
import type { Place } from '../sessions/index.ts';

/** Of the algorithms at IANA (COSE): ES256, EdDSA and RS256, which all devices have one of. */
export const ALGORITHMS = [-7, -8, -257] as const;

const RP_ID_BYTES = 32;
const HEAD_BYTES = 37;
const AAGUID_BYTES = 16;
const RSA_BITS = { min: 2048, max: 8192 } as const;
const FLAGS = { present: 0x01, verified: 0x04, backedUp: 0x10, hasCredential: 0x40 } as const;

/** Why an answer is not valid; for the log, not for whoever gave it. */
type Fault = { fault: string };

const digestOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** The challenge that the browser was given. */
export function challengeIn(clientData: Buffer): string {
  const said = read(clientData);
  return typeof said?.['challenge'] === 'string' ? said['challenge'] : '';
}

function read(clientData: Buffer): Record<string, unknown> | undefined {
  try {
    const said: unknown = JSON.parse(clientData.toString('utf8'));
    return typeof said === 'object' && said !== null ? (said as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** What the browser says about where and what for. */
function faultOfClientData(clientData: Buffer, type: string, { origin }: Place): Fault | undefined {
  const said = read(clientData);
  if (said?.['type'] !== type) return { fault: 'it is for something else' };
  if (said['origin'] !== origin) return { fault: 'it was made at another address' };
  if (said['crossOrigin'] === true) return { fault: 'it was made within another page' };
  return undefined;
}

interface DeviceData {
  flags: number;
  counter: number;
}

/** Section 6.1: 32 bytes of whose it is, one of flags, four of the counter. */
function readDeviceData(data: Buffer, { domain }: Place): DeviceData | Fault {
  if (data.length < HEAD_BYTES) return { fault: 'the data of the device is too short' };
  if (!timingSafeEqual(data.subarray(0, RP_ID_BYTES), digestOf(Buffer.from(domain))))
    return { fault: 'it is a passkey of another domain' };
  const flags = data.readUInt8(RP_ID_BYTES);
  if (!(flags & FLAGS.present)) return { fault: 'nobody was there' };
  if (!(flags & FLAGS.verified)) return { fault: 'the device did not ask who it is' };
  return { flags, counter: data.readUInt32BE(RP_ID_BYTES + 1) };
}

/** The key, if it is one of its algorithm. */
function readKey(publicKey: Buffer, algorithm: number): KeyObject | undefined {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (algorithm === -7) return type === 'ec' && details?.namedCurve === 'prime256v1' ? key : undefined;
  if (algorithm === -8) return type === 'ed25519' ? key : undefined;
  const bits = details?.modulusLength ?? 0;
  return algorithm === -257 && type === 'rsa' && bits >= RSA_BITS.min && bits <= RSA_BITS.max ? key : undefined;
}

interface Made {
  clientData: Buffer;
  deviceData: Buffer;
  credentialId: Buffer;
  publicKey: Buffer;
  algorithm: number;
}

/** What is to be kept of a new passkey. */
export function readNewPasskey(
  { clientData, deviceData, credentialId, publicKey, algorithm }: Made,
  place: Place,
): { counter: number; isBackedUp: boolean } | Fault {
  const wrong = faultOfClientData(clientData, 'webauthn.create', place);
  if (wrong) return wrong;
  const device = readDeviceData(deviceData, place);
  if ('fault' in device) return device;
  const at = HEAD_BYTES + AAGUID_BYTES;
  if (!(device.flags & FLAGS.hasCredential) || deviceData.length < at + 2) return { fault: 'it has no passkey' };
  const length = deviceData.readUInt16BE(at);
  if (!deviceData.subarray(at + 2, at + 2 + length).equals(credentialId)) return { fault: 'it is of another passkey' };
  if (!readKey(publicKey, algorithm)) return { fault: 'the key is none of its algorithm' };
  return { counter: device.counter, isBackedUp: (device.flags & FLAGS.backedUp) !== 0 };
}

interface Signed {
  clientData: Buffer;
  deviceData: Buffer;
  signature: Buffer;
}

/** What a signature says, checked with the key that is kept. */
export function readSignature(
  { clientData, deviceData, signature }: Signed,
  { publicKey, algorithm }: { publicKey: Buffer; algorithm: number },
  place: Place,
): { counter: number; isBackedUp: boolean } | Fault {
  const wrong = faultOfClientData(clientData, 'webauthn.get', place);
  if (wrong) return wrong;
  const device = readDeviceData(deviceData, place);
  if ('fault' in device) return device;
  const key = readKey(publicKey, algorithm);
  const signed = Buffer.concat([deviceData, digestOf(clientData)]);
  if (!key || !isSignedBy(key, { signed, signature, algorithm })) return { fault: 'the signature is wrong' };
  return { counter: device.counter, isBackedUp: (device.flags & FLAGS.backedUp) !== 0 };
}

function isSignedBy(
  key: KeyObject,
  { signed, signature, algorithm }: { signed: Buffer; signature: Buffer; algorithm: number },
): boolean {
  try {
    return verify(algorithm === -8 ? null : 'sha256', signed, key, signature);
  } catch {
    return false;
  }
}
