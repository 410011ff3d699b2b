// Connecting a provider's tool, and bringing its exports: what is given is checked before anything is kept.
import { createPrivateKey } from 'node:crypto';
import { AppError, invalid, messageOf } from '../../../platform/errors/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { literalRefusalOf, parseAllowList } from '../../../platform/fetch/index.ts';
import { fileOf } from '../../../platform/http/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { readSpreadsheetAsJson } from '../../../platform/spreadsheets/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { tellGone } from './alarms.ts';
import { whyNoRows } from '../../../platform/spreadsheets/rows.ts';
import { readSheetRows, readSndsSheet } from './computations.ts';
import * as store from './connection-store.ts';
import type { Connection, ConnectionSettings, NewConnection } from './connection-store.ts';
import { purposeOf, type Credentials } from './credentials.ts';
import { GOOGLE_TOKEN_URL, GOOGLE_URL, type ServiceAccount } from './google.ts';
import { countFigures, sync } from './jobs.ts';
import * as records from './records-store.ts';
import { domainIn } from './sheet.ts';
import type { Problem } from './snds-report.ts';
import { SNDS_CLIENT, SNDS_TOKEN_URL, SNDS_URL } from './snds.ts';

type Doors = Pick<Context, 'config' | 'db' | 'secrets' | 'clock' | 'jobs' | 'principal'>;

interface Asked {
  provider: 'google' | 'snds';
  name: string;
  service_account?: unknown;
  subject?: string;
  refresh_token?: string;
  client_id?: string;
  data_url?: string;
  status_url?: string;
  base_url?: string;
  token_url?: string;
  days: number;
}

const CONNECTIONS_MAX = 20;
const TITLES = { google: 'Google Postmaster Tools', snds: 'Microsoft SNDS' } as const;
/** As Microsoft has it for links of the automated access. */
const LINK_DAYS = 30;

