// The connection to the service: the generated client, and the queries that every page shares.
import { createClient, GalleyError, UnreachableError, type Client, type Reply } from '@galley/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { pollMs } from './polling.ts';
import { isChecking } from './checks.ts';
import { NotLoadedError } from './not-loaded.ts';

const ACTING_FOR = 'galley.acting-for';

let client: Client = clientFor(actingFor());

function clientFor(accountId: string | null): Client {
  return createClient({ url: '', ...(accountId && { accountId }) });
}

/** The subaccount this tab works for, or null for the account that signed in. */
export function actingFor(): string | null {
  return sessionStorage.getItem(ACTING_FOR);
}

const leaving = new Set<() => void>();

/** Has something done before this tab works for another account, or another user signs in or out. */
export function beforeActingChanges(work: () => void): void {
  leaving.add(work);
}

export function actFor(accountId: string | null): void {
  for (const work of leaving) work();
  if (accountId) sessionStorage.setItem(ACTING_FOR, accountId);
  else sessionStorage.removeItem(ACTING_FOR);
  client = clientFor(accountId);
}

/** Calls of the account that signed in, whichever this tab works for. */
export const ownApi: Client = clientFor(null);

export const api: Client = { call: (operation, given, options) => client.call(operation, given, options) };

export type EmailClient = Reply<'GET /v1/preview/tests/clients'>['clients'][string];
export type TestInfo = Reply<'GET /v2/preview/tests/{test_id}'>;
export type TestSummary = Reply<'GET /v1/previews/summary'>['items'][number];
export type Result = Reply<'GET /v1/preview/tests/{test_id}/results'>[string];
export type Share = Reply<'GET /v1/preview/sharing/{test_id}'>;
export type ApiKey = Reply<'GET /v1/keys'>['items'][number];
export type LiveSession = Reply<'GET /v1/sessions'>['items'][number];
export type Subaccount = Reply<'GET /v5/accounts/subaccounts'>['subaccounts'][number];

export function statusOf(error: unknown): number | undefined {
  return error instanceof GalleyError ? error.status : undefined;
}

/** Errors of parts of the dashboard that could not be loaded. Vite fires an event for each before it throws it. */
const notLoaded = new WeakSet<object>();
globalThis.addEventListener?.(
  'vite:preloadError',
  (event) => void notLoaded.add((event as Event & { payload: Error }).payload),
);

/** Whether this was thrown by the dashboard's own code: not an answer of the service, nor the lack of one. */
export function isOwnFault(error: unknown): boolean {
  return !(error instanceof GalleyError || error instanceof UnreachableError || isNotLoaded(error));
}

/** Whether this is a part of the dashboard that could not be loaded: the page must be loaded anew to try again. */
export function isNotLoaded(error: unknown): boolean {
  return error instanceof NotLoadedError || (error instanceof Error && notLoaded.has(error));
}

const PASSING_STATUSES = new Set([408, 429, 500, 502, 503, 504]);

/** Whether the same request may work later: there was no answer, or one that is not about the request. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof UnreachableError ||
    isNotLoaded(error) ||
    (error instanceof GalleyError && PASSING_STATUSES.has(error.status))
  );
}

/** How long the service asks to be left alone, in seconds. */
export function retryAfterOf(error: unknown): number | undefined {
  return error instanceof GalleyError ? error.retryAfterSeconds : undefined;
}

const NO_ANSWER = 'The service cannot be reached. Is Galley running?';
const NO_NETWORK = 'There is no network connection.';

/** Whether only loading the page again brings the part that is missing. */
export function needsPageAgain(error: unknown): boolean {
  return error instanceof NotLoadedError && error.isAnswered;
}

/** The message about a request without an answer. */
function unreachableSentence(): string {
  return globalThis.navigator?.onLine === false ? NO_NETWORK : NO_ANSWER;
}

/** The service's words, and how long it asks to wait. */
function refusedSentence({ message, status, retryAfterSeconds }: GalleyError): string {
  if (retryAfterSeconds === undefined || !PASSING_STATUSES.has(status) || retryAfterSeconds === 0) return message;
  return `${message} Try again in ${retryAfterSeconds} s.`;
}

