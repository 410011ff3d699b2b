// DKIM signing with a domain's own key (RFC 6376, RFC 8463).
import { createHash, createPrivateKey, createPublicKey, generateKeyPair, sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

export type DkimKeyType = 'rsa-1024' | 'rsa-2048' | 'ed25519';

export interface DkimKey {
  domain: string;
  selector: string;
  /** PKCS #8, PEM. */
  privateKey: string;
}

/**
 * Fields that are signed whether they are there or not, and once more than they are there, so that none can be added
 * (RFC 6376 §8.15).
 */
const OVERSIGNED = ['From', 'To', 'Cc', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'MIME-Version', 'Content-Type'];
/** The same where they are; RFC 8058 §4 asks that both be signed. A mailing list may add them to mail without. */
const OVERSIGNED_IF_PRESENT = ['List-Unsubscribe', 'List-Unsubscribe-Post'];
/** Signed as often as they are there. */
const SIGNED = [
  'Sender',
  'Content-Transfer-Encoding',
  'In-Reply-To',
  'References',
  'List-Id',
  'List-Help',
  'List-Owner',
  'List-Archive',
  'Feedback-ID',
  'BIMI-Selector',
];

/** A fresh key pair; resolves to the private key, from which the record follows. */
export async function generateDkimKey(type: DkimKeyType): Promise<string> {
  const make = promisify(generateKeyPair);
  const { privateKey } =
    type === 'ed25519'
      ? await make('ed25519', {})
      : await make('rsa', { modulusLength: type === 'rsa-1024' ? 1024 : 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The TXT record for `<selector>._domainkey.<domain>` (RFC 6376 §3.6.1; Ed25519 by its bare 32 bytes, RFC 8463 §4). */
export function dkimRecord(privateKey: string): string {
  const key = createPublicKey(createPrivateKey(privateKey));
  const der = key.export({ type: 'spki', format: 'der' });
  return key.asymmetricKeyType === 'ed25519'
    ? `v=DKIM1; k=ed25519; p=${der.subarray(-32).toString('base64')}`
    : `v=DKIM1; k=rsa; p=${der.toString('base64')}`;
}

/**
 * The message with a DKIM-Signature for each key on top: relaxed/relaxed, SHA-256, the whole body. `now` is the time in
 * `t=`. Lines end with CRLF. Throws when a key cannot sign; a message that should be signed never leaves unsigned.
 */
export function signDkim(raw: Buffer, keys: readonly DkimKey[], now: Date): Buffer {
  return keys.length === 0 ? raw : signHashed(raw, keys, { now, bodyHash: dkimBodyHash(raw) });
}

/** Where header and body part: the end of the header with its last line break, and the beginning of the body. */
function partsOf(raw: Buffer): { headerEnd: number; bodyStart: number } {
  const end = raw.indexOf('\r\n\r\n');
  return end < 0 ? { headerEnd: raw.length, bodyStart: raw.length } : { headerEnd: end + 2, bodyStart: end + 4 };
}

/**
 * The hash of a message's body (`bh=`, relaxed): all of signing that takes long for a long message, and needs no key.
 */
export function dkimBodyHash(raw: Buffer): string {
  return relaxedBodyHash(raw.subarray(partsOf(raw).bodyStart));
}

/** The same, of the body alone. */
export function relaxedBodyHash(body: Buffer): string {
  return createHash('sha256')
    .update(relaxBody(body.toString('latin1')), 'latin1')
    .digest('base64');
}

/** {@link signDkim} with the body's hash from elsewhere: {@link dkimBodyHash} of the same message. */
export function signHashed(
  raw: Buffer,
  keys: readonly DkimKey[],
  { now, bodyHash }: { now: Date; bodyHash: string },
): Buffer {
  const signed = signedHeader(raw.toString('latin1', 0, partsOf(raw).headerEnd));
  const signatures = keys.map((key) => signatureOf(key, { signed, bodyHash, now }));
  return Buffer.concat([Buffer.from(signatures.join(''), 'latin1'), raw]);
}

/** §3.4.4; in an order that takes linear time for every input. */
function relaxBody(body: string): string {
  const lines = (body === '' || body.endsWith('\r\n') ? body : `${body}\r\n`)
    .replace(/[ \t]+/g, ' ')
    .replaceAll(' \r\n', '\r\n');
  let end = lines.length;
  while (end >= 2 && lines[end - 1] === '\n' && lines[end - 2] === '\r') end -= 2;
  return end === 0 ? '' : `${lines.slice(0, end)}\r\n`;
}

/** §3.4.2, without the line break at the end. */
function relaxField(name: string, value: string): string {
  return `${name.toLowerCase()}:${value
    .replaceAll('\r\n', '')
    .replace(/[ \t]+/g, ' ')
    .trim()}`;
}

/** Values of each field, lower-case names, top to bottom. */
function readFields(header: string): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const line of header.split(/\r\n(?![ \t])/)) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const values = fields.get(name) ?? [];
    values.push(line.slice(colon + 1));
    fields.set(name, values);
  }
  return fields;
}

/** In the order in which they are signed, each so often beyond its values; `absent` where it has none. */
const TO_SIGN = [
  ...OVERSIGNED.map((name) => ({ name, more: 1, absent: 1 })),
  ...OVERSIGNED_IF_PRESENT.map((name) => ({ name, more: 1, absent: 0 })),
  ...SIGNED.map((name) => ({ name, more: 0, absent: 0 })),
].map((one) => ({ ...one, key: one.name.toLowerCase() }));

/** What all signatures of a header have in common. */
interface SignedHeader {
  /** `h=`, folded. */
  names: string;
  /** The fields that are signed, as they are (§3.4.2). */
  text: string;
}

function signedHeader(header: string): SignedHeader {
  const fields = readFields(header);
  const names: string[] = [];
  let text = '';
  for (const { name, key, more, absent } of TO_SIGN) {
    const values = fields.get(key) ?? [];
    const times = values.length === 0 ? absent : values.length + more;
    for (let time = 0; time < times; time += 1) names.push(name);
    // Of several fields with one name, the lowest is signed first (§5.4.2); a name without a field signs its absence.
    for (const value of values.toReversed()) text += `${relaxField(key, value)}\r\n`;
  }
  return { names: foldNames(names), text };
}

interface ToSign {
  signed: SignedHeader;
  bodyHash: string;
  now: Date;
  body?: 'simple' | 'relaxed';
}

interface Unsigned {
  key: KeyObject;
  isRsa: boolean;
  /** The field's value up to `b=`. */
  value: string;
  /** What is signed. */
  data: Buffer;
}

function signatureOf(dkimKey: DkimKey, toSign: ToSign): string {
  const unsigned = unsignedOf(dkimKey, toSign);
  const { key, isRsa, data } = unsigned;
  // Ed25519 signs the hash, not the text (RFC 8463 §3).
  return fieldWith(unsigned, isRsa ? sign('sha256', data, key) : sign(null, sha256(data), key));
}

const sha256 = (data: Buffer): Buffer => createHash('sha256').update(data).digest();

function fieldWith({ value }: Unsigned, signature: Buffer): string {
  const text = signature.toString('base64');
  const lines = [text.slice(0, SIGNATURE_LINE)];
  for (let at = SIGNATURE_LINE; at < text.length; at += SIGNATURE_LINE) lines.push(text.slice(at, at + SIGNATURE_LINE));
  return `DKIM-Signature:${value}${lines.join('\r\n ')}\r\n`;
}

const SIGNATURE_LINE = 72;

/**
 * The DKIM-Signature fields for a header (fields ended by CRLF) over a body whose hash is known. RSA is computed on
 * another thread. `body` says how the hash was made (RFC 6376 §3.4.3): `simple` for bytes that no relay writes anew.
 */
export async function dkimFields(
  header: string,
  keys: readonly DkimKey[],
  { now, bodyHash, body }: { now: Date; bodyHash: string; body: 'simple' | 'relaxed' },
): Promise<string> {
  if (keys.length === 0) return '';
  const signed = signedHeader(header);
  const signatures = keys.map(async (dkimKey) => {
    const unsigned = unsignedOf(dkimKey, { signed, bodyHash, now, body });
    const { key, isRsa, data } = unsigned;
    return fieldWith(unsigned, isRsa ? await signAside('sha256', data, key) : sign(null, sha256(data), key));
  });
  return (await Promise.all(signatures)).join('');
}

const signAside = promisify(sign);

function unsignedOf(
  { domain, selector, privateKey }: DkimKey,
  { signed, bodyHash, now, body = 'relaxed' }: ToSign,
): Unsigned {
  if (!TAG_NAME.test(domain) || !TAG_NAME.test(selector))
    throw new TypeError(`"${selector}" and "${domain}" are not names of a DKIM key.`);
  const key = keyOf(privateKey);
  const isRsa = key.asymmetricKeyType === 'rsa';
  const tags = [
    'v=1',
    `a=${isRsa ? 'rsa' : 'ed25519'}-sha256`,
    `c=relaxed/${body}`,
    `d=${domain}`,
    `s=${selector}`,
    `t=${Math.floor(now.getTime() / 1000)}`,
  ];
  const value = ` ${tags.join('; ')};\r\n h=${signed.names};\r\n bh=${bodyHash};\r\n b=`;
  const data = Buffer.from(signed.text + relaxField('DKIM-Signature', value), 'latin1');
  return { key, isRsa, value, data };
}

const TAG_NAME = /^[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?$/i;
const LINE_MAX = 76;

function foldNames(names: readonly string[]): string {
  let line = '';
  const lines: string[] = [];
  for (const name of names) {
    const part = line === '' ? name : `${line}:${name}`;
    if (part.length > LINE_MAX - 4 && line !== '') {
      lines.push(`${line}:`);
      line = name;
    } else line = part;
  }
  return [...lines, line].join('\r\n ');
}

/** Reading a key costs as much as signing with it, and a domain signs many messages with one. */
const readKeys = new Map<string, KeyObject>();
const READ_KEYS_MAX = 200;

function keyOf(privateKey: string): KeyObject {
  const known = readKeys.get(privateKey);
  if (known) return known;
  if (readKeys.size >= READ_KEYS_MAX) readKeys.clear();
  const key = createPrivateKey(privateKey);
  readKeys.set(privateKey, key);
  return key;
}
