// What the report pages of a test ask of the service.
import { fetchAnswer, type Reply } from '@galley/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { actingFor, api } from '../../ground/api.ts';
import { pollMs } from '../../ground/polling.ts';

export type Inspection = Reply<'GET /v1/inspections/{id}'>;
export type Finding = Inspection['findings'][number];
export type Severity = Finding['severity'];
export type Place = NonNullable<Finding['where']>;
export type LinkResult = Reply<'GET /v1/inspect/links/{id}'>['items']['results'][number];
export type ImageTest = Reply<'GET /v1/inspect/images/{id}'>;
export type CheckedImage = ImageTest['items']['images'][number];
export type Optimized = NonNullable<ImageTest['items']['image_optimization']>['optimized_images'][number];
export type AccessibilityReport = Reply<'GET /v1/inspect/accessibility/{id}'>['items'][number];
export type Analysis = Reply<'GET /v1/inspect/analyze/{test_id}'>;
export type AnalyzedFeature = Analysis['items']['features'][number];
export type Score = NonNullable<Analysis['items']['score']>;
export type SheetComparison = Reply<'POST /v1/inspect/links/{id}/csv'>['items'];

const POLL_MS = 700;

/** Options for a query whose reply says in `meta.status` whether the work still goes on. */
function pollWhileProcessing(query: {
  state: { data?: { meta: { status: string } } | undefined; status: string };
}): number | false {
  return pollMs(query, ({ meta }) => meta.status === 'Processing', POLL_MS);
}

export function inspectionQuery(id: string) {
  return queryOptions({
    queryKey: ['inspection', id],
    queryFn: ({ signal }) => api.call('GET /v1/inspections/{id}', { path: { id } }, { signal }),
    staleTime: 30_000,
    refetchInterval: (query) => pollMs(query, ({ status }) => status === 'Processing', POLL_MS),
  });
}

export function linkTestQuery(id: string) {
  return queryOptions({
    queryKey: ['link-test', id],
    queryFn: ({ signal }) => api.call('GET /v1/inspect/links/{id}', { path: { id } }, { signal }),
    staleTime: 30_000,
    refetchInterval: pollWhileProcessing,
  });
}

export function imageTestQuery(id: string) {
  return queryOptions({
    queryKey: ['image-test', id],
    queryFn: ({ signal }) => api.call('GET /v1/inspect/images/{id}', { path: { id } }, { signal }),
    staleTime: 30_000,
    refetchInterval: pollWhileProcessing,
  });
}

export function accessibilityQuery(id: string) {
  return queryOptions({
    queryKey: ['accessibility-test', id],
    queryFn: ({ signal }) => api.call('GET /v1/inspect/accessibility/{id}', { path: { id } }, { signal }),
    staleTime: 30_000,
    refetchInterval: pollWhileProcessing,
  });
}

export function analysisQuery(id: string, audience: string | undefined) {
  return queryOptions({
    queryKey: ['analysis', id, audience],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v1/inspect/analyze/{test_id}',
        { path: { test_id: id }, query: audience === undefined ? {} : { audience } },
        { signal },
      ),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    refetchInterval: pollWhileProcessing,
  });
}

export const audiencesQuery = queryOptions({
  queryKey: ['audiences'],
  queryFn: async ({ signal }) => (await api.call('GET /v1/inspect/analyze/audiences', {}, { signal })).items,
  staleTime: Infinity,
});

export const dictionaryQuery = queryOptions({
  queryKey: ['dictionary'],
  queryFn: async ({ signal }) => (await api.call('GET /v1/inspect/analyze/dictionary', {}, { signal })).lookups,
  staleTime: Infinity,
});

/**
 * Parts that a message carries have an address of their own while it is drawn; checks look at the message as it came.
 */
function asItCame(html: string): string {
  return html.replaceAll(
    /https:\/\/cid\.mail\.test\/([^"'\s)>]+)/g,
    (_, id: string) => `cid:${decodeURIComponent(id)}`,
  );
}

/** The HTML of a test, as its checks saw it. */
export function sourceQuery(testId: string) {
  return queryOptions({
    queryKey: ['content', testId, 'checked'],
    queryFn: async ({ signal }) =>
      asItCame(
        (await api.call('GET /v1/preview/tests/{test_id}/content', { path: { test_id: testId } }, { signal })).content,
      ),
    staleTime: Infinity,
  });
}

/** The email that a gate was about. */
export function gateMessageQuery(gateId: string) {
  return queryOptions({
    queryKey: ['gate-message', gateId],
    queryFn: ({ signal }) => api.call('GET /v1/inspect/gate/{id}/message', { path: { id: gateId } }, { signal }),
    staleTime: Infinity,
  });
}

/** Whose message is shown. */
export type MessageOf = { testId: string; gateId?: never } | { gateId: string; testId?: never };

/** Compares the links of a test with a spreadsheet. The generated client sends JSON only, and this is a form. */
export async function compareSheet(linkTestId: string, file: File): Promise<SheetComparison> {
  const form = new FormData();
  form.append('csv', file);
  const account = actingFor();
  const response = await fetchAnswer(`/v1/inspect/links/${encodeURIComponent(linkTestId)}/csv`, {
    method: 'POST',
    body: form,
    headers: account ? { 'x-service-account-id': account } : {},
  });
  const body = (await response.json()) as { items: SheetComparison; message?: string };
  if (!response.ok) throw new Error(body.message ?? `The service answered with status ${response.status}.`);
  return body.items;
}
