// Mailboxes that receive reports: added, changed, removed, tried. Their passwords are stored encrypted, and decrypted
// only for a visit.
import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { checkServer, openMailbox, type MailboxLimits } from '../../../platform/mailboxes/index.ts';
import { raiseAlert } from '../alerts/index.ts';
import { MAILBOXES_MAX } from './mailboxes-contract.ts';
import * as store from './mailboxes-store.ts';
import type { ReportMailbox } from './mailboxes-store.ts';

type Doors = Pick<Context, 'config' | 'db' | 'secrets' | 'clock' | 'jobs' | 'principal'>;
type Queue = (tx: Doors['db'], id: string) => Promise<void>;

interface MailboxFields {
  host?: string;
  user?: string;
  password?: string;
  port?: number;
  security?: ReportMailbox['security'];
  verify_certificate?: boolean;
  folder?: string;
  trust?: ReportMailbox['trust'];
  enabled?: boolean;
}

/** What a mailbox's password is sealed for: moved to another row it does not open. */
const purposeOf = (id: string): string => `report mailbox:${id}`;

// A line of its own could hold a command of IMAP; the client would send it as a literal, and no server takes it.
// eslint-disable-next-line no-control-regex
const isPlain = (text: string): boolean => !/[\0-\x1f\x7f]/.test(text);

type Settings = Pick<
  ReportMailbox,
  'host' | 'port' | 'security' | 'userName' | 'verifyCertificate' | 'folder' | 'trust' | 'isEnabled'
>;
const DEFAULTS: Settings = {
  host: '',
  port: 0,
  security: 'tls',
  userName: '',
  verifyCertificate: true,
  folder: 'INBOX',
  trust: 'signed',
  isEnabled: true,
};
/** As one that nobody visited yet. */
const UNVISITED = { state: 'waiting', problem: null, refusals: 0 } as const;
const UNREAD = { uidValidity: null, lastUid: '0', messagesLeft: null } as const;

/** Throws `invalid_request`. */
function readSettings(doors: Pick<Doors, 'config'>, before: Settings, fields: MailboxFields): Settings {
  const security = fields.security ?? before.security;
  const server = {
    host: (fields.host ?? before.host).trim(),
    security,
    port: fields.port ?? (before.port || (security === 'tls' ? 993 : 143)),
  };
  checkServer(doors, server);
  for (const name of ['user', 'folder'] as const)
    if (!isPlain(fields[name] ?? '')) throw invalid(name, 'must not contain control characters.');
  return {
    ...server,
    userName: fields.user ?? before.userName,
    verifyCertificate: fields.verify_certificate ?? before.verifyCertificate,
    folder: fields.folder ?? before.folder,
    trust: fields.trust ?? before.trust,
    isEnabled: fields.enabled ?? before.isEnabled,
  };
}

/** Adds a mailbox, which is read soon. Throws `invalid_request`, `conflict`. Wakes the jobs. */
export async function addMailbox(
  doors: Doors,
  fields: MailboxFields & { password: string },
  queue: Queue,
): Promise<ReportMailbox> {
  const { db, clock, secrets, principal } = doors;
  const now = clock.now();
  const id = newId();
  const made: ReportMailbox = {
    ...readSettings(doors, DEFAULTS, fields),
    ...UNVISITED,
    ...UNREAD,
    id,
    accountId: principal.accountId,
    sealedPassword: secrets.seal(fields.password, purposeOf(id)),
    checkedAt: null,
    succeededAt: null,
    messagesRead: '0',
    reportsFound: '0',
    lastReportAt: null,
    dueAt: now,
    createdAt: now,
    updatedAt: now,
  };
  await db.tx(async (tx) => {
    await tx.lock(`dmarc-reports.mailboxes ${principal.accountId}`);
    if ((await store.listMailboxes(tx, principal.accountId)).length >= MAILBOXES_MAX)
      throw new AppError('conflict', `An account may have at most ${MAILBOXES_MAX} mailboxes; remove one first.`);
    await store.insertMailbox(tx, made);
    if (made.isEnabled) await queue(tx as Doors['db'], id);
  });
  doors.jobs.wake();
  return made;
}

/** Throws `not_found`. */
export async function getMailbox({ db, principal }: Pick<Doors, 'db' | 'principal'>, id: string) {
  const found = await store.findMailbox(db, principal.accountId, id);
  if (!found) throw notFound('mailbox', id);
  return found;
}

