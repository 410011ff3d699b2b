// What an inspection keeps beside its rows.
import { packValue, unpackValue } from '../../../platform/blobs/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';

/** Everything of an inspection lies below this. */
export function objectsOf(id: string): string {
  return `inspections/${id}`;
}

type Run = { id: string; version: number };

const inputKey = ({ id, version }: Run): string => `${objectsOf(id)}/input-${version}`;

/** Keeps what a run is made on. */
export function writeInput({ blobs }: Pick<Outside, 'blobs'>, run: Run, input: unknown): Promise<void> {
  return blobs.put(inputKey(run), packValue(input), 'application/octet-stream');
}

/** Throws `damaged` where it is missing. */
export async function readInput<Input>({ blobs }: Pick<Outside, 'blobs'>, run: Run): Promise<Input> {
  const stored = await blobs.get(inputKey(run));
  if (stored) return unpackValue(stored) as Input;
  // Inputs were JSON before.
  const text = await blobs.get(`${inputKey(run)}.json`);
  if (!text) throw new AppError('damaged', `The stored input of inspection ${run.id} is missing.`);
  return JSON.parse(text.toString('utf8')) as Input;
}
