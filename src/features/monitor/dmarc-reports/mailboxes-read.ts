// A visit to a mailbox of reports: each new message is taken once, in the transaction that remembers it.
import { FILE_BYTES_MAX } from '../../../engines/dmarc-reports/index.ts';
import { ComputeError } from '../../../platform/compute/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import type { FolderPlace, NewMessages } from '../../../platform/mailboxes/index.ts';
import { isAccountOpen } from '../../account/accounts/index.ts';
import { refuseMail, takeReports, TakenElsewhere, type Arrival, type Outcome } from './ingest.ts';
import { POLL_MINUTES, REFUSALS_MAX } from './mailboxes-contract.ts';
import { findMailbox, noteVisit, takeDueMailboxes, takeMessage } from './mailboxes-store.ts';
import type { ReadPlace, ReportMailbox } from './mailboxes-store.ts';
import { nameOf, openReportMailbox, placeOf, tellMailbox } from './mailboxes.ts';
import { doubtOf, signersOf } from './mail.ts';
import { openInboxOf } from './record.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'dns' | 'compute' | 'clock' | 'jobs' | 'secrets'>;
type Message = Parameters<NewMessages['take']>[0];

const MESSAGES_AT_ONCE = 100;
/** No message is begun later than that; the next visit goes on. */
const VISIT_MS = 120_000;
/** The longest that a visit takes, with its last message. */
export const VISIT_TIMEOUT_MS = 240_000;
const DUE_AT_ONCE = 100;
const HOUR_MS = 3_600_000;
const FULL_MESSAGE = 'The account takes no more reports today; the mailbox is read on when it does.';
const TOO_LARGE = `The mail is larger than ${FILE_BYTES_MAX / 1024 / 1024} MB.`;

interface Visit {
  box: ReportMailbox;
  /** Where the account's reports arrive by mail. */
  address: string;
  /** A message whose reading ends its process is not read again. */
  isLast: boolean;
  place: ReadPlace;
  isFull: boolean;
}

/** How a message came, and what remembers that it was taken. */
async function arrivalOf(doors: Doors, visit: Visit, { raw, uidValidity, uid }: Message): Promise<Arrival> {
  const { box, address } = visit;
  const signers = raw === undefined || box.trust === 'all' ? [] : await signersOf(doors, raw);
  // A folder with another UIDVALIDITY begins again.
  const from = visit.place;
  const settle: Arrival['settle'] = (tx, { accepted }) =>
    takeMessage(tx, box, { from, to: { uidValidity, uid }, reports: accepted.length, now: doors.clock.now() });
  return {
    via: 'imap',
    address,
    vouchedBy: signers[0] ?? null,
    isAmongOthers: true,
    settle,
    ...(box.trust === 'signed' && { doubt: (report) => doubtOf(report, signers) }),
  };
}

async function takeMail(doors: Doors, visit: Visit, message: Message): Promise<Outcome> {
  const { accountId } = visit.box;
  const { raw } = message;
  const arrival = await arrivalOf(doors, visit, message);
  if (raw === undefined) return refuseMail(doors, accountId, { reason: TOO_LARGE, arrival });
  try {
    return await takeReports(doors, accountId, { file: { name: 'mail', bytes: raw }, arrival, urgency: 'job' });
  } catch (error) {
    if (!(error instanceof ComputeError) || !(error.isOverrun || visit.isLast)) throw error;
    return refuseMail(doors, accountId, { reason: error.message, arrival });
  }
}

/** Takes one message. False: the visit ends before it. */
async function take(doors: Doors, visit: Visit, message: Message): Promise<boolean> {
  const { uidValidity, uid, sizeBytes } = message;
  // It is gone, and nothing is left to remember of it.
  if (sizeBytes === 0) return true;
  try {
    const { isFull = false } = await takeMail(doors, visit, message);
    visit.isFull = isFull;
    if (!isFull) visit.place = { uidValidity, uid };
    return !isFull;
  } catch (error) {
    if (error instanceof TakenElsewhere) return false;
    throw error;
  }
}

/** Notes how a visit ended, and tells when it was the last. */
async function settleVisit(
  doors: Doors,
  { box, isFull }: Visit,
  outcome: { ok: true; left: number } | { ok: false; message: string; isTemporary: boolean },
): Promise<void> {
  const now = doors.clock.now();
  const later = (ms: number): Date => new Date(now.getTime() + ms);
  const next = later(POLL_MINUTES * 60_000);
  if (outcome.ok) {
    const noted = await noteVisit(doors.db, box, {
      state: 'working',
      problem: isFull ? FULL_MESSAGE : null,
      refusals: 0,
      checkedAt: now,
      succeededAt: now,
      messagesLeft: outcome.left,
      dueAt: isFull ? later(HOUR_MS) : outcome.left > 0 ? now : next,
    });
    if (noted && box.state !== 'working')
      await tellMailbox(doors, box, { isOver: true, message: `The mailbox ${nameOf(box)} is read again.` });
    return;
  }
  const refusals = box.refusals + (outcome.isTemporary ? 0 : 1);
  const isStopped = refusals >= REFUSALS_MAX;
  const { message: problem } = outcome;
  const state = isStopped ? 'stopped' : 'failing';
  const noted = await noteVisit(doors.db, box, { state, problem, refusals, checkedAt: now, dueAt: next });
  if (!noted || !isStopped) return;
  const message = `The mailbox ${nameOf(box)} is no longer read for reports after ${refusals} tries. ${problem}`;
  await tellMailbox(doors, box, { isOver: false, message });
}

/** Visits a mailbox and takes what is new. */
export async function readMailbox(
  doors: Doors,
  { accountId, id }: Pick<ReportMailbox, 'accountId' | 'id'>,
  { signal, isLast }: { signal: AbortSignal; isLast: boolean },
): Promise<void> {
  const box = await findMailbox(doors.db, accountId, id);
  if (!box?.isEnabled || box.state === 'stopped' || !(await isAccountOpen(doors, accountId))) return;
  const after: FolderPlace | undefined = placeOf(box);
  const place = after ?? { uidValidity: null, uid: 0 };
  const { address } = await openInboxOf(doors, accountId);
  const visit: Visit = { box, address, isLast, place, isFull: false };
  const opened = await openReportMailbox(doors, box, { timeoutMs: VISIT_TIMEOUT_MS });
  const wanted: NewMessages = {
    folder: box.folder,
    after,
    messagesMax: MESSAGES_AT_ONCE,
    sizeBytesMax: FILE_BYTES_MAX,
    stopAfterMs: VISIT_MS,
    take: (message) => take(doors, visit, message),
  };
  const outcome = opened.ok ? await opened.mailbox.readNew(wanted, signal) : opened;
  if (!outcome.ok && outcome.reason === 'aborted') return;
  await settleVisit(doors, visit, outcome);
}

/** Mailboxes that are due; nobody else gets them before their next turn. */
export function takeDue(tx: Parameters<typeof takeDueMailboxes>[0], now: Date) {
  const until = new Date(now.getTime() + POLL_MINUTES * 60_000);
  return takeDueMailboxes(tx, { now, until, limit: DUE_AT_ONCE });
}