/** Throws `invalid_request`, `not_found`. Wakes the jobs. */
export async function changeMailbox(
  doors: Doors,
  id: string,
  { fields, queue }: { fields: MailboxFields; queue: Queue },
): Promise<ReportMailbox> {
  const { db, clock, secrets, jobs } = doors;
  const before = await getMailbox(doors, id);
  const now = clock.now();
  const settings = readSettings(doors, before, fields);
  const isSame = (['host', 'port', 'userName', 'folder'] as const).every((name) => before[name] === settings[name]);
  const changes = {
    ...settings,
    ...UNVISITED,
    ...(!isSame && UNREAD),
    ...(fields.password !== undefined && { sealedPassword: secrets.seal(fields.password, purposeOf(id)) }),
    dueAt: now,
    updatedAt: now,
  };
  const changed = await db.tx(async (tx) => {
    const saved = await store.updateMailbox(tx, before, changes);
    if (saved?.isEnabled) await queue(tx as Doors['db'], id);
    return saved;
  });
  if (!changed) throw notFound('mailbox', id);
  jobs.wake();
  return changed;
}

/** Reads it soon, also where it was stopped. Throws `not_found`, `conflict`. Wakes the jobs. */
export async function readSoon(doors: Doors, id: string, queue: Queue): Promise<ReportMailbox> {
  const box = await getMailbox(doors, id);
  if (!box.isEnabled) throw new AppError('conflict', 'The mailbox is not enabled; enable it first.');
  if (box.state === 'stopped') return changeMailbox(doors, id, { fields: {}, queue });
  await queue(doors.db, id);
  doors.jobs.wake();
  return box;
}

/** Removes a mailbox, and ends what was told of it. Throws `not_found`. */
export async function removeMailbox(doors: Doors, id: string): Promise<void> {
  const box = await getMailbox(doors, id);
  await store.deleteMailbox(doors.db, box.accountId, id);
  await tellMailbox(doors, box, { isOver: true, message: `The mailbox ${nameOf(box)} was removed.` });
}

export const nameOf = ({ userName, host }: ReportMailbox): string => `${userName} at ${host}`;

/** Tells that a mailbox is read no more, or that it is again. */
export async function tellMailbox(
  doors: Pick<Outside, 'db' | 'jobs' | 'clock'>,
  { accountId, id }: ReportMailbox,
  { isOver, message }: { isOver: boolean; message: string },
): Promise<void> {
  await raiseAlert(doors, undefined, {
    accountId,
    event: 'postmaster_access_expired',
    subject: `mailbox ${id}`,
    data: {
      message,
      provider: 'mailbox of DMARC reports',
      connection: id,
      page: '/dmarc',
      ...(!isOver && { fix: 'Change its settings under DMARC › Mailboxes, and it is read again.' }),
    },
    ...(isOver && { isOver }),
  });
}

/** The client of the mailbox; it is not connected yet. */
export function openReportMailbox(
  outside: Pick<Outside, 'config' | 'dns' | 'secrets'>,
  box: ReportMailbox,
  limits: Partial<MailboxLimits> = {},
) {
  const { id, host, port, security, userName: user, verifyCertificate, sealedPassword } = box;
  const credentials = { password: outside.secrets.open(sealedPassword, purposeOf(id)) };
  return openMailbox(outside, { host, port, security, user, credentials, verifyCertificate }, limits);
}

/** Where the messages that were taken end; undefined: none was. */
export const placeOf = ({ uidValidity, lastUid }: ReportMailbox) =>
  uidValidity === null ? undefined : { uidValidity, uid: Number(lastUid) };

const TRY_MS = 30_000;

/** Logs in, lists folders, and counts what is new in the one that is read. */
export async function tryMailbox(outside: Pick<Outside, 'config' | 'dns' | 'secrets'>, box: ReportMailbox) {
  const opened = await openReportMailbox(outside, box, { timeoutMs: TRY_MS });
  if (!opened.ok) return { outcome: opened, folders: [] };
  const probed = await opened.mailbox.probe();
  if (!probed.ok) return { outcome: probed, folders: [] };
  const wanted = { folder: box.folder, after: placeOf(box), messagesMax: 0, sizeBytesMax: 0, stopAfterMs: TRY_MS };
  const outcome = await opened.mailbox.readNew({ ...wanted, take: async () => false });
  return { outcome, folders: probed.folders.map(({ path }) => path) };
}
