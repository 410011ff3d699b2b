// Microsoft's SNDS, the two ways in: the REST interface (since June 2026, with the access of a Microsoft account) and
// the links of its automated access (CSV; they end after 30 days).
import type { Outside } from '../../../platform/feature/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { readSpreadsheet } from '../../../platform/spreadsheets/index.ts';
import { ask, askForToken, jsonOf, Refusal, wordsOf, type Door } from './ask.ts';
import { readSndsJson, readSndsRows, type SndsReport } from './snds-report.ts';

/**
 * Addresses, client and scope as public programs use them (kt-snds-exporter and snds-mcp on GitHub, read in November
 * 2026); Microsoft publishes no document of this interface. The client is the public one of the SNDS portal.
 */
export const SNDS_URL = 'https://substrate.office.com/ip-domain-management-snds';
export const SNDS_TOKEN_URL = 'https://login.microsoftonline.com/consumers/oauth2/v2.0/token';
export const SNDS_CLIENT = 'a53a6cc1-a1cd-46f7-a4aa-281cdabec33c';
const WHO = 'Microsoft SNDS';

export type SndsDoor = Door & Pick<Outside, 'compute'>;

const NOTHING: SndsReport = { records: [], ranges: [], skipped: 0, problems: [] };

/** CSV is read in a process of its own, however it came. */
async function readCsv(body: Buffer, day: string | undefined): Promise<SndsReport> {
  if (body.toString('utf8', 0, 1000).trim() === '') return NOTHING;
  try {
    return readSndsRows(await readSpreadsheet(body, { field: 'report' }), day);
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== 'invalid_request') throw cause;
    throw new Refusal('failed', `${WHO} answered with a report that cannot be read: ${cause.message}`);
  }
}

/** What an answer of status 200 reports. A page for people means that the access has ended. */
async function readReport({ type, body }: { type: string; body: Buffer }, day?: string): Promise<SndsReport> {
  const start = body.toString('utf8', 0, 200).trimStart();
  if (type.includes('html') || start.startsWith('<'))
    throw new Refusal('expired', `${WHO} answered with a web page instead of a report: its access has ended.`);
  const isJson = type.includes('json') || start.startsWith('[') || start.startsWith('{');
  const report = isJson ? readSndsJson(jsonOf(WHO, body), day) : await readCsv(body, day);
  if (!report) throw new Refusal('failed', `${WHO} answered with JSON that holds no list.`);
  const read = report.records.length + report.ranges.length;
  if (read === 0 && report.skipped > 0)
    throw new Refusal('failed', `${WHO} answered with a report of another form: ${report.problems[0]?.message}`);
  return report;
}

interface RestAccess {
  clientId: string;
  refreshToken: string;
  baseUrl: string;
  tokenUrl: string;
}

/** A new access token, and the refresh token that replaces the one it was asked with, where there is one. */
export function askSndsToken(door: Door, { clientId, refreshToken, tokenUrl }: RestAccess, signal: AbortSignal) {
  const form = {
    client_id: clientId,
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    scope: `${clientId}/.default offline_access`,
  };
  return askForToken(door, { who: WHO, url: tokenUrl, form, signal });
}

/** The report of a day, or of what is blocked now. Throws {@link Refusal}. */
export async function askSndsReport(
  door: Door,
  { baseUrl, token, day, signal }: { baseUrl: string; token: string; day: string | 'status'; signal: AbortSignal },
): Promise<SndsReport> {
  const path = day === 'status' ? '/api/report/status/ip' : `/api/report/data/${day}`;
  const told = await ask(door, { who: WHO, url: `${baseUrl}${path}`, token, signal });
  if (told.status === 401 || told.status === 403)
    throw new Refusal('expired', `${WHO} no longer grants access (${wordsOf(told.body) || told.status}).`);
  // A day of which there is nothing.
  if (told.status === 404 || told.status === 204) return NOTHING;
  if (told.status !== 200) throw new Refusal('failed', `${WHO} answered ${told.status}.`);
  return readReport(told, day === 'status' ? undefined : day);
}

/** The same by a link, which carries its own key. `day` is added to links of data. */
export async function askSndsLink(
  door: Door,
  { url, day, signal }: { url: string; day?: string; signal: AbortSignal },
): Promise<SndsReport> {
  const asked = new URL(url);
  // MMDDYY, as the links' own documents have it.
  if (day !== undefined) {
    const others = [...asked.searchParams].filter(([name]) => name !== 'date');
    const date = `${day.slice(5, 7)}${day.slice(8, 10)}${day.slice(2, 4)}`;
    asked.search = new URLSearchParams([...others, ['date', date]]).toString();
  }
  const told = await ask(door, { who: WHO, url: asked.href, signal });
  if (told.status === 204) return NOTHING;
  if (told.status >= 400 && told.status < 500)
    throw new Refusal('expired', `${WHO} no longer knows the link (${told.status}): links end after 30 days.`);
  if (told.status !== 200) throw new Refusal('failed', `${WHO} answered ${told.status}.`);
  return readReport(told, day);
}
