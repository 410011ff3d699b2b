// What the pages of emails ask of the service.
import type { Reply } from '@galley/sdk';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, sentenceOf } from '../../../ground/api.ts';
import { tell } from '../../../ground/shell/ask.ts';
import type { EmailsSearch } from './emails-search.ts';

export type Email = Reply<'GET /v1/emails'>['items'][number];
export type Version = Reply<'GET /v1/emails/{email_id}/versions'>['items'][number];
export type Test = Reply<'GET /v1/emails/{email_id}/versions/{number}/tests'>['items'][number];
export type Overview = Reply<'GET /v1/emails/{email_id}/versions/{number}/overview'>;
export type Cause = Overview['repairs'][number];

export const PER_PAGE = 50;
/** More are listed by the API. */
const VERSIONS_SHOWN = 200;
export const CAUSES_SHOWN = 200;
const POLL_MS = 2000;

/** A version of an email. */
export interface OfVersion {
  emailId: string;
  number: number;
}

const pathOf = ({ emailId, number }: OfVersion) => ({ path: { email_id: emailId, number: String(number) } });

export const emailsQuery = ({ q, folder, tag, sort = 'updated', page = 1 }: EmailsSearch) =>
  queryOptions({
    queryKey: ['emails', { q, folder, tag, sort, page }],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v1/emails',
        { query: { search: q, folder, tag, sort, limit: PER_PAGE, skip: (page - 1) * PER_PAGE } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ status }) => status.state === 'testing') ? POLL_MS : false,
  });

export const labelsQuery = queryOptions({
  queryKey: ['emails', 'labels'],
  queryFn: ({ signal }) => api.call('GET /v1/emails/labels', {}, { signal }),
});

export const emailQuery = (emailId: string) =>
  queryOptions({
    queryKey: ['email', emailId],
    queryFn: ({ signal }) => api.call('GET /v1/emails/{email_id}', { path: { email_id: emailId } }, { signal }),
  });

export const versionsQuery = (emailId: string) =>
  queryOptions({
    queryKey: ['email', emailId, 'versions'],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v1/emails/{email_id}/versions',
        { path: { email_id: emailId }, query: { limit: VERSIONS_SHOWN } },
        { signal },
      ),
  });

export const testsQuery = (of: OfVersion) =>
  queryOptions({
    queryKey: ['email', of.emailId, 'tests', of.number],
    queryFn: async ({ signal }) =>
      (await api.call('GET /v1/emails/{email_id}/versions/{number}/tests', pathOf(of), { signal })).items,
    refetchInterval: ({ state: { data } }) => (data?.some(({ state }) => state === 'processing') ? POLL_MS : false),
  });

/** What follows from tests is asked anew when one of them ends. */
export const stateOf = (tests: readonly Test[] = []): string => tests.map(({ id, state }) => `${id} ${state}`).join();

export const overviewQuery = (of: OfVersion, state: string) =>
  queryOptions({
    queryKey: ['email', of.emailId, 'overview', of.number, state],
    queryFn: ({ signal }) => api.call('GET /v1/emails/{email_id}/versions/{number}/overview', pathOf(of), { signal }),
    placeholderData: keepPreviousData,
  });

export const causesQuery = (of: OfVersion, { kind, state }: { kind: string | undefined; state: string }) =>
  queryOptions({
    queryKey: ['email', of.emailId, 'findings', of.number, kind, state],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v1/emails/{email_id}/versions/{number}/findings',
        { ...pathOf(of), query: { kind, limit: CAUSES_SHOWN } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

export const comparisonQuery = (emailId: string, { from, to }: { from: number; to: number }) =>
  queryOptions({
    queryKey: ['email', emailId, 'comparison', from, to],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v1/emails/{email_id}/comparison',
        { path: { email_id: emailId }, query: { from: String(from), to: String(to) } },
        { signal },
      ),
  });

export const previewsQuery = (testId: string, state: string) =>
  queryOptions({
    queryKey: ['email', 'previews', testId, state],
    queryFn: ({ signal }) =>
      api.call('GET /v1/preview/tests/{test_id}/results', { path: { test_id: testId } }, { signal }),
    placeholderData: keepPreviousData,
  });

/** Others say something meanwhile. */
const REVIEW_POLL_MS = 10_000;

export const reviewQuery = (of: OfVersion, state: string) =>
  queryOptions({
    queryKey: ['email', of.emailId, 'review', of.number, state],
    queryFn: ({ signal }) => api.call('GET /v1/emails/{email_id}/versions/{number}/review', pathOf(of), { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REVIEW_POLL_MS,
  });

export const linksQuery = (emailId: string) =>
  queryOptions({
    queryKey: ['email', emailId, 'review-links'],
    queryFn: async ({ signal }) =>
      (await api.call('GET /v1/emails/{email_id}/review-links', { path: { email_id: emailId } }, { signal })).items,
  });

type Wanted = Parameters<typeof startTests>[1];

const startTests = (
  of: OfVersion,
  body: {
    tests: ('previews' | 'gate' | 'spam' | 'placement' | 'links' | 'images' | 'accessibility' | 'code')[];
    from?: string;
  },
) => api.call('POST /v1/emails/{email_id}/versions/{number}/tests', { ...pathOf(of), body });

/** Starts tests, and says which of them could not be started. */
export function useStartTests(of: OfVersion) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (wanted: Wanted) => startTests(of, wanted),
    onSuccess: ({ refused }) => {
      for (const { kind, message } of refused) tell({ color: 'red', title: `Not started: ${kind}`, message });
    },
    onError: (error) => tell({ color: 'red', title: 'No test was started', message: sentenceOf(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['email', of.emailId] }),
  });
}