/** A sentence for the reader; the service's own words where it gave some. */
export function sentenceOf(error: unknown): string {
  if (error instanceof GalleyError) return refusedSentence(error);
  if (error instanceof UnreachableError) return unreachableSentence();
  if (!(error instanceof Error)) return String(error);
  if (needsPageAgain(error))
    return 'A part of the dashboard could not be loaded. Galley may have been updated: load the page again.';
  if (isNotLoaded(error)) return `A part of the dashboard could not be loaded. ${unreachableSentence()}`;
  const isProgrammed = error.name === 'Error' || error instanceof DOMException;
  return isProgrammed ? error.message : faultSentence(error);
}

/** The message about a fault of the dashboard. */
export function faultSentence(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return (
    `The dashboard failed: “${words}”. This is a bug in the dashboard, not a connection problem. Try again, and ` +
    'report this message if it happens again.'
  );
}

/** The field of the request that an error is about: the service names it, in the body or as the first word. */
export function fieldOf<Field extends string>(error: unknown, fields: readonly Field[]): Field | undefined {
  if (!(error instanceof GalleyError)) return undefined;
  const named = (error.body as { field?: unknown } | null)?.field;
  if (typeof named === 'string')
    return fields.find((field) => named === field || named.startsWith(`${field}[`) || named.startsWith(`${field}.`));
  const path = /^[a-z_]+(?:\.[a-z_]+)*/i.exec(error.message)?.[0].toLowerCase();
  return fields.find((field) => field === path) ?? fields.find((field) => field === path?.split('.', 1)[0]);
}

/** Addresses of files are absolute; the page asks its own origin for them. */
export function pathOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** How often a test that is under way is asked about. */
const POLL_MS = 600;

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => api.call('GET /v1/session', {}, { signal }),
  staleTime: 300_000,
});

export const clientsQuery = queryOptions({
  queryKey: ['clients'],
  queryFn: async ({ signal }) => (await api.call('GET /v1/preview/tests/clients', {}, { signal })).clients,
  staleTime: 600_000,
});

/** Tests whose progress is told by events: nobody need ask. */
export const isTold = new Set<string>();

export function testQuery(testId: string) {
  return queryOptions({
    queryKey: ['test', testId],
    queryFn: ({ signal }) => api.call('GET /v2/preview/tests/{test_id}', { path: { test_id: testId } }, { signal }),
    refetchInterval: (query) =>
      !isTold.has(testId) && pollMs(query, (data) => data.processing.length > 0 || isChecking(data), POLL_MS),
  });
}

export function resultsQuery(testId: string) {
  return queryOptions({
    queryKey: ['results', testId],
    queryFn: ({ signal }) =>
      api.call('GET /v1/preview/tests/{test_id}/results', { path: { test_id: testId } }, { signal }),
  });
}

interface TestSearch {
  subject?: string | undefined;
  reference_id?: string | undefined;
  customer_id?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  page: number;
}

export const TESTS_PER_PAGE = 24;

export function testsQuery(search: TestSearch) {
  return queryOptions({
    queryKey: ['tests', search],
    queryFn: ({ signal }) =>
      api.call('GET /v1/previews/summary', { query: { ...search, limit: TESTS_PER_PAGE } }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** The share of a test, or null where it has none. */
export function shareQuery(testId: string) {
  return queryOptions({
    queryKey: ['share', testId],
    queryFn: async ({ signal }) => {
      try {
        return await api.call('GET /v1/preview/sharing/{test_id}', { path: { test_id: testId } }, { signal });
      } catch (error) {
        if (statusOf(error) === 404) return null;
        throw error;
      }
    },
  });
}

export function publicShareQuery(uuid: string) {
  return queryOptions({
    queryKey: ['public-share', uuid],
    queryFn: ({ signal }) => api.call('GET /v1/preview/sharing/public/{id}', { path: { id: uuid } }, { signal }),
    refetchInterval: (query) =>
      pollMs(query, ({ results }) => results.some((result) => result.status === 'processing'), 2000),
  });
}

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await api.call('GET /v1/sessions', {}, { signal })).items,
});

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await api.call('GET /v1/keys', {}, { signal })).items,
});

export const subaccountsQuery = queryOptions({
  queryKey: ['subaccounts'],
  queryFn: ({ signal }) => api.call('GET /v5/accounts/subaccounts', { query: { limit: 1000 } }, { signal }),
});

export const addressQuery = queryOptions({
  queryKey: ['address'],
  queryFn: async () => (await api.call('POST /v1/preview/address', {})).preview_address,
  staleTime: Infinity,
});
