// An account's own seed mailboxes. Their credentials are stored encrypted, and decrypted only for a visit.
import { RECEIVERS } from '../../../engines/receivers/index.ts';
import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { checkServer, openMailbox, type MailboxAccount } from '../../../platform/mailboxes/index.ts';
import { admitStored } from '../../account/accounts/index.ts';
import * as store from './mailboxes-store.ts';
import type { SeedMailbox } from './mailboxes-store.ts';

export interface MailboxFields {
  email?: string | undefined;
  display_name?: string | undefined;
  category?: 'b2c' | 'b2b' | undefined;
  region?: string | undefined;
  provider?: string | undefined;
  host?: string | undefined;
  port?: number | undefined;
  security?: SeedMailbox['security'] | undefined;
  user?: string | undefined;
  password?: string | undefined;
  access_token?: string | undefined;
  verify_certificate?: boolean | undefined;
  enabled?: boolean | undefined;
}

type Credentials = MailboxAccount['credentials'];

const DOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;

/** What a mailbox's secret is sealed for: moved to another row it does not open. */
const purposeOf = (id: string): string => `seed mailbox:${id}`;

function readCredentials({ password, access_token: accessToken }: MailboxFields): Credentials | undefined {
  if (password !== undefined && accessToken !== undefined)
    throw invalid('password, access_token:', 'give one of them, not both.');
  if (password !== undefined) return { password };
  return accessToken === undefined ? undefined : { accessToken };
}

function checkEmail(email: string): void {
  const [local, domain, ...rest] = email.split('@');
  if (!local || !domain || rest.length || /[\s<>"\0]/.test(email) || !DOMAIN.test(domain))
    throw invalid('email', `"${email}" is not an email address.`);
}

/** What was proven of a mailbox with the settings before counts for the same address, server and login only. */
function proofsOf(before: SeedMailbox, after: SeedMailbox): Pick<SeedMailbox, 'loggedInAt' | 'receivedAt'> {
  const isSame = (['email', 'host', 'port', 'security', 'userName', 'sealedCredentials'] as const).every(
    (name) => before[name] === after[name],
  );
  return isSame
    ? { loggedInAt: before.loggedInAt, receivedAt: before.receivedAt }
    : { loggedInAt: null, receivedAt: null };
}

function applyFields(outside: Pick<Outside, 'config'>, before: SeedMailbox, fields: MailboxFields): SeedMailbox {
  const email = fields.email ?? before.email;
  checkEmail(email);
  const security = fields.security ?? before.security;
  const host = fields.host ?? before.host;
  const provider = (fields.provider ?? (before.provider || (email.split('@')[1] as string))).toLowerCase();
  if (RECEIVERS.some(({ domain }) => domain === provider))
    throw invalid('provider', `"${provider}" is one of Galley's own receivers.`);
  const port = fields.port ?? (before.port || (security === 'tls' ? 993 : 143));
  checkServer(outside, { host, port, security });
  return {
    ...before,
    email,
    host,
    security,
    provider,
    displayName: fields.display_name ?? (before.displayName || (email.split('@')[1] as string)),
    category: fields.category ?? before.category,
    region: fields.region ?? before.region,
    port,
    userName: fields.user ?? (before.userName || email),
    verifyCertificate: fields.verify_certificate ?? before.verifyCertificate,
    isEnabled: fields.enabled ?? before.isEnabled,
  };
}

export async function addMailbox(
  ctx: Pick<Context, 'config' | 'db' | 'secrets' | 'clock' | 'principal'>,
  fields: MailboxFields,
): Promise<SeedMailbox> {
  const credentials = readCredentials(fields);
  if (!credentials) throw invalid('password, access_token:', 'give one of them.');
  const now = ctx.clock.now();
  const id = newId();
  const blank: SeedMailbox = {
    id,
    accountId: ctx.principal.accountId,
    email: '',
    provider: '',
    displayName: '',
    category: 'b2c',
    region: 'Global',
    host: '',
    port: 0,
    security: 'tls',
    userName: '',
    sealedCredentials: ctx.secrets.seal(JSON.stringify(credentials), purposeOf(id)),
    verifyCertificate: true,
    isEnabled: true,
    status: 'untested',
    statusMessage: null,
    checkedAt: null,
    visitingUntil: null,
    loggedInAt: null,
    receivedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  const made = applyFields(ctx, blank, fields);
  await admitStored(ctx, made.accountId, {
    quota: 'mailboxes',
    count: async () => (await store.listMailboxes(ctx.db, made.accountId)).length,
  });
  if (!(await store.insertMailbox(ctx.db, made)))
    throw new AppError('conflict', `There is a mailbox with the address ${made.email} already.`);
  return made;
}

export async function getMailbox(ctx: Pick<Context, 'db' | 'principal'>, id: string): Promise<SeedMailbox> {
  const found = await store.findMailbox(ctx.db, ctx.principal.accountId, id);
  if (!found) throw notFound('seed mailbox', id);
  return found;
}

export async function changeMailbox(
  ctx: Pick<Context, 'config' | 'db' | 'secrets' | 'clock' | 'principal'>,
  id: string,
  fields: MailboxFields,
): Promise<SeedMailbox> {
  const before = await getMailbox(ctx, id);
  const credentials = readCredentials(fields);
  const changed = {
    ...applyFields(ctx, before, fields),
    updatedAt: ctx.clock.now(),
    status: 'untested' as const,
    statusMessage: null,
  };
  if (credentials) changed.sealedCredentials = ctx.secrets.seal(JSON.stringify(credentials), purposeOf(id));
  const saved = await store.updateMailbox(ctx.db, { ...changed, ...proofsOf(before, changed) });
  if (saved === null) throw new AppError('conflict', `There is a mailbox with the address ${changed.email} already.`);
  if (!saved) throw notFound('seed mailbox', id);
  return saved;
}

export async function removeMailbox(ctx: Pick<Context, 'db' | 'principal'>, id: string): Promise<void> {
  if (!(await store.deleteMailbox(ctx.db, ctx.principal.accountId, id))) throw notFound('seed mailbox', id);
}

export function kindOfCredentials(
  { secrets }: Pick<Outside, 'secrets'>,
  box: SeedMailbox,
): 'password' | 'access_token' {
  return 'password' in openCredentials({ secrets }, box) ? 'password' : 'access_token';
}

function openCredentials({ secrets }: Pick<Outside, 'secrets'>, box: SeedMailbox): Credentials {
  return JSON.parse(secrets.open(box.sealedCredentials, purposeOf(box.id))) as Credentials;
}

/** The client of the mailbox; it is not connected yet. */
export function openSeedMailbox(outside: Pick<Outside, 'config' | 'dns' | 'secrets'>, box: SeedMailbox) {
  const { host, port, security, userName: user, verifyCertificate } = box;
  const credentials = openCredentials(outside, box);
  return openMailbox(outside, { host, port, security, user, credentials, verifyCertificate });
}

/** Logs in, lists folders, and remembers whether that worked. */
export async function tryMailbox(
  outside: Pick<Outside, 'config' | 'db' | 'dns' | 'secrets' | 'clock'>,
  box: SeedMailbox,
  signal: AbortSignal = AbortSignal.timeout(30_000),
) {
  const opened = await openSeedMailbox(outside, box);
  const outcome = opened.ok ? await opened.mailbox.probe(signal) : opened;
  await store.noteCheck(outside.db, box, {
    status: outcome.ok ? 'working' : 'failing',
    message: outcome.ok ? null : outcome.message,
    at: outside.clock.now(),
  });
  return outcome;
}
