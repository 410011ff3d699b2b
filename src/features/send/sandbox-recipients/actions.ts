import { canonicalAddress } from '../../../engines/mime/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { randomText } from '../../../platform/ids/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { submitParts } from '../messages/index.ts';
import { admitSender, sandboxNameOf, type DeliveryMode } from '../sending-domains/index.ts';
import { letterOf, LINK_DAYS } from './letter.ts';
import * as store from './store.ts';
import type { SandboxRecipient } from './store.ts';

const RECIPIENTS_MAX = 5;
const MAILS_A_DAY = 20;
/** Recipients that an error names. */
const NAMED_MAX = 10;

type DomainDoors = Pick<Outside, 'config' | 'db' | 'secrets' | 'clock'>;
type AskingDoors = DomainDoors &
  Pick<
    Context,
    'blobs' | 'events' | 'compute' | 'lists' | 'log' | 'facts' | 'jobs' | 'principal' | 'address' | 'baseUrl'
  >;

const isActive = ({ activatedIn }: SandboxRecipient, mode: DeliveryMode): boolean =>
  activatedIn === 'live' || (activatedIn === 'capture' && mode === 'capture');

function view(recipient: SandboxRecipient, mode: DeliveryMode) {
  const { email, problem } = recipient;
  return { email, activated: isActive(recipient, mode), ...(problem !== null && { problem }) };
}

function readEmail(given: string): string {
  const email = canonicalAddress(given.trim());
  if (email === undefined)
    throw new AppError('invalid_request', 'Invalid email address. Give email as one address such as ann@example.com.', {
      details: { field: 'email' },
    });
  return email;
}

const modeOf = (doors: DomainDoors, accountId: string): Promise<DeliveryMode> =>
  admitSender(doors, accountId, sandboxNameOf(doors, accountId));

/** What becomes of messages of the sandbox domain decides which activations count. */
export async function listViewed(doors: DomainDoors, accountId: string) {
  const mode = await modeOf(doors, accountId);
  return (await store.listRecipients(doors.db, accountId)).map((one) => view(one, mode));
}

/** Keeps the recipient with a new link. Throws `invalid_request` for a sixth, `too_many_requests`. */
async function keep(
  doors: DomainDoors,
  { accountId, email, mode }: Pick<SandboxRecipient, 'accountId' | 'email' | 'mode'>,
): Promise<{ kept: SandboxRecipient; isNew: boolean }> {
  const now = doors.clock.now();
  return doors.db.tx(async (tx) => {
    await tx.lock(`sandbox recipients ${accountId}`);
    const all = await store.listRecipients(tx, accountId);
    const found = all.find((one) => one.email === email);
    if (found && isActive(found, mode)) return { kept: found, isNew: false };
    if (!found && all.length >= RECIPIENTS_MAX)
      throw new AppError('invalid_request', `Only ${RECIPIENTS_MAX} sandbox recipients are allowed`, {
        details: { field: 'email' },
      });
    if ((await store.countInvitations(tx, accountId, daysAfter(now, -1))) >= MAILS_A_DAY)
      throw new AppError('too_many_requests', `Only ${MAILS_A_DAY} mails to sandbox recipients are sent in 24 hours.`);
    await store.insertInvitation(tx, accountId, now);
    const row = {
      email,
      token: randomText(18),
      mode,
      invitedAt: now,
      activatedIn: found?.activatedIn ?? null,
      sendAt: mode === 'live' ? now : null,
      tries: 0,
      problem: null,
      createdAt: found?.createdAt ?? now,
    };
    await store.saveRecipient(tx, accountId, row);
    return { kept: { ...row, accountId }, isNew: true };
  });
}

/**
 * Asks an address. Of a domain that delivers, the mail leaves by itself and is no message of the account, which could
 * read the link. Throws `invalid_request`, `conflict` where no link can be written, `too_many_requests`.
 */
export async function addRecipient(ctx: AskingDoors, given: string) {
  const { accountId } = ctx.principal;
  const email = readEmail(given);
  const domain = sandboxNameOf(ctx, accountId);
  const mode = await modeOf(ctx, accountId);
  if (mode === 'live' && ctx.config.publicUrl === '')
    throw new AppError('conflict', 'GALLEY_PUBLIC_URL is not set, so that the mail could have no link that works.');
  const { kept, isNew } = await keep(ctx, { accountId, email, mode });
  if (isNew && mode === 'capture') {
    const { from, subject, text } = letterOf({ email, domain, link: `${ctx.baseUrl}/u/sandbox/${kept.token}` });
    const form = { from: `${from.name} <${from.address}>`, to: email, subject, text, 'o:tracking': 'no' };
    await submitParts(ctx, { accountId, domain, originatingIp: ctx.address, form });
  }
  return { recipient: view(kept, mode), isToSend: isNew && mode === 'live' };
}

/** Throws `invalid_request`, `not_found`. */
export async function removeRecipient({ db }: Pick<Outside, 'db'>, accountId: string, given: string): Promise<void> {
  if (!(await store.deleteRecipient(db, accountId, readEmail(given))))
    throw new AppError('not_found', 'Sandbox recipient not found');
}

/** The recipient that a link is for; undefined when the link is unknown, replaced or too old. */
export async function findInvited(
  doors: Pick<Outside, 'config' | 'db' | 'clock'>,
  token: string,
): Promise<{ email: string; domain: string } | undefined> {
  const found = await store.findByToken(doors.db, token, daysAfter(doors.clock.now(), -LINK_DAYS));
  return found && { email: found.email, domain: sandboxNameOf(doors, found.accountId) };
}

/** Refuses recipients of a sandbox domain that delivers, but its own ones and those that agreed. */
export async function refuseStrangers(
  doors: Pick<Outside, 'config' | 'db'>,
  message: { accountId: string; domain: string; mode: DeliveryMode; addresses: readonly string[] },
): Promise<void> {
  const { accountId, domain, mode, addresses } = message;
  if (mode === 'capture' || domain !== sandboxNameOf(doors, accountId)) return;
  const all = await store.listRecipients(doors.db, accountId);
  const allowed = new Set(all.filter((one) => isActive(one, mode)).map(({ email }) => email));
  const strangers = addresses.filter((address) => {
    const email = canonicalAddress(address);
    return email === undefined || !(email.endsWith(`@${domain}`) || allowed.has(email));
  });
  if (strangers.length === 0) return;
  const more = strangers.length > NAMED_MAX ? ` and ${strangers.length - NAMED_MAX} more` : '';
  throw new AppError(
    'forbidden',
    `Domain ${domain} is a sandbox, which delivers to authorized recipients only. Not authorized: ` +
      `${strangers.slice(0, NAMED_MAX).join(', ')}${more}. Add them by POST /v5/sandbox/auth_recipients, or send as a ` +
      'domain of your own.',
    { details: { field: 'to' } },
  );
}
