// What the page of warm-ups asks of the service, and the words for it.
import type { Reply } from '@galley/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';
import { count, day, figure } from '../../../ground/words.ts';

export type Warmup = Reply<'GET /v1/galley/ip_warmups'>['items'][number];
export type Decision = Reply<'GET /v1/galley/ip_warmups/{addr}/decisions'>['items'][number];
type Proposal = Reply<'GET /v1/galley/ip_warmup_plans'>;

const SHOWN = 100;
const POLL_MS = 10_000;
const DAY_MS = 86_400_000;

export const warmupsKey = ['ip-warmups'];

export const warmupsQuery = queryOptions({
  queryKey: [...warmupsKey, 'list'],
  queryFn: ({ signal }) => api.call('GET /v1/galley/ip_warmups', { query: { limit: SHOWN } }, { signal }),
  refetchInterval: POLL_MS,
});

export const addressesQuery = queryOptions({
  queryKey: [...warmupsKey, 'addresses'],
  queryFn: ({ signal }) => api.call('GET /v3/ips', { query: { limit: 1000, dedicated: true } }, { signal }),
});

export const decisionsQuery = (addr: string) =>
  queryOptions({
    queryKey: [...warmupsKey, 'decisions', addr],
    queryFn: ({ signal }) => api.call('GET /v1/galley/ip_warmups/{addr}/decisions', { path: { addr } }, { signal }),
    refetchInterval: POLL_MS,
  });

export const proposalQuery = (target: number) =>
  queryOptions({
    queryKey: [...warmupsKey, 'proposal', target],
    queryFn: ({ signal }): Promise<Proposal> =>
      api.call('GET /v1/galley/ip_warmup_plans', { query: { target_volume: target } }, { signal }),
  });

/** Volumes as they are typed: joined by commas. Undefined for what is none. */
export function readVolumes(text: string): number[] | undefined {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  if (parts.length === 0 || parts.length > 60 || !parts.every((part) => /^\d{1,8}$/.test(part))) return undefined;
  const volumes = parts.map(Number);
  return volumes.every((volume, at) => volume > 0 && volume >= (volumes[at - 1] ?? 0)) ? volumes : undefined;
}

/** When the last of so many stages is over, if the first begins now and each is followed by the next. */
export const earliest = (stages: number): string => day(new Date(Date.now() + stages * DAY_MS));

/** When it is warm, in a sentence. */
export function forecastWords({ forecast, warm_at: warmAt }: Warmup): string {
  if (warmAt !== null) return `Warm since ${day(new Date(warmAt))}: nothing is held back.`;
  if (!forecast) return '';
  if (forecast.decisions === 0)
    return `Warm on ${day(new Date(forecast.earliest_at))} if every stage is followed by the next. No stage has ended yet.`;
  const based = `from the last ${count(forecast.decisions, 'stage')}`;
  if (forecast.warm_at === null) return `At this rate it does not become warm (${based}).`;
  return `At this rate warm on ${day(new Date(forecast.warm_at))} (${based}).`;
}

/** What may leave now, in a sentence. */
export function hourWords({ is_resting: isResting, hourly_limit: limit, sent_in_hour: sent }: Warmup): string {
  if (isResting) return 'It rests: nothing leaves until the next stage begins.';
  return `This hour: ${figure(sent)} of ${count(limit, 'message')}.`;
}
