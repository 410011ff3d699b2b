// Captures: pictures of real clients, and what is asked of agents. What several pages of them share.
import type { Reply } from '@galley/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../ground/api.ts';
import { pollMs } from '../../ground/polling.ts';

export type Capture = Reply<'GET /v2/preview/captures/{capture_id}'>;
export type CaptureRequest = Reply<'GET /v2/preview/capture_requests'>['items'][number];
export type CaptureState = Capture['state'];

export const CAPTURES_PER_PAGE = 30;
const POLL_MS = 1500;

export interface CapturesSearch {
  client?: string;
  state?: CaptureState;
  /** Those of all accounts, for the operator. */
  accounts?: 'all';
  page?: number;
}

/** Whether it will be compared with its preview: soon, or when that is there. */
export function isComparing({ comparison, comparison_problem: problem }: Capture): boolean {
  return comparison === null && problem === null;
}

/** A page of captures, newest first. */
export function capturesQuery({ page = 1, test, ...filters }: CapturesSearch & { test?: string }) {
  const query = {
    ...filters,
    ...(test !== undefined && { test_id: test }),
    limit: CAPTURES_PER_PAGE,
    skip: (page - 1) * CAPTURES_PER_PAGE,
  };
  return queryOptions({
    queryKey: ['captures', 'list', query],
    queryFn: ({ signal }) => api.call('GET /v2/preview/captures', { query }, { signal }),
    refetchInterval: (asked) => pollMs(asked, ({ items }) => items.some(isComparing), POLL_MS),
  });
}

export function captureQuery(id: string) {
  return queryOptions({
    queryKey: ['captures', 'one', id],
    queryFn: ({ signal }) =>
      api.call('GET /v2/preview/captures/{capture_id}', { path: { capture_id: id } }, { signal }),
    refetchInterval: (asked) => pollMs(asked, isComparing, POLL_MS),
  });
}

const isUnderWay = ({ state }: CaptureRequest): boolean => state === 'waiting' || state === 'claimed';

/** What was asked of agents, of one test where it is named, and which clients they run. */
export function captureRequestsQuery(testId?: string) {
  const query = { limit: 50, ...(testId !== undefined && { test_id: testId }) };
  return queryOptions({
    queryKey: ['captures', 'requests', query],
    queryFn: ({ signal }) => api.call('GET /v2/preview/capture_requests', { query }, { signal }),
    refetchInterval: (asked) => pollMs(asked, ({ items }) => items.some(isUnderWay), 3000),
  });
}
