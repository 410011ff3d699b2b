// An account's own seed mailboxes. Their credentials are stored encrypted, and decrypted only for a visit.
import { RECEIVERS } from '../../../engines/receivers/index.ts';
import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { isPublicAddress, parseAllowList } from '../../../platform/fetch/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import {
  createMailbox,
  type Mailbox,
  type MailboxAccount,
  type MailboxFailure,
} from '../../../platform/mailboxes/index.ts';
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

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/** Allows only IMAP ports, so that a mailbox cannot be used to probe other services. */
function checkPort({ config }: Pick<Outside, 'config'>, port: number): void {
  const { imapPorts } = config;
  if (imapPorts.some(({ from, to }) => port >= from && port <= to)) return;
  throw invalid(
    'port',
    `must be ${imapPorts.map(({ from, to }) => (from === to ? from : `${from}-${to}`)).join(' or ')}; ` +
      'GALLEY_IMAP_PORTS can open others.',
  );
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
  if (!DOMAIN.test(host) && !/^[0-9a-f:.[\]]+$/i.test(host))
    throw invalid('host', `"${host}" is not the name or address of a server.`);
  if (security === 'none' && !isLoopback(host))
    throw invalid('security', 'may be none only for a server on this machine; credentials would travel in the clear.');
  const provider = (fields.provider ?? (before.provider || (email.split('@')[1] as string))).toLowerCase();
  if (RECEIVERS.some(({ domain }) => domain === provider))
    throw invalid('provider', `"${provider}" is one of Galley's own receivers.`);
  const port = fields.port ?? (before.port || (security === 'tls' ? 993 : 143));
  checkPort(outside, port);
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

async function addressesOf({ dns }: Pick<Outside, 'dns'>, host: string): Promise<string[]> {
  const literal = host.replace(/^\[|\]$/g, '');
  if (/^[\d.]+$/.test(literal) || literal.includes(':')) return [literal];
  if (literal.toLowerCase() === 'localhost') return ['127.0.0.1'];
  const answers = await Promise.allSettled([dns.resolve(literal, 'A'), dns.resolve(literal, 'AAAA')]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

function failure(reason: MailboxFailure['reason'], message: string, isTemporary: boolean): MailboxFailure {
  return { ok: false, reason, message, isTemporary };
}

/**
 * The client of the mailbox; it is not connected yet. Whoever may add mailboxes must not reach into the network
 * that Galley stands in, so the address is checked here and the connection made to just that address.
 */
export async function openMailbox(
  outside: Pick<Outside, 'config' | 'dns' | 'secrets'>,
  box: SeedMailbox,
): Promise<{ ok: true; mailbox: Mailbox } | MailboxFailure> {
  if (!outside.config.imapPorts.some(({ from, to }) => box.port >= from && box.port <= to))
    return failure('refused', `Port ${box.port} is not open to mailboxes; GALLEY_IMAP_PORTS can open it.`, false);
  const addresses = await addressesOf(outside, box.host);
  if (addresses.length === 0) return failure('dns', `${box.host} has no address, or it could not be looked up.`, true);
  const isAllowed = parseAllowList(outside.config.fetch.allowHosts);
  const host = box.host.toLowerCase();
  const address = addresses.find((one) => isPublicAddress(one) || isAllowed({ host, port: box.port, address: one }));
  if (address === undefined)
    return failure('refused', `${box.host} is not at a public address; GALLEY_ALLOW_HOSTS can open it.`, false);
  const mailbox = createMailbox({
    host: box.host,
    address,
    port: box.port,
    security: box.security,
    user: box.userName,
    credentials: openCredentials(outside, box),
    verifyCertificate: box.verifyCertificate,
  });
  return { ok: true, mailbox };
}

/** Logs in, lists folders, and remembers whether that worked. */
export async function tryMailbox(
  outside: Pick<Outside, 'config' | 'db' | 'dns' | 'secrets' | 'clock'>,
  box: SeedMailbox,
  signal: AbortSignal = AbortSignal.timeout(30_000),
) {
  const opened = await openMailbox(outside, box);
  const outcome = opened.ok ? await opened.mailbox.probe(signal) : opened;
  await store.noteCheck(outside.db, box, {
    status: outcome.ok ? 'working' : 'failing',
    message: outcome.ok ? null : outcome.message,
    at: outside.clock.now(),
  });
  return outcome;
}
