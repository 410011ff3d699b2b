// Members that come many at once: read before the answer, written after it.
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { admitJsonField, isFile } from '../../../platform/http/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { readSpreadsheetAsJson } from '../../../platform/spreadsheets/index.ts';
import { readSheetRows } from './computations.ts';
import { flagOf, keptOf, mergeEntries, readMember, wrong, type Fields } from './fields.ts';
import { admitMembers } from './quota.ts';
import type { SheetMembers } from './sheet.ts';
import { writeUpload } from './upload-job.ts';
import { findList, type MailingList } from './store.ts';
import { insertUpload } from './upload-store.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'clock' | 'compute' | 'jobs'>;

const BATCH_MAX = 1000;
const FILE_BYTES_MAX = 5 * 1024 * 1024;

interface Started {
  list: MailingList;
  taskId: string;
}

/** Throws `not_found` with the sentence that uploads have. */
async function listFor({ db }: Doors, accountId: string, address: string): Promise<MailingList> {
  const list = await findList(db, accountId, keptOf(address));
  if (!list) throw new AppError('not_found', `Mailing list '${address.slice(0, 320)}' not found`);
  return list;
}

async function start(
  doors: Doors,
  list: MailingList,
  { members, ...upload }: { members: SheetMembers; format: 'json' | 'csv'; isUpsert: boolean; isSubscribed: boolean },
): Promise<Started> {
  const { db, clock, jobs } = doors;
  const { parts, count: given, skipped, problems } = members;
  await admitMembers(doors, list.accountId, given);
  const id = newId();
  await db.tx(async (tx) => {
    const row = { ...upload, id, listId: list.id, given, skipped, problems, parts, createdAt: clock.now() };
    await insertUpload(tx, list.accountId, row);
    await jobs.enqueue(tx, writeUpload, { payloads: [{ uploadId: id }], account: list.accountId });
  });
  jobs.wake();
  return { list, taskId: id };
}

/** The records of `members`: a list, or the JSON of one. */
async function recordsOf(given: unknown): Promise<unknown[]> {
  const value = isFile(given) ? given.bytes.toString('utf8') : given;
  if (value === undefined || value === '') throw wrong('members', 'members is required: a JSON list of members.');
  if (Array.isArray(value) && value.every((one) => typeof one === 'object')) return value;
  if (typeof value !== 'string') return [value].flat();
  await admitJsonField('members', value);
  let records: unknown;
  try {
    records = JSON.parse(value);
  } catch {
    throw wrong('members', 'members is not valid JSON; give a list such as [{"address": "ann@example.com"}].');
  }
  if (!Array.isArray(records))
    throw wrong('members', 'members must be a JSON list such as [{"address": "ann@example.com"}].');
  return records;
}

function readRecord(record: unknown, place: number): ReturnType<typeof readMember> {
  try {
    if (typeof record === 'string') return readMember({ address: record });
    if (typeof record === 'object' && record !== null && !Array.isArray(record)) return readMember(record as Fields);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw wrong('members', `members[${place}]: ${error.message}`);
  }
  throw wrong('members', `members[${place}] must be an address, or an object with one.`);
}

/** Takes all of up to 1,000 members, or none. Throws `not_found`, `invalid_request` naming the first that is wrong. */
export async function uploadRecords(
  doors: Doors,
  accountId: string,
  { address, fields }: { address: string; fields: Fields },
): Promise<Started> {
  const list = await listFor(doors, accountId, address);
  const isUpsert = flagOf(fields, 'upsert') ?? false;
  const records = await recordsOf(fields['members']);
  if (records.length === 0) throw wrong('members', 'members is empty; give at least one.');
  if (records.length > BATCH_MAX)
    throw wrong('members', `members names ${records.length} members; one call may name ${BATCH_MAX}.`);
  const entries = mergeEntries(records.map(readRecord));
  const members = { parts: [JSON.stringify(entries)], count: entries.length, skipped: 0, problems: [] };
  return start(doors, list, { members, format: 'json', isUpsert, isSubscribed: true });
}

function bytesOf(given: unknown): Buffer {
  if (isFile(given)) return given.bytes;
  if (typeof given === 'string' && given.trim() !== '') return Buffer.from(given);
  throw wrong('members', 'members must be a CSV file: send a multipart body.');
}

/** Takes the rows of a file that are members. Throws `not_found`, `invalid_request` when nothing can be read. */
export async function uploadSheet(
  doors: Doors,
  accountId: string,
  { address, fields }: { address: string; fields: Fields },
): Promise<Started> {
  const list = await listFor(doors, accountId, address);
  const isUpsert = flagOf(fields, 'upsert') ?? false;
  const isSubscribed = flagOf(fields, 'subscribed') ?? true;
  const bytes = bytesOf(fields['members']);
  if (bytes.length > FILE_BYTES_MAX) throw wrong('members', 'CSV file is too big, max allowed size is 5 MB');
  const rows = await readSpreadsheetAsJson(bytes, { field: 'members', size: 'long', timeoutMs: 20_000 });
  const members = await doors.compute.run(readSheetRows, rows, { urgency: 'answer' });
  return start(doors, list, { members, format: 'csv', isUpsert, isSubscribed });
}
