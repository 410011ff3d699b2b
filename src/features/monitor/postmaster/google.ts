// Gmail Postmaster Tools, version 2 (discovery document gmailpostmastertools:v2, revision 20260512): the domains that a
// service account may read, and what Google says of each, a figure a day.
import { createPrivateKey, sign } from 'node:crypto';
import { unixSeconds } from '../../../platform/times/index.ts';
import { ask, askForToken, objectOf, Refusal, wordsOf, type Door } from './ask.ts';
import { complianceStatus } from './compliance.ts';
import type { ComplianceStatus } from './compliance-store.ts';
import type { Metric, Stat } from './google-metrics.ts';
import type { Days } from './store.ts';

export const GOOGLE_URL = 'https://gmailpostmastertools.googleapis.com';
export const GOOGLE_TOKEN_URL = 'https://oauth2.googleapis.com/token';
const WHO = 'Google Postmaster Tools';
/** Both are needed: one lists domains, the other reads figures. */
const SCOPES = [
  'https://www.googleapis.com/auth/postmaster.domain',
  'https://www.googleapis.com/auth/postmaster.traffic.readonly',
].join(' ');
const TOKEN_SECONDS = 3600;

/** What the key file of a service account holds. */
export interface ServiceAccount {
  client_email: string;
  private_key: string;
  private_key_id?: string;
}

