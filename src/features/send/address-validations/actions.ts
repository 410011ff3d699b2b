// One address at once; lists are read, counted and queued before the answer, and validated after it.
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { fileOf } from '../../../platform/http/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { readSpreadsheetAsJson, unpacked } from '../../../platform/spreadsheets/index.ts';
import { admitStored } from '../../account/accounts/index.ts';
import { addFurtherUses, checkUse, countUse } from '../../account/limits/index.ts';
import { readAddresses } from './computations.ts';
import { ADDRESSES_MAX, UNFINISHED_MAX, type Summary } from './contract.ts';
import { eventOf } from './count.ts';
import { validatePart } from './jobs.ts';
import type { SheetAddresses } from './sheet.ts';
import { countJobs, countUnfinished, insertJob } from './store.ts';
import { validateAddresses, type ValidateDoors } from './validate.ts';
import type { Validation } from './view.ts';

const NOTHING_YET: Summary = {
  result: { catch_all: 0, deliverable: 0, do_not_send: 0, undeliverable: 0, unknown: 0 },
  risk: { high: 0, low: 0, medium: 0, unknown: 0 },
};

/** Who waits for one answer waits no longer for a server. */
const PROBE_MS = 30_000;

type Doors = ValidateDoors & Pick<Outside, 'facts' | 'jobs'>;

/**
 * Validates one address, counts it, and writes its event. Throws `forbidden` where the limit on email validations is
 * used up.
 */
export async function validateOne(doors: Doors, accountId: string, given: string): Promise<Validation> {
  const address = given.trim();
  if (address === '') throw invalid('address', 'must not be empty.');
  const use = { accountId, metric: 'email_validation_count' } as const;
  await checkUse(doors, use);
  const [validation] = await validateAddresses(doors, { accountId, addresses: [address], probeMs: PROBE_MS });
  if (!validation) throw new AppError('internal', 'An address was not validated.');
  const now = doors.clock.now();
  await doors.db.tx(async (tx) => {
    await doors.events.append(tx, [eventOf(validation, { accountId, at: now })]);
    await addFurtherUses(tx, accountId, {
      uses: {
        email_validation_single_count: 1,
        email_validation_valid_count: validation.result === 'deliverable' ? 1 : 0,
      },
      now,
    });
    await countUse(doors, tx, use);
  });
  doors.jobs.wake();
  return validation;
}

type ListDoors = Pick<Outside, 'config' | 'db' | 'compute' | 'jobs' | 'clock' | 'facts'>;

const NAME_MAX = 200;

/** Throws `invalid_request`. */
function checkName(name: string): void {
  if (name.trim() === '' || name.length > NAME_MAX || /[@/\p{C}]/u.test(name))
    throw invalid('list_id', `must have 1 to ${NAME_MAX} characters, without @, / and control characters.`);
}

const tooMany = (field: string): AppError =>
  invalid(field, `is one too many: ${UNFINISHED_MAX} lists of this account are being validated. Wait for one.`);

/**
 * Reads a file, counts its addresses, and queues them. Throws `invalid_request`, `conflict` where the account has a list
 * of that name, `forbidden` where the limit does not let all of them through.
 */
export async function startJob(
  doors: ListDoors,
  { accountId, name, given }: { accountId: string; name: string; given: unknown },
): Promise<SheetAddresses> {
  const { compute } = doors;
  checkName(name);
  const bytes = await unpacked(fileOf('file', given).bytes, 'file');
  await admitJob(doors, accountId, 'list_id');
  const rows = await readSpreadsheetAsJson(bytes, { field: 'file', size: 'long', timeoutMs: 20_000 });
  const sheet = await compute.run(readAddresses, { rows }, { urgency: 'answer' });
  const taken = `This account has a list named ${name}; delete it, or give another name.`;
  await queueJob(doors, { accountId, name, addresses: sheet.addresses, field: 'list_id', taken });
  return sheet;
}

interface Queueing {
  accountId: string;
  name: string;
  /** Each once. */
  addresses: readonly string[];
  /** What a refusal names. */
  field: string;
  /** What is said where there is a job of that name. */
  taken: string;
}

/** Throws `invalid_request` where too many are under way, `too_many_requests` where too many are kept. */
async function admitJob(doors: Pick<ListDoors, 'config' | 'db'>, accountId: string, field: string): Promise<void> {
  const { db } = doors;
  if ((await countUnfinished(db, accountId)) >= UNFINISHED_MAX) throw tooMany(field);
  await admitStored(doors, accountId, { quota: 'validationLists', count: () => countJobs(db, accountId) });
}

/**
 * Counts the members of a mailing list, and queues them, as a list of that address. Throws `invalid_request`, `conflict`
 * with the words of `taken`, `forbidden` where the limit does not let all of them through.
 */
export async function startMembersJob(
  doors: ListDoors,
  { accountId, name, addresses, taken }: Omit<Queueing, 'field'>,
): Promise<void> {
  const field = 'list_address';
  if (addresses.length === 0)
    throw invalid(field, 'names a mailing list without members: there is nothing to validate.');
  if (addresses.length > ADDRESSES_MAX)
    throw invalid(field, `names a mailing list of more than ${ADDRESSES_MAX.toLocaleString('en')} members.`);
  await admitJob(doors, accountId, field);
  await queueJob(doors, { accountId, name, addresses, field, taken });
}

/** Counts the addresses and queues them: all, or none. */
async function queueJob(doors: ListDoors, { accountId, name, addresses, field, taken }: Queueing): Promise<void> {
  const { db, clock, jobs } = doors;
  const quantity = addresses.length;
  const use = { accountId, metric: 'email_validation_count', adding: quantity } as const;
  await checkUse(doors, use);
  const id = newId();
  const now = clock.now();
  const job = { id, accountId, name, status: 'created', quantity, processed: 0, summary: NOTHING_YET } as const;
  await db.tx(async (tx) => {
    await tx.lock(`address-validations ${accountId}`);
    if ((await countUnfinished(tx, accountId)) >= UNFINISHED_MAX) throw tooMany(field);
    if (!(await insertJob(tx, { ...job, failure: null, createdAt: now, finishedAt: null }, addresses)))
      throw new AppError('conflict', taken);
    await jobs.enqueue(tx, validatePart, { payloads: [{ validationId: id }], account: accountId });
    await addFurtherUses(tx, accountId, { uses: { email_validation_bulk_count: quantity }, now });
    await countUse(doors, tx, use);
  });
  jobs.wake();
}
