// What the gate's pages ask of the service.
import { fetchAnswer, type Operations, type Reply } from '@galley/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { actingFor, api } from '../../../ground/api.ts';
import { pollMs } from '../../../ground/polling.ts';
import { PER_PAGE } from '../../../shared/mail/mail-api.ts';

export type Gate = Reply<'GET /v1/inspect/gate/{id}'>;
export type GateItems = Gate['items'];
export type GateCheck = GateItems['checks'][number];
export type GateLimit = GateItems['limits'][number];
export type GateSummary = Reply<'GET /v1/inspect/gate'>['items'][number];
export type Screenshot = GateItems['screenshots'][number];
export type Baseline = Reply<'GET /v1/inspect/baselines'>['items'][number];
export type Approved = Baseline['pictures'][number];
export type WrittenPolicy = NonNullable<GateItems['policy']>;

/** A policy as it is sent: the service says what is wrong with it. */
export type WantedPolicy = Operations['POST /v1/inspect/gate']['body']['policy'];

/** A finding, and what the policy makes of it. */
export type JudgedFinding = GateCheck['findings'][number];

const POLL_MS = 700;
const LIST_POLL_MS = 4000;

export function isRunning({ status }: { status: string }): boolean {
  return status === 'Processing';
}

export function gatesQuery(page: number) {
  return queryOptions({
    queryKey: ['gates', page],
    queryFn: ({ signal }) =>
      api.call('GET /v1/inspect/gate', { query: { limit: PER_PAGE, skip: (page - 1) * PER_PAGE } }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: (query) => pollMs(query, ({ items }) => items.some(isRunning), LIST_POLL_MS),
  });
}

export function gateQuery(id: string) {
  return queryOptions({
    queryKey: ['gate', id],
    queryFn: ({ signal }) => api.call('GET /v1/inspect/gate/{id}', { path: { id } }, { signal }),
    refetchInterval: (query) => pollMs(query, ({ meta }) => isRunning(meta), POLL_MS),
  });
}

export const baselinesQuery = queryOptions({
  queryKey: ['baselines'],
  queryFn: async ({ signal }) =>
    (await api.call('GET /v1/inspect/baselines', { query: { limit: 1000 } }, { signal })).items,
});

interface Picture {
  url: string;
  width: number;
  height: number;
}

/** Addresses carry no account: where the tab works for a subaccount, the picture is asked for with its header. */
async function addressOf(path: string, signal: AbortSignal): Promise<string> {
  const account = actingFor();
  if (!account) return path;
  const response = await fetchAnswer(path, { signal, headers: { 'x-service-account-id': account } });
  if (!response.ok) throw new Error(`The screenshot could not be loaded (HTTP status ${response.status}).`);
  return URL.createObjectURL(await response.blob());
}

/** A picture of a gate or a baseline, loaded. `version` says which one where several come to have the same address. */
export function pictureQuery(path: string, version = '') {
  return queryOptions({
    queryKey: ['gate-picture', path, version, actingFor()],
    queryFn: async ({ signal }): Promise<Picture> => {
      const image = new Image();
      image.src = await addressOf(path, signal);
      await image.decode().catch(() => {
        throw new Error('The screenshot could not be loaded.');
      });
      return { url: image.src, width: image.naturalWidth, height: image.naturalHeight };
    },
    staleTime: Infinity,
    retry: false,
  });
}
