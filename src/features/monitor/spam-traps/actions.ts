import { canonicalAddress, destinationOf } from '../../../engines/mime/index.ts';
import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { fileOf } from '../../../platform/http/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { readSpreadsheetAsJson } from '../../../platform/spreadsheets/index.ts';
import { checkRange, daysAfter, readRange, readTime } from '../../../platform/times/index.ts';
import { findFirstAccount } from '../../account/accounts/index.ts';
import { findOwner } from '../../send/sending-domains/index.ts';
import { readRows } from './computations.ts';
import { plain } from './hits.ts';
import { keepReport } from './keep-report.ts';
import * as store from './store.ts';

const DAYS_MAX = 366;
const IMPORT_PROOF = 'a report that this account imported';

/** What a query may span. Throws `invalid_request`. */
export function rangeOf(
  given: { start?: string | undefined; end?: string | undefined },
  { now, days }: { now: Date; days: number },
): { from: Date; to: Date } {
  return readRange(given, { now, days, daysMax: DAYS_MAX });
}

/** Whole days, the last one included. Throws `invalid_request`. */
export function wholeDays(
  { start, end }: { start?: string | undefined; end?: string | undefined },
  now: Date,
): { from: Date; to: Date } {
  const last = readTime('end', end ?? now.toISOString().slice(0, 10)) as Date;
  const from = readTime('start', start) ?? daysAfter(last, -6);
  if (from > last) throw invalid('start', 'must not be later than end.');
  return checkRange({ from, to: daysAfter(last, 1) }, DAYS_MAX);
}

/** An address or the name of a domain, as traps are found by it. */
function valueOf(given: string): string {
  const text = given.trim().toLowerCase();
  const value = text.includes('@') ? canonicalAddress(text) : destinationOf(`x@${text}`);
  const name = value?.slice(value.lastIndexOf('@') + 1) ?? '';
  if (value === undefined || !/^[^\s/?#:@[\]]+$/.test(text.replace('@', '')) || !/\.[a-z][a-z0-9-]*$/.test(name))
    throw invalid('value', `must be an address or the name of a domain; "${text.slice(0, 100)}" is neither.`);
  return value;
}

/** Sets up a trap. Throws `forbidden`, `invalid_request`, `conflict`. */
export async function addTrap(
  { db, clock }: Pick<Outside, 'db' | 'clock'>,
  accountId: string,
  { value: given, type, note }: { value: string; type: store.TrapType; note: string },
): Promise<store.SpamTrap> {
  if ((await findFirstAccount(db))?.id !== accountId)
    throw new AppError(
      'forbidden',
      'Only the first account of this service may set up spam traps, since a trap takes all mail of its name; import ' +
        'the reports of a network of traps instead.',
    );
  const value = valueOf(given);
  if (!value.includes('@') && (await findOwner(db, value)) !== undefined)
    throw new AppError('conflict', `value ${value} is a sending domain here, whose mail no trap may take.`);
  const trap = { id: newId(), value, type, note: plain(note), createdAt: clock.now() };
  if (!(await store.insertTrap(db, accountId, trap)))
    throw new AppError('conflict', `value ${value} is a trap already.`);
  return store.getTrap(db, accountId, trap.id);
}

/** Throws `not_found`. */
export async function removeTrap({ db }: Pick<Outside, 'db'>, accountId: string, id: string): Promise<void> {
  if (!(await store.deleteTrap(db, accountId, id))) throw notFound('spam trap', id);
}

/** Reads a report and keeps its hits. Throws `invalid_request` when nothing can be read. */
export async function importReport(
  doors: Pick<Outside, 'db' | 'compute' | 'clock' | 'jobs'>,
  accountId: string,
  given: unknown,
): Promise<{ rows: number; hits: number; skipped: number; problems: { row: number; message: string }[] }> {
  const { compute, clock, jobs } = doors;
  const file = fileOf('file', given);
  const name = plain(file.fileName).slice(0, 200) || 'report';
  const rows = await readSpreadsheetAsJson(file.bytes, { field: 'file', size: 'long', timeoutMs: 20_000 });
  const now = clock.now().toISOString();
  const { hits, skipped, problems } = await compute.run(readRows, { rows, name, now }, { urgency: 'answer' });
  await keepReport(doors, accountId, { hits, source: 'import', sourceName: name, proof: IMPORT_PROOF });
  jobs.wake();
  return { rows: hits.length, hits: hits.reduce((sum, one) => sum + one.hits, 0), skipped, problems };
}

/** The message of a hit. Throws `not_found`, `damaged`. */
export async function readMessage(
  { db, blobs }: Pick<Outside, 'db' | 'blobs'>,
  accountId: string,
  id: string,
): Promise<Buffer> {
  const hit = /^\d{1,18}$/.test(id) ? await store.findHit(db, accountId, id) : undefined;
  if (!hit?.messageKey) throw new AppError('not_found', `No message is kept of the hit "${id}".`);
  const message = await blobs.get(hit.messageKey);
  if (!message) throw new AppError('damaged', `The message of the hit "${id}" is missing in the object store.`);
  return message;
}
