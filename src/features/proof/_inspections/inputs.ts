// What an inspection runs on, as an object: JSON, with the message that is in it kept apart, once for all that is made
// from it.
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { keepMessage, readKept } from '../_message/index.ts';
import { inputKey, objectsOf } from './objects.ts';

interface Place {
  /** The object of the input that holds it; left out: the input itself. */
  under?: string;
  field: string;
  as: 'base64' | 'utf8';
}

/** Where inputs hold the bytes of a message: emails and gates in base64, spam tests of HTML as text. */
const PLACES: readonly Place[] = [
  { field: 'body', as: 'base64' },
  { under: 'source', field: 'body', as: 'base64' },
  { under: 'content', field: 'raw', as: 'base64' },
  { under: 'content', field: 'html', as: 'utf8' },
];

/** In place of the bytes. */
interface Reference {
  sha256: string;
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
    if (typeof value !== 'string' || !isObject(packed)) continue;
    const bytes = Buffer.from(value, place.as);
    // A text that is no Unicode, or no canonical base64, would come back as another one.
    if (bytes.toString(place.as) !== value) continue;
    const sha256 = await keepMessage(outside, { accountId, holder: objectsOf(id), bytes });
    packed = replaced(packed, place, { sha256 } satisfies Reference);
  }
  return Buffer.from(JSON.stringify(packed));
}

export async function writeInput(
  { blobs }: Pick<Outside, 'blobs'>,
  run: { id: string; version: number },
  packed: Buffer,
): Promise<void> {
  await blobs.put(inputKey(run.id, run.version), packed, 'application/json');
}

/** The input as it was given. Throws `damaged` when a part of it is gone. */
export async function readInput<Input>(
  outside: Pick<Outside, 'blobs'>,
  { id, version, accountId }: Owned & { version: number },
): Promise<Input> {
  const stored = await outside.blobs.get(inputKey(id, version));
  if (!stored) throw new AppError('damaged', `The stored input of inspection ${id} is missing.`);
  let input: unknown = JSON.parse(stored.toString('utf8'));
  for (const place of PLACES) {
    const value = valueAt(input, place);
    if (!isObject(input) || !isObject(value) || typeof value['sha256'] !== 'string') continue;
    const bytes = await readKept(outside, { accountId, digest: value['sha256'] });
    input = replaced(input, place, bytes.toString(place.as));
  }
  return input as Input;
}