interface GoogleAccess {
  account: ServiceAccount;
  /** The person for whom it acts, with domain-wide delegation. */
  subject?: string;
  baseUrl: string;
  tokenUrl: string;
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * The signed claim that is exchanged for a token: RFC 7523, RS256 (RFC 7518 §3.3); fields as in Google's "Using OAuth
 * 2.0 for Server to Server Applications".
 */
function assertionOf({ account, subject, tokenUrl }: GoogleAccess, now: Date): string {
  const issued = unixSeconds(now);
  const header = { alg: 'RS256', typ: 'JWT', ...(account.private_key_id && { kid: account.private_key_id }) };
  const claims = {
    iss: account.client_email,
    scope: SCOPES,
    aud: tokenUrl,
    iat: issued,
    exp: issued + TOKEN_SECONDS,
    ...(subject && { sub: subject }),
  };
  const said = `${encoded(header)}.${encoded(claims)}`;
  return `${said}.${sign('sha256', Buffer.from(said), createPrivateKey(account.private_key)).toString('base64url')}`;
}

const PAGE = 200;
/** Google answers with fewer than were asked for where it likes; nobody has so many pages. */
const PAGES_MAX = 500;

/** Google's own form of a date. */
const dateOf = (day: string) => ({
  year: Number(day.slice(0, 4)),
  month: Number(day.slice(5, 7)),
  day: Number(day.slice(8, 10)),
});

function dayOf(date: unknown): string | undefined {
  const { year, month, day } = (date ?? {}) as Record<string, unknown>;
  if (typeof year !== 'number' || typeof month !== 'number' || typeof day !== 'number') return undefined;
  // A part of 0 stands for a month or a year as a whole.
  if (year < 1970 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  return [String(year), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
}

/** One number of the kinds that Google writes it in; undefined where it says none. */
function numberOf(value: Record<string, unknown>): number | undefined {
  for (const kind of ['doubleValue', 'floatValue', 'intValue']) {
    const given = value[kind];
    const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
    if (typeof number === 'number' && Number.isFinite(number)) return number;
  }
  return undefined;
}

function statOf(given: unknown): Stat | undefined {
  const { metric, date, value } = (given ?? {}) as Record<string, unknown>;
  const day = dayOf(date);
  if (typeof metric !== 'string' || day === undefined || typeof value !== 'object' || value === null) return undefined;
  const { stringList } = value as { stringList?: { values?: unknown } };
  const texts = stringList?.values;
  const list = Array.isArray(texts) ? texts.filter((one): one is string => typeof one === 'string') : [];
  const number = numberOf(value as Record<string, unknown>);
  return { metric, day, list, ...(number !== undefined && { number }) };
}

/** A reader of what one service account may see. Throws {@link Refusal} wherever Google does not answer. */
export class GoogleReader {
  readonly #door: Door;
  readonly #access: GoogleAccess;
  readonly #signal: AbortSignal;
  #token: Promise<string> | undefined;

  constructor(door: Door, access: GoogleAccess, signal: AbortSignal) {
    this.#door = door;
    this.#access = access;
    this.#signal = signal;
  }

  async #fetchToken(): Promise<string> {
    const { tokenUrl } = this.#access;
    const assertion = assertionOf(this.#access, this.#door.clock.now());
    const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
    return (await askForToken(this.#door, { who: WHO, url: tokenUrl, form, signal: this.#signal })).token;
  }

  /** A token that ran out during a long reading is fetched again, once a question. */
  async #ask(path: string, json?: object) {
    const url = `${this.#access.baseUrl}${path}`;
    for (let isFirst = true; ; isFirst = false) {
      const token = await (this.#token ??= this.#fetchToken());
      const told = await ask(this.#door, { who: WHO, url, token, signal: this.#signal, ...(json && { json }) });
      if (told.status !== 401) return told;
      this.#token = undefined;
      if (!isFirst) throw new Refusal('expired', `${WHO} does not accept the access token (401).`);
    }
  }

  /** Verified domains that the account may read, by name. */
  async listDomains(): Promise<string[]> {
    const names = new Set<string>();
    let pageToken = '';
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const query = new URLSearchParams({ pageSize: String(PAGE), ...(pageToken && { pageToken }) });
      const { status, body } = await this.#ask(`/v2/domains?${query}`);
      if (status === 403)
        throw new Refusal('expired', `${WHO} does not let the service account read domains (${wordsOf(body) || 403}).`);
      if (status !== 200) throw new Refusal('failed', `${WHO} answered ${status} when asked for domains.`);
      const { domains, nextPageToken } = objectOf(WHO, body);
      for (const domain of Array.isArray(domains) ? domains : []) {
        const { name, permission, verificationState } = (domain ?? {}) as Record<string, unknown>;
        const isReadable = permission !== 'NONE' && verificationState !== 'UNVERIFIED';
        if (isReadable && typeof name === 'string') names.add(name.replace(/^domains\//, '').toLowerCase());
      }
      if (typeof nextPageToken !== 'string' || nextPageToken === '') return [...names].sort();
      pageToken = nextPageToken;
    }
    throw new Refusal('failed', `${WHO} has more than ${PAGES_MAX} pages of domains.`);
  }

  /** Figures of a domain, as far as Google has them; null where it does not let the account read this one. */
  async queryStats(domain: string, metrics: readonly Metric[], { from, to }: Days): Promise<Stat[] | null> {
    const stats: Stat[] = [];
    const question = {
      metricDefinitions: metrics.map(({ name, standardMetric, filter }) => ({
        name,
        baseMetric: { standardMetric },
        ...(filter && { filter }),
      })),
      timeQuery: { dateRanges: { dateRanges: [{ start: dateOf(from), end: dateOf(to) }] } },
      aggregationGranularity: 'DAILY',
      pageSize: PAGE,
    };
    let pageToken = '';
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const path = `/v2/domains/${encodeURIComponent(domain)}/domainStats:query`;
      const { status, body } = await this.#ask(path, { ...question, ...(pageToken && { pageToken }) });
      if (status === 403 || status === 404) return null;
      if (status !== 200)
        throw new Refusal('failed', `${WHO} answered ${status} for ${domain} (${wordsOf(body) || 'without a word'}).`);
      const { domainStats, nextPageToken } = objectOf(WHO, body);
      for (const given of Array.isArray(domainStats) ? domainStats : []) {
        const stat = statOf(given);
        if (stat) stats.push(stat);
      }
      if (typeof nextPageToken !== 'string' || nextPageToken === '') return stats;
      pageToken = nextPageToken;
    }
    throw new Refusal('failed', `${WHO} has more than ${PAGES_MAX} pages of figures for ${domain}.`);
  }

  /** Whether a domain meets Google's requirements; null where Google does not say so, or not to this account. */
  async readCompliance(domain: string): Promise<ComplianceStatus | null> {
    const { status, body } = await this.#ask(`/v2/domains/${encodeURIComponent(domain)}/complianceStatus`);
    return status === 200 ? complianceStatus(objectOf(WHO, body)) : null;
  }
}
