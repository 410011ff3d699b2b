// One reading of a connection: what the provider has of the days that are asked for.
import type { Outside } from '../../../platform/feature/index.ts';
import { DAY_MS } from '../../../platform/times/index.ts';
import { Refusal } from './ask.ts';
import { saveCompliance } from './compliance-store.ts';
import { updateConnection, type Connection } from './connection-store.ts';
import { DAYS_MAX } from './connection-contract.ts';
import { openCredentials, purposeOf, type Credentials } from './credentials.ts';
import { dayAfter, dayOf, daysBetween } from './days.ts';
import { GoogleReader } from './google.ts';
import { DAILY_METRICS, domainRecords, loopQuestions, loopRecords } from './google-metrics.ts';
import * as records from './records-store.ts';
import { askSndsLink, askSndsReport, askSndsToken, type SndsDoor } from './snds.ts';
import type { Days } from './store.ts';

type SyncDoors = SndsDoor & Pick<Outside, 'db' | 'secrets'>;

/** What a reading came to: the last domain or day that it finished when it was told to wait. */
export interface Progress {
  after: string | null;
  /** Domains that it may not read, or what else a person should know. */
  remark: string | null;
}

interface Reading {
  doors: SyncDoors;
  connection: Connection;
  days: Days;
  signal: AbortSignal;
  progress: Progress;
}

const NAMED_MAX = 5;

function remarkOn(refused: readonly string[]): string | null {
  if (refused.length === 0) return null;
  const named = refused.slice(0, NAMED_MAX).join(', ');
  const more = refused.length > NAMED_MAX ? ` and ${refused.length - NAMED_MAX} more` : '';
  return `Google does not let the service account read figures of ${named}${more}.`;
}

async function readGoogle({ doors, connection, days, signal, progress }: Reading): Promise<void> {
  const { account, subject } = openCredentials(doors, connection, 'service_account');
  const { baseUrl, tokenUrl } = connection.settings;
  const access = { account, baseUrl, tokenUrl, ...(subject !== undefined && { subject }) };
  const reader = new GoogleReader(doors, access, signal);
  const refused: string[] = [];
  const { resumeAfter } = connection;
  for (const domain of await reader.listDomains()) {
    if (resumeAfter !== null && domain <= resumeAfter) continue;
    const stats = await reader.queryStats(domain, DAILY_METRICS, days);
    if (!stats) {
      refused.push(domain);
      continue;
    }
    const loops: records.LoopRecord[] = [];
    for (const { ids, metrics } of loopQuestions(stats)) {
      const told = await reader.queryStats(domain, metrics, days);
      loops.push(...loopRecords(domain, ids, told ?? []));
    }
    const status = await reader.readCompliance(domain);
    const writing = { accountId: connection.accountId, now: doors.clock.now() };
    await doors.db.tx(async (tx) => {
      await records.writeDomains(tx, { ...writing, provider: 'google', source: 'api' }, domainRecords(domain, stats));
      await records.writeLoops(tx, writing, loops);
      if (status) await saveCompliance(tx, writing.accountId, { domain, day: dayOf(writing.now), status });
    });
    progress.after = domain;
  }
  progress.remark = remarkOn(refused);
}

async function readRest({ doors, connection, days, signal, progress }: Reading): Promise<void> {
  const { accountId, id, settings } = connection;
  const credentials = openCredentials(doors, connection, 'refresh_token');
  const { token, refreshToken } = await askSndsToken(doors, { ...credentials, ...settings }, signal);
  // The old one may end with the first use of the new one, so it is kept before anything else is asked.
  if (refreshToken !== undefined && refreshToken !== credentials.refreshToken) {
    const kept: Credentials = { ...credentials, refreshToken };
    const sealedCredentials = doors.secrets.seal(JSON.stringify(kept), purposeOf(id));
    await updateConnection(doors.db, { accountId, id }, { sealedCredentials });
  }
  const { baseUrl } = settings;
  const writing = { accountId, now: doors.clock.now() };
  for (const day of daysBetween(days.from, days.to)) {
    if (connection.resumeAfter !== null && day <= connection.resumeAfter) continue;
    const report = await askSndsReport(doors, { baseUrl, token, day, signal });
    await doors.db.tx((tx) => records.writeSnds(tx, { ...writing, source: 'api' }, report.records));
    progress.after = day;
  }
  const { ranges } = await askSndsReport(doors, { baseUrl, token, day: 'status', signal });
  await doors.db.tx((tx) => records.replaceRanges(tx, writing, ranges));
}

async function readLinks({ doors, connection, days, signal, progress }: Reading): Promise<void> {
  const { dataUrl, statusUrl } = openCredentials(doors, connection, 'links');
  const writing = { accountId: connection.accountId, now: doors.clock.now() };
  if (dataUrl !== undefined)
    for (const day of daysBetween(days.from, days.to)) {
      if (connection.resumeAfter !== null && day <= connection.resumeAfter) continue;
      const report = await askSndsLink(doors, { url: dataUrl, day, signal });
      await doors.db.tx((tx) => records.writeSnds(tx, { ...writing, source: 'links' }, report.records));
      progress.after = day;
    }
  if (statusUrl === undefined) return;
  const { ranges } = await askSndsLink(doors, { url: statusUrl, signal });
  await doors.db.tx((tx) => records.replaceRanges(tx, writing, ranges));
}

const READERS = { service_account: readGoogle, refresh_token: readRest, links: readLinks } as const;

/** Days before the last good reading that are read again: providers add to them. */
const AGAIN_DAYS = 3;

/** All that is asked for, and what was missed since the last good reading. */
function daysToRead({ days, succeededAt }: Connection, now: Date): number {
  const missed = succeededAt ? Math.ceil((now.getTime() - succeededAt.getTime()) / DAY_MS) + AGAIN_DAYS : 0;
  return Math.min(DAYS_MAX, Math.max(days, missed));
}

/** Reads a connection. `refusal` says where the provider stopped it; what was read until then is kept. */
export async function readConnection(
  doors: SyncDoors,
  connection: Connection,
  signal: AbortSignal,
): Promise<Progress & { refusal?: Refusal }> {
  const now = doors.clock.now();
  const days = { from: dayAfter(dayOf(now), -daysToRead(connection, now)), to: dayOf(now) };
  const progress: Progress = { after: connection.resumeAfter, remark: null };
  try {
    await READERS[connection.method]({ doors, connection, days, signal, progress });
    return progress;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...progress, refusal: error };
  }
}
