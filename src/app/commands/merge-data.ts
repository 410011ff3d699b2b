// `--data file.json`: what takes the place of a message's merge tags, before anything else is done with it.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { mergeDataFault, type MergeData } from '../../engines/mail-template/index.ts';
import { fillBody, fillField } from '../../features/proof/_message/index.ts';
import { computeHere } from '../../platform/compute/index.ts';
import { AppError, messageOf } from '../../platform/errors/index.ts';
import { decodeText, type MessageFile } from './message-file.ts';
import { UsageError } from './usage.ts';

/** Beyond, it is more than merge data may be, however it is written. */
const FILE_MIB_MAX = 8;
const OUTSIDE = { compute: computeHere };

async function readWhole(path: string, named: string): Promise<Buffer> {
  const facts = await stat(path);
  if (facts.isDirectory()) throw new UsageError(`${named} is a folder; name a JSON file.`);
  const chunks: Buffer[] = [];
  let size = 0;
  // Whatever its size is said to be: a pipe says none.
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > FILE_MIB_MAX * 1024 * 1024) {
      throw new UsageError(`${named} is larger than ${FILE_MIB_MAX} MiB, more than merge data may be.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * The values of a JSON file; undefined where none is named. Throws {@link UsageError} naming the file and its fault.
 * @param named what the file is called in errors
 */
export async function readMergeData(
  path: string | undefined,
  named = `--data ${path}`,
): Promise<MergeData | undefined> {
  if (path === undefined) return undefined;
  const bytes = await readWhole(path, named).catch((error: unknown) => {
    throw error instanceof UsageError ? error : new UsageError(`${named} cannot be read: ${messageOf(error)}`);
  });
  let data: unknown;
  try {
    // Some programs put a mark before it.
    data = JSON.parse(decodeText(bytes).replace(/^\ufeff/, ''));
  } catch (error) {
    throw new UsageError(`${named} is not valid JSON: ${messageOf(error)}`);
  }
  const fault = mergeDataFault(data);
  if (fault !== undefined) throw new UsageError(`${named} ${fault}`);
  return data as MergeData;
}

/** What cannot be filled is wrong usage: the template and its data do not fit. */
async function orUsageError<Result>(name: string, work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw error instanceof AppError ? new UsageError(`${name}: ${error.message}`) : error;
  });
}

/** The file with data in place of its merge tags. Throws {@link UsageError} for a template that cannot be filled. */
export async function fillFile(name: string, file: MessageFile, data: MergeData | undefined): Promise<MessageFile> {
  if (data === undefined) return file;
  const { kind, bytes, html } = file;
  const given = kind === 'html' ? { kind, body: Buffer.from(html, 'utf8') } : { kind: 'mime' as const, body: bytes };
  const { body } = await orUsageError(name, fillBody(OUTSIDE, given, data));
  return { kind, bytes: body, html: kind === 'html' ? body.toString('utf8') : '' };
}

/** The same for a subject that an option gives. */
export async function fillSubject(text: string | undefined, data: MergeData | undefined): Promise<string | undefined> {
  if (text === undefined) return undefined;
  return orUsageError('--subject', fillField(OUTSIDE, { field: 'subject', text, data }));
}
