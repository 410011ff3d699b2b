import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { fileOf } from '../../../platform/http/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { readSpreadsheetAsJson } from '../../../platform/spreadsheets/index.ts';
import { admitStored } from '../../account/accounts/index.ts';
import { readSheetRows } from './computations.ts';
import { mergeEntries, readEntry, wrong, type Fields } from './entries.ts';
import { writeImport } from './jobs.ts';
import { KINDS, type ListName } from './contract.ts';
import type { SheetEntries } from './sheet.ts';
import { addEntries, countEntries, saveImport, type Entry, type List } from './store.ts';

const BATCH_MAX = 1000;

function readRecord(list: ListName, record: unknown, prefix: string): Entry {
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    throw wrong('body', `${prefix || 'The body'} must be an object with an address.`);
  try {
    return readEntry(list, record as Fields);
  } catch (error) {
    if (prefix === '' || !(error instanceof AppError)) throw error;
    throw new AppError(error.code, `${prefix}: ${error.message}`, { details: { ...error.details } });
  }
}

/** One record, or a list of them. Throws `invalid_request` naming the first that is wrong. */
function readRecords(list: ListName, body: unknown): Entry[] {
  if (!Array.isArray(body) || list === 'whitelists') return [readRecord(list, body, '')];
  if (body.length === 0) throw wrong('body', 'The list is empty; give at least one address.');
  if (body.length > BATCH_MAX) throw wrong('body', `Batch size should be less than ${BATCH_MAX}`);
  return body.map((record, place) => readRecord(list, record, `[${place}]`));
}

/** What follows from deliveries is always listed: it keeps mail from those who do not want it. */
const admitEntries = (doors: Pick<Outside, 'config' | 'db'>, accountId: string, adding: number): Promise<void> =>
  admitStored(doors, accountId, {
    quota: 'suppressions',
    adding,
    isSlow: true,
    count: () => countEntries(doors.db, accountId),
  });

/**
 * Adds what a call gives, all of it or nothing. Answers what is said of it, and the first address. Throws
 * `invalid_request`, `too_many_requests` beyond the quota.
 */
export async function addRecords(
  { config, db, clock }: Pick<Outside, 'config' | 'db' | 'clock'>,
  list: List,
  body: unknown,
): Promise<{ message: string; first: string }> {
  const entries = readRecords(list.list, body);
  await admitEntries({ config, db }, list.accountId, entries.length);
  await addEntries(db, list, { entries: mergeEntries(entries), now: clock.now() });
  const { table, added } = KINDS[list.list];
  const single = `${list.list === 'whitelists' ? 'Address/Domain' : 'Address'} has been added to the ${table} table`;
  return { message: Array.isArray(body) ? added(entries.length) : single, first: (entries[0] as Entry).a };
}

/**
 * Reads a file, and keeps its entries for the job that writes them. Throws `invalid_request` when nothing can be read,
 * `too_many_requests` beyond the quota.
 */
export async function importFile(
  { config, db, compute, jobs }: Pick<Outside, 'config' | 'db' | 'compute' | 'jobs'>,
  list: List,
  given: unknown,
): Promise<SheetEntries> {
  const file = fileOf('file', given);
  const rows = await readSpreadsheetAsJson(file.bytes, { field: 'file', size: 'long', timeoutMs: 20_000 });
  const sheet = await compute.run(readSheetRows, { list: list.list, rows }, { urgency: 'answer' });
  await admitEntries({ config, db }, list.accountId, sheet.count);
  const importId = newId();
  await db.tx(async (tx) => {
    await saveImport(tx, list, { importId, parts: sheet.parts });
    await jobs.enqueue(tx, writeImport, { payloads: [{ importId }], account: list.accountId });
  });
  jobs.wake();
  return sheet;
}
