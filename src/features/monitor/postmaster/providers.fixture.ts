// Google's and Microsoft's services on loopback, speaking what their documents and clients speak: the token of a service
// account is checked by its signature, pages hold few rows, and a test says what goes wrong.
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { startWebServer, type WebRequest, type WebServer } from '../../../../test/harness/web-server.ts';

/** A service account, as its key file has it. */
export function makeServiceAccount(email = 'reader@project.iam.gserviceaccount.com') {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    keyFile: {
      type: 'service_account',
      client_email: email,
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      private_key_id: 'key-1',
    },
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

/** Figures by domain, metric and day; a text list stands for names of feedback loops. */
type Figures = Record<string, Record<string, Record<string, number | string[]>>>;

export interface ProviderServer extends WebServer {
  asked: WebRequest[];
  /** Answers the next request to a path that matches, in place of the service; so many times. */
  fail(path: RegExp, status: number, how?: { headers?: Record<string, string>; body?: string; times?: number }): void;
}

interface Reply {
  status: number;
  body: unknown;
  type?: string;
}

async function serve(handle: (asked: WebRequest) => Reply): Promise<ProviderServer> {
  const asked: WebRequest[] = [];
  const failures: { path: RegExp; status: number; headers: Record<string, string>; body: string; times: number }[] = [];
  const { url, host, close } = await startWebServer((request, response) => {
    asked.push(request);
    const failure = failures.find(({ path, times }) => times > 0 && path.test(request.path));
    if (failure) {
      failure.times -= 1;
      return void response.writeHead(failure.status, failure.headers).end(failure.body);
    }
    const { status, body, type = 'application/json; charset=UTF-8' } = handle(request);
    response.writeHead(status, { 'content-type': type }).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return {
    url,
    host,
    asked,
    fail: (path, status, { headers = {}, body = '{}', times = 1 } = {}) =>
      void failures.push({ path, status, headers: { 'content-type': 'application/json', ...headers }, body, times }),
    close,
  };
}

const decoded = (part: string): any => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));

/** Why an assertion is refused (RFC 7523 §3), or undefined. */
function faultOf(assertion: string, publicKey: string, tokenUrl: string): string | undefined {
  const [header = '', claims = '', signature = ''] = assertion.split('.');
  const key = createPublicKey(publicKey);
  if (decoded(header).alg !== 'RS256') return 'The algorithm is not RS256.';
  if (!verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url')))
    return 'Invalid JWT Signature.';
  const { aud, iat, exp, scope } = decoded(claims);
  if (aud !== tokenUrl) return 'Invalid audience.';
  if (exp - iat > 3600 || exp <= iat) return 'Invalid lifetime.';
  if (!String(scope).includes('postmaster.traffic.readonly')) return 'Invalid scope.';
  return undefined;
}

const STAT_NAMES: Record<string, (filter: string) => string> = {
  SPAM_RATE: () => 'spam',
  AUTH_SUCCESS_RATE: (filter) => /^auth_type = "(spf|dkim|dmarc)"$/.exec(filter)?.[1] ?? 'unknown',
  TLS_ENCRYPTION_RATE: (filter) => (filter === 'traffic_direction = "inbound"' ? 'tls' : 'unknown'),
  DELIVERY_ERROR_RATE: (filter) =>
    filter === ''
      ? 'error'
      : (/^error_type = "(\w+)" AND error_reason = "(\w+)"$/.exec(filter)?.slice(1).join(' ') ?? 'unknown'),
  FEEDBACK_LOOP_ID: () => 'loops',
  FEEDBACK_LOOP_SPAM_RATE: (filter) => /^feedback_loop_id = "([^"]+)"$/.exec(filter)?.[1] ?? 'unknown',
};

const twoDigits = (value: number): string => String(value).padStart(2, '0');
const dayOf = ({ year, month, day }: any): string => `${year}-${twoDigits(month)}-${twoDigits(day)}`;

/** Rows of one question, in pages of `page` rows; the token is the place. */
function statsOf(figures: Figures[string], question: any, page: number): Reply {
  const { metricDefinitions, timeQuery, pageToken = '0', aggregationGranularity } = question;
  const { start, end } = timeQuery.dateRanges.dateRanges[0];
  if (aggregationGranularity !== 'DAILY') return { status: 400, body: { error: { message: 'Not DAILY.' } } };
  const rows = metricDefinitions.flatMap(({ name, baseMetric, filter = '' }: any) => {
    const metric = STAT_NAMES[baseMetric.standardMetric]?.(filter) ?? 'unknown';
    if (metric === 'unknown') throw new Error(`${baseMetric.standardMetric} with ${filter} is not in the document.`);
    return Object.entries(figures[metric] ?? {})
      .filter(([day]) => day >= dayOf(start) && day <= dayOf(end))
      .map(([day, value]) => {
        const [year, month, ofMonth] = day.split('-').map(Number);
        const told = typeof value === 'number' ? { doubleValue: value } : { stringList: { values: value } };
        return { name: `x/${name}`, metric: name, date: { year, month, day: ofMonth }, value: told };
      });
  });
  const from = Number(pageToken);
  const nextPageToken = from + page < rows.length ? String(from + page) : '';
  return { status: 200, body: { domainStats: rows.slice(from, from + page), nextPageToken } };
}

