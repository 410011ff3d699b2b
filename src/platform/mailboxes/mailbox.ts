import { ImapFlow, type ImapFlowOptions } from 'imapflow';
import { failureOf, MailboxError, OwnFault } from './failure.ts';
import { readFolders, type Folder } from './folders.ts';
import { hasTabs, readCopies, type FoundCopy, type Wanted } from './read-copies.ts';
import { readNew } from './read-new.ts';
import type { FindOptions, Mailbox, MailboxAccount, MailboxCopy, MailboxLimits, MailboxOutcome } from './types.ts';

const LIMITS: MailboxLimits = { connectTimeoutMs: 10_000, timeoutMs: 45_000, foldersMax: 40, messagesMax: 500 };

/** A mailbox at a provider. Every call is a connection of its own, and over within `timeoutMs`. */
export function createMailbox(account: MailboxAccount, limits: Partial<MailboxLimits> = {}): Mailbox {
  const bounds = { ...LIMITS, ...limits };
  const visit = <Value extends object>(signal: AbortSignal | undefined, work: (client: ImapFlow) => Promise<Value>) =>
    visitOnce({ account, bounds, signal }, work);
  const find = (wanted: Wanted, signal: AbortSignal | undefined) =>
    visit(signal, async (client) => ({ found: await collect(client, { wanted, limits: bounds }) }));
  return {
    async find({ header, value }, { signal, since } = {}) {
      const outcome = await find({ header, values: new Set([value]), since }, signal);
      return outcome.ok ? { ok: true, copies: outcome.found.map(({ copy }) => copy) } : outcome;
    },
    async findAll(header, values, { signal, since } = {}) {
      const outcome = await find({ header, values: new Set(values), since }, signal);
      if (!outcome.ok) return outcome;
      const copies = new Map<string, MailboxCopy[]>(values.map((value) => [value, []]));
      for (const { copy, value } of outcome.found) copies.get(value)?.push(copy);
      return { ok: true, copies };
    },
    remove: ({ header, value }, { signal, since }: FindOptions = {}) =>
      visit(signal, async (client) => ({
        removed: await removeAll(client, { wanted: { header, values: new Set([value]), since }, limits: bounds }),
      })),
    readNew: (wanted, signal) => visit(signal, (client) => readNew(client, wanted)),
    probe: (signal) =>
      visit(signal, async (client) => {
        const folders = readFolders(await client.list(), bounds.foldersMax);
        return {
          folders: folders.map(({ path, placement, category }) => ({ path, placement, category })),
          hasTabs: hasTabs(client),
        };
      }),
  };
}

interface Visit {
  account: MailboxAccount;
  bounds: MailboxLimits;
  signal: AbortSignal | undefined;
}

async function visitOnce<Value extends object>(
  { account, bounds, signal }: Visit,
  work: (client: ImapFlow) => Promise<Value>,
): Promise<MailboxOutcome<Value>> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  // The deadline may pass when nobody listens any more.
  stopped.catch(() => undefined);
  const timer = setTimeout(() => reject(new MailboxError('timeout')), bounds.timeoutMs);
  const onAbort = () => reject(new MailboxError('aborted'));
  signal?.addEventListener('abort', onAbort, { once: true });
  const client = new ImapFlow(optionsOf(account, bounds));
  // Errors of the connection outside of a command: the next command fails with them.
  client.on('error', (error) => reject(error));
  try {
    if (signal?.aborted) throw new MailboxError('aborted');
    const run = async (): Promise<Value> => {
      await client.connect();
      const value = await work(client);
      // Waited for only to end politely; the work is done either way.
      await Promise.race([
        client.logout().catch(() => undefined),
        new Promise((resolve) => setTimeout(resolve, 1000).unref()),
      ]);
      return value;
    };
    return { ok: true, ...(await Promise.race([run(), stopped])) };
  } catch (error) {
    if (error instanceof OwnFault) throw error.cause;
    return failureOf(error, account, bounds.timeoutMs);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    client.close();
  }
}

function optionsOf(account: MailboxAccount, bounds: MailboxLimits): ImapFlowOptions {
  const { security = 'tls', credentials } = account;
  return {
    host: account.address ?? account.host,
    servername: account.host,
    port: account.port ?? 993,
    secure: security === 'tls',
    // Unset would mean: encrypt if the server happens to offer it.
    doSTARTTLS: security === 'starttls',
    auth: {
      user: account.user,
      ...('password' in credentials ? { pass: credentials.password } : { accessToken: credentials.accessToken }),
    },
    tls: { rejectUnauthorized: account.verifyCertificate !== false },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: Math.min(bounds.connectTimeoutMs, bounds.timeoutMs),
    greetingTimeout: Math.min(bounds.connectTimeoutMs, bounds.timeoutMs),
    socketTimeout: bounds.timeoutMs,
    maxLineLength: 1024 * 1024,
    maxLiteralSize: 4 * 1024 * 1024,
    maxResponseSize: 8 * 1024 * 1024,
  };
}

interface Search {
  wanted: Wanted;
  limits: MailboxLimits;
}

/** Inbox and spam first; of several views of one Gmail message the first counts. */
async function collect(client: ImapFlow, { wanted, limits }: Search): Promise<FoundCopy[]> {
  const found: FoundCopy[] = [];
  const seen = new Set<string>();
  const missing = new Set(wanted.values);
  for (const folder of readFolders(await client.list(), limits.foldersMax)) {
    if (folder.isAll && missing.size === 0) continue;
    for (const one of await readCopies(client, folder, {
      wanted: folder.isAll ? { ...wanted, values: missing } : wanted,
      limits,
    })) {
      const isView = one.emailId !== undefined && hasTabs(client) && seen.has(one.emailId);
      if (one.emailId !== undefined) seen.add(one.emailId);
      if (!isView) found.push(one);
    }
    for (const { value } of found) missing.delete(value);
  }
  return found;
}

async function removeAll(client: ImapFlow, search: Search): Promise<number> {
  const copies = await collect(client, search);
  const trash = hasTabs(client) ? (await client.list()).find(({ specialUse }) => specialUse === '\\Trash') : undefined;
  for (const [path, uids] of byFolder(copies)) {
    await client.mailboxOpen(path);
    const range = uids.join(',');
    // Deleting in Gmail only removes the label; only messages deleted from its trash are gone.
    const isDone = trash
      ? await client.messageMove(range, trash.path, { uid: true })
      : await client.messageDelete(range, { uid: true });
    if (!isDone) throw new MailboxError(client.usable ? 'protocol' : 'lost');
  }
  if (trash && copies.length)
    await emptyOf(client, { path: trash.path, placement: 'category', category: null, isAll: false }, search);
  return copies.length;
}

async function emptyOf(client: ImapFlow, trash: Folder, search: Search): Promise<void> {
  const left = await readCopies(client, trash, search);
  if (left.length === 0) return;
  await client.mailboxOpen(trash.path);
  await client.messageDelete(left.map(({ copy }) => copy.uid).join(','), { uid: true });
}

function byFolder(copies: readonly FoundCopy[]): Map<string, number[]> {
  const folders = new Map<string, number[]>();
  for (const { copy } of copies) folders.set(copy.folder, [...(folders.get(copy.folder) ?? []), copy.uid]);
  return folders;
}
