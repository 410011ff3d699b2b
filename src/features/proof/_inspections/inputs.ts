// What an inspection runs on, as an object, with the message that is in it kept apart, once for all that is made from it.
import { packValue, unpackValue } from '../../../platform/blobs/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { bufferOf, keepMessage, readKept } from '../_message/index.ts';
import { objectsOf } from './objects.ts';

const inputKey = ({ id, version }: { id: string; version: number }): string => `${objectsOf(id)}/input-${version}`;

interface Place {
  /** The object of the input that holds it; left out: the input itself. */
  under?: string;
  field: string;
}

/** Where inputs hold the bytes of a message, or the text that they are of. */
const PLACES: readonly Place[] = [
  { field: 'body' },
  { under: 'source', field: 'body' },
  { under: 'content', field: 'raw' },
  { under: 'content', field: 'html' },
];

/** In place of the bytes. */
interface Reference {
  sha256: string;
  /** The value was a text. */
  isText?: true;
}

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The input with another value in one place. */
function replaced(input: Json, { under, field }: Place, value: unknown): Json {
  return under === undefined
    ? { ...input, [field]: value }
    : { ...input, [under]: { ...(input[under] as Json), [field]: value } };
}

function valueAt(input: unknown, { under, field }: Place): unknown {
  const holder = under === undefined || !isObject(input) ? input : input[under];
  return isObject(holder) ? holder[field] : undefined;
}

interface Owned {
  id: string;
  accountId: string;
}

/** The input as it is stored: its message is there before the answer. */
export async function packInput(
  outside: Pick<Outside, 'db' | 'blobs' | 'clock'>,
  { id, accountId }: Owned,
  input: unknown,
): Promise<Buffer> {
  let packed = input;
  for (const place of PLACES) {
    const value = valueAt(input, place);
    const bytes = bytesOf(value);
    if (!bytes || !isObject(packed)) continue;
    const sha256 = await keepMessage(outside, { accountId, holder: objectsOf(id), bytes });
    packed = replaced(packed, place, {
      sha256,
      ...(typeof value === 'string' && { isText: true }),
    } satisfies Reference);
  }
  return packValue(packed);
}

/** What is kept apart. A text that is no Unicode would come back as another one. */
function bytesOf(value: unknown): Buffer | undefined {
  if (value instanceof Uint8Array) return bufferOf(value);
  return typeof value === 'string' && value.isWellFormed() ? Buffer.from(value) : undefined;
}

export async function writeInput(
  { blobs }: Pick<Outside, 'blobs'>,
  run: { id: string; version: number },
  packed: Buffer,
): Promise<void> {
  await blobs.put(inputKey(run), packed, 'application/octet-stream');
}

/** The input as it was given. Throws `damaged` when a part of it is gone. */
export async function readInput<Input>(
  outside: Pick<Outside, 'blobs'>,
  { id, version, accountId }: Owned & { version: number },
): Promise<Input> {
  let input = await storedInput(outside, { id, version });
  for (const place of PLACES) {
    const value = valueAt(input, place);
    if (!isObject(input) || !isObject(value) || typeof value['sha256'] !== 'string') continue;
    const bytes = await readKept(outside, { accountId, digest: value['sha256'] });
    input = replaced(input, place, value['isText'] ? bytes.toString() : bytes);
  }
  return input as Input;
}

async function storedInput({ blobs }: Pick<Outside, 'blobs'>, run: { id: string; version: number }): Promise<unknown> {
  const stored = await blobs.get(inputKey(run));
  if (stored) return unpackValue(stored);
  // Inputs were JSON before, with the bytes of the message in it.
  const text = await blobs.get(`${inputKey(run)}.json`);
  if (!text) throw new AppError('damaged', `The stored input of inspection ${run.id} is missing.`);
  return JSON.parse(text.toString('utf8'));
}