/** An address to ask, without a slash at its end. Throws `invalid_request`. */
export function readUrl({ config }: Pick<Outside, 'config'>, field: string, text: string): string {
  const given = text.trim();
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username || url.password)
    throw invalid(field, 'must be an https address without user name and password.');
  const isAllowed = literalRefusalOf(url, parseAllowList(config.fetch.allowHosts)) === undefined;
  if (!isAllowed) throw invalid(field, 'is not open to requests from here.');
  return given.replace(/\/+$/, '');
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** Reads the key file of a service account. Throws `invalid_request` that names the field. */
function readServiceAccount(given: unknown): ServiceAccount {
  let value = given;
  if (typeof given === 'string') {
    try {
      value = JSON.parse(given);
    } catch {
      throw invalid('service_account', 'is no JSON: give the key file of the service account as it was downloaded.');
    }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('service_account', 'must be the JSON object of the key file.');
  const { type, client_email, private_key, private_key_id } = value as Record<string, unknown>;
  if (type !== undefined && type !== 'service_account')
    throw invalid('service_account.type', 'must be service_account: keys of other kinds cannot be used here.');
  if (!isText(client_email) || client_email.length > 320)
    throw invalid('service_account.client_email', 'is required: the email address of the service account.');
  if (!isText(private_key)) throw invalid('service_account.private_key', 'is required: the key in PEM form.');
  try {
    const key = createPrivateKey(private_key);
    if (key.asymmetricKeyType !== 'rsa') throw new Error(`it is of the kind ${key.asymmetricKeyType}`);
  } catch (cause) {
    throw invalid('service_account.private_key', `is no RSA key in PEM form (${messageOf(cause).slice(0, 100)}).`);
  }
  return { client_email, private_key, ...(isText(private_key_id) && { private_key_id }) };
}

type Made = Pick<NewConnection, 'method'> & { settings: Omit<ConnectionSettings, 'name'>; credentials: Credentials };

function makeGoogle(doors: Pick<Outside, 'config'>, asked: Asked): Made {
  if (asked.service_account === undefined)
    throw invalid('service_account', 'is required: the JSON key of a service account.');
  const account = readServiceAccount(asked.service_account);
  const baseUrl = readUrl(doors, 'base_url', asked.base_url ?? GOOGLE_URL);
  const tokenUrl = readUrl(doors, 'token_url', asked.token_url ?? GOOGLE_TOKEN_URL);
  const settings = { asks: baseUrl, identity: account.client_email, baseUrl, tokenUrl, endsAt: null };
  return {
    method: 'service_account',
    settings,
    credentials: { account, ...(asked.subject && { subject: asked.subject }) },
  };
}

function makeSnds(doors: Pick<Outside, 'config'>, asked: Asked, now: Date): Made {
  const { refresh_token: refreshToken, data_url: data, status_url: status } = asked;
  const isLinks = data !== undefined || status !== undefined;
  if ((refreshToken === undefined) === !isLinks)
    throw invalid('refresh_token, data_url:', 'give one of them: the access of a Microsoft account, or links.');
  if (refreshToken !== undefined) {
    const baseUrl = readUrl(doors, 'base_url', asked.base_url ?? SNDS_URL);
    const tokenUrl = readUrl(doors, 'token_url', asked.token_url ?? SNDS_TOKEN_URL);
    const clientId = asked.client_id ?? SNDS_CLIENT;
    const settings = { asks: baseUrl, identity: '', baseUrl, tokenUrl, endsAt: null };
    return { method: 'refresh_token', settings, credentials: { clientId, refreshToken } };
  }
  const dataUrl = data === undefined ? undefined : readUrl(doors, 'data_url', data);
  const statusUrl = status === undefined ? undefined : readUrl(doors, 'status_url', status);
  const endsAt = daysAfter(now, LINK_DAYS).toISOString();
  const asks = new URL((dataUrl ?? statusUrl) as string).host;
  return {
    method: 'links',
    settings: { asks, identity: '', baseUrl: '', tokenUrl: '', endsAt },
    credentials: { ...(dataUrl !== undefined && { dataUrl }), ...(statusUrl !== undefined && { statusUrl }) },
  };
}

/** Keeps a connection and reads it at once. Throws `invalid_request`, or `conflict` where there are too many. */
export async function createConnection(doors: Doors, asked: Asked): Promise<Connection> {
  const { accountId } = doors.principal;
  const now = doors.clock.now();
  const { method, settings, credentials } =
    asked.provider === 'google' ? makeGoogle(doors, asked) : makeSnds(doors, asked, now);
  const id = newId();
  const row: NewConnection = {
    id,
    provider: asked.provider,
    method,
    settings: { ...settings, name: asked.name.trim() || TITLES[asked.provider] },
    sealedCredentials: doors.secrets.seal(JSON.stringify(credentials), purposeOf(id)),
    state: 'waiting',
    problem: null,
    days: asked.days,
    resumeAfter: null,
    checkedAt: null,
    succeededAt: null,
    dueAt: daysAfter(now, 1),
    createdAt: now,
  };
  await doors.db.tx(async (tx) => {
    await tx.lock(`postmaster ${accountId}`);
    if ((await store.listConnections(tx, accountId)).length >= CONNECTIONS_MAX)
      throw new AppError('conflict', `An account has at most ${CONNECTIONS_MAX} connections; delete one first.`);
    await store.insertConnection(tx, accountId, row);
    await doors.jobs.enqueue(tx, sync, { payloads: [{ accountId, id }], account: accountId });
  });
  doors.jobs.wake();
  return { ...row, accountId };
}

const missing = (): AppError => new AppError('not_found', 'There is no such connection.');

/** Reads so many days of a connection now. Throws `not_found`. */
export async function syncConnection(doors: Doors, id: string, days: number): Promise<Connection> {
  const { accountId } = doors.principal;
  const found = await doors.db.tx(async (tx) => {
    if (!(await store.updateConnection(tx, { accountId, id }, { days, resumeAfter: null }))) throw missing();
    await doors.jobs.enqueue(tx, sync, { payloads: [{ accountId, id }], account: accountId });
    return store.findConnection(tx, accountId, id);
  });
  doors.jobs.wake();
  if (!found) throw missing();
  return found;
}

/** Deletes a connection with its secret; what is open about it is over. Throws `not_found`. */
export async function removeConnection(
  doors: Pick<Doors, 'db' | 'jobs' | 'clock' | 'principal'>,
  id: string,
): Promise<void> {
  const { accountId } = doors.principal;
  const connection = await store.findConnection(doors.db, accountId, id);
  if (!connection || !(await store.deleteConnection(doors.db, accountId, id))) throw missing();
  await tellGone(doors, connection);
}

interface Upload {
  provider: 'google' | 'yahoo' | 'snds';
  domain?: string;
  file?: unknown;
}

interface Uploaded {
  records: number;
  skipped: number;
  problems: Problem[];
}

/** Where not one row could be read, the first problem is the answer. */
function refuseNothing({ records: count, problems }: Uploaded): void {
  if (count === 0) throw invalid('file', whyNoRows(problems));
}

type UploadDoors = Pick<Context, 'db' | 'compute' | 'clock' | 'jobs' | 'principal'>;

async function keepSnds(doors: UploadDoors, rows: string): Promise<Uploaded> {
  const report = await doors.compute.run(readSndsSheet, { rows }, { urgency: 'answer' });
  const { skipped, problems, ranges } = report;
  const uploaded = { records: report.records.length + ranges.length, skipped, problems };
  refuseNothing(uploaded);
  const writing = { accountId: doors.principal.accountId, now: doors.clock.now() };
  await doors.db.tx(async (tx) => {
    await records.writeSnds(tx, { ...writing, source: 'upload' }, report.records);
    if (ranges.length > 0) await records.replaceRanges(tx, writing, ranges);
  });
  return uploaded;
}

async function keepSheet(
  doors: UploadDoors,
  { provider, domain }: { provider: 'google' | 'yahoo'; domain: string | undefined },
  rows: string,
): Promise<Uploaded> {
  const { accountId } = doors.principal;
  const sheet = await doors.compute.run(
    readSheetRows,
    { rows, ...(domain !== undefined && { domain }) },
    { urgency: 'answer' },
  );
  const { domains, loops, addresses, skipped, problems } = sheet;
  const uploaded = { records: domains.length + loops.length + addresses.length, skipped, problems };
  refuseNothing(uploaded);
  if (provider === 'yahoo' && loops.length + addresses.length > 0)
    throw invalid('file', 'names feedback loops or addresses, of which Yahoo says nothing.');
  const writing = { accountId, now: doors.clock.now() };
  await doors.db.tx(async (tx) => {
    await records.writeDomains(tx, { ...writing, provider, source: 'upload' }, domains);
    await records.writeLoops(tx, writing, loops);
    await records.writeAddresses(tx, writing, addresses);
    await doors.jobs.enqueue(tx, countFigures, { payloads: [{ accountId }], account: accountId });
  });
  doors.jobs.wake();
  return uploaded;
}

/** Reads an export and keeps its records, all of them or none. Throws `invalid_request`. */
export async function keepUpload(doors: UploadDoors, { provider, domain, file }: Upload): Promise<Uploaded> {
  const { bytes } = fileOf('file', file);
  const given = domain?.trim() || undefined;
  if (given !== undefined && domainIn(given) === undefined)
    throw invalid('domain', `"${given.slice(0, 100)}" is no domain.`);
  const rows = await readSpreadsheetAsJson(bytes, { field: 'file' });
  return provider === 'snds' ? keepSnds(doors, rows) : keepSheet(doors, { provider, domain: given }, rows);
}
