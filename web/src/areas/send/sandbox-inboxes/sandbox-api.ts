import type { Reply } from '@galley/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { actingFor, api, pathOf } from '../../../ground/api.ts';

export type Inbox = Reply<'GET /v1/sandbox/{inbox}'>;
export type Summary = Reply<'GET /v1/sandbox/{inbox}/messages'>['items'][number];
export type Message = Reply<'GET /v1/sandbox/{inbox}/messages/{message_id}'>;

const SHOWN_MAX = 1000;
const PER_PAGE = 50;

export const inboxesQuery = queryOptions({
  queryKey: ['sandbox'],
  queryFn: ({ signal }) => api.call('GET /v1/sandbox', { query: { limit: SHOWN_MAX } }, { signal }),
});

export function inboxQuery(inbox: string) {
  return queryOptions({
    queryKey: ['sandbox-inbox', inbox],
    queryFn: ({ signal }) => api.call('GET /v1/sandbox/{inbox}', { path: { inbox } }, { signal }),
  });
}

export function messagesQuery(inbox: string, search: string | undefined) {
  return infiniteQueryOptions({
    queryKey: ['sandbox-messages', inbox, search ?? ''],
    queryFn: ({ pageParam, signal }) =>
      api.call(
        'GET /v1/sandbox/{inbox}/messages',
        { path: { inbox }, query: { limit: PER_PAGE, skip: pageParam, ...(search && { search }) } },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => (pages.length * PER_PAGE < total ? pages.length * PER_PAGE : undefined),
  });
}

export function messageQuery(inbox: string, id: string) {
  return queryOptions({
    queryKey: ['sandbox-message', inbox, id],
    queryFn: ({ signal }) =>
      api.call('GET /v1/sandbox/{inbox}/messages/{message_id}', { path: { inbox, message_id: id } }, { signal }),
    staleTime: Infinity,
    // What the inbox starts by itself starts soon.
    refetchInterval: ({ state: { data } }) =>
      data?.webhook?.state === 'waiting' ||
      data?.forward?.state === 'waiting' ||
      data?.checks.some(({ status }) => status === 'queued')
        ? 1000
        : false,
  });
}

/** The tags of an inbox, those of the most messages first. */
export function tagsQuery(inbox: string) {
  return queryOptions({
    queryKey: ['sandbox-tags', inbox],
    queryFn: async ({ signal }) =>
      (await api.call('GET /v1/sandbox/{inbox}/tags', { path: { inbox } }, { signal })).tags,
  });
}

async function fetched(url: string, signal?: AbortSignal): Promise<Response> {
  const account = actingFor();
  const response = await fetch(pathOf(url), {
    headers: account ? { 'x-service-account-id': account } : {},
    ...(signal && { signal }),
  });
  if (!response.ok) throw new Error(`The file could not be loaded: the answer has status ${response.status}.`);
  return response;
}

/** The HTML with the pictures that the message carries. */
export function shownQuery({ id, html_url: url }: Message) {
  return queryOptions({
    queryKey: ['sandbox-html', id],
    queryFn: async ({ signal }) => (url === null ? null : (await fetched(url, signal)).text()),
    staleTime: Infinity,
  });
}

/** So much of a source is shown; the file has all. */
const SOURCE_BYTES_MAX = 500_000;

export function sourceQuery({ id, source_url: url }: Message) {
  return queryOptions({
    queryKey: ['sandbox-source', id],
    queryFn: async ({ signal }) => {
      const reader = (await fetched(url, signal)).body!.getReader();
      const decoder = new TextDecoder();
      let [text, sizeBytes] = ['', 0];
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return { text: text + decoder.decode(), isCut: false };
        text += decoder.decode(value.subarray(0, SOURCE_BYTES_MAX - sizeBytes), { stream: true });
        sizeBytes += value.length;
        if (sizeBytes <= SOURCE_BYTES_MAX) continue;
        // The rest may be a hundred megabytes.
        await reader.cancel();
        return { text, isCut: true };
      }
    },
    staleTime: Infinity,
  });
}

/** The whole message as requests give it. */
export async function mimeOf({ source_url: url }: Message): Promise<{ mime: string; transfer_encoding: 'base64' }> {
  const blob = await (await fetched(url)).blob();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () =>
      resolve({ mime: (reader.result as string).split(',', 2)[1] ?? '', transfer_encoding: 'base64' });
    reader.onerror = () => reject(reader.error ?? new Error('The message could not be read.'));
    reader.readAsDataURL(blob);
  });
}

export const submissionQuery = queryOptions({
  queryKey: ['submission'],
  queryFn: ({ signal }) => api.call('GET /v1/galley/submission', {}, { signal }),
});