interface Google {
  /** Of the service account that is let in. */
  publicKey: string;
  figures: Figures;
  /** Domains that are listed and may not be read. */
  closed?: string[];
  unverified?: string[];
  page?: number;
  /** What is said of requirements, by domain; of others nothing (404). */
  compliance?: Record<string, object>;
}

/** Google's token endpoint and Postmaster Tools v2. Every token serves for `uses` questions. */
export async function startGoogle(google: Google & { uses?: number }): Promise<ProviderServer> {
  const { publicKey, figures, closed = [], unverified = [], page = 3, uses = Infinity, compliance = {} } = google;
  const left = new Map<string, number>();
  let tokens = 0;
  const giveToken = (body: string): Reply => {
    const form = new URLSearchParams(body);
    const fault =
      form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer'
        ? faultOf(form.get('assertion') ?? '', publicKey, `${server.url}/token`)
        : 'Invalid grant type.';
    if (fault) return { status: 400, body: { error: 'invalid_grant', error_description: fault } };
    const token = `token-${(tokens += 1)}`;
    left.set(token, uses);
    return { status: 200, body: { access_token: token, expires_in: 3599, token_type: 'Bearer' } };
  };
  const server: ProviderServer = await serve(({ path, headers, body }) => {
    if (path === '/token') return giveToken(body);
    const token = headers.authorization?.replace('Bearer ', '') ?? '';
    const uses = left.get(token) ?? 0;
    if (uses <= 0) return { status: 401, body: { error: { code: 401, message: 'Invalid credentials' } } };
    left.set(token, uses - 1);
    const { pathname, searchParams } = new URL(path, server.url);
    if (pathname === '/v2/domains') {
      const names = [...Object.keys(figures), ...closed, ...unverified];
      const from = Number(searchParams.get('pageToken') ?? 0);
      const domains = names.slice(from, from + 2).map((name) => ({
        name: `domains/${name}`,
        permission: 'READER',
        verificationState: unverified.includes(name) ? 'UNVERIFIED' : 'VERIFIED',
      }));
      return { status: 200, body: { domains, ...(from + 2 < names.length && { nextPageToken: String(from + 2) }) } };
    }
    const asked = /^\/v2\/domains\/([^/]+)\/complianceStatus$/.exec(pathname)?.[1];
    if (asked !== undefined)
      return compliance[asked]
        ? { status: 200, body: { name: `domains/${asked}/complianceStatus`, ...compliance[asked] } }
        : { status: 404, body: { error: { code: 404, status: 'NOT_FOUND', message: 'No data.' } } };
    const domain = /^\/v2\/domains\/([^/]+)\/domainStats:query$/.exec(pathname)?.[1] ?? '';
    const told = figures[domain];
    if (!told) return { status: 403, body: { error: { code: 403, status: 'PERMISSION_DENIED', message: 'No.' } } };
    return statsOf(told, JSON.parse(body), page);
  });
  return server;
}

interface Snds {
  /** By day, as an answer's body: JSON where it is no text. */
  reports: Record<string, unknown>;
  status: unknown;
  /** The refresh token that is let in; each answer brings the next one. */
  refreshToken: string;
}

/** Microsoft's token endpoint, the REST interface of SNDS, and its automated access by links with the key `abc`. */
export async function startSnds({ reports, status, refreshToken }: Snds): Promise<ProviderServer> {
  let present = refreshToken;
  let given = 0;
  const reply = (body: unknown): Reply => {
    if (body === undefined) return { status: 404, body: { message: 'No data' } };
    return typeof body === 'string' ? { status: 200, body, type: 'text/csv' } : { status: 200, body };
  };
  return serve(({ path, headers, body }) => {
    const { pathname, searchParams } = new URL(path, 'http://snds');
    if (pathname === '/token') {
      const form = new URLSearchParams(body);
      if (form.get('grant_type') !== 'refresh_token' || form.get('refresh_token') !== present)
        return { status: 400, body: { error: 'invalid_grant', error_description: 'AADSTS70000: expired.' } };
      present = `${refreshToken}-${(given += 1)}`;
      return { status: 200, body: { access_token: `access-${given}`, refresh_token: present, expires_in: 3600 } };
    }
    if (pathname.endsWith('.aspx')) {
      if (searchParams.get('key') !== 'abc') return { status: 404, body: 'not found', type: 'text/plain' };
      const [, month, day, year] = /^(..)(..)(..)$/.exec(searchParams.get('date') ?? '') ?? [];
      if (pathname === '/ipStatus.aspx') return reply(status);
      return reply(reports[`20${year}-${month}-${day}`] ?? '');
    }
    if (headers.authorization !== `Bearer access-${given}`) return { status: 401, body: {} };
    const day = /^\/api\/report\/data\/([\d-]+)$/.exec(pathname)?.[1];
    if (day !== undefined) return reply(reports[day]);
    return pathname === '/api/report/status/ip' ? reply(status) : { status: 404, body: {} };
  });
}
