// What the page of bounces asks of the service, and what it makes of the answer.
import type { Reply } from '@galley/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';
import type { BouncesSearch } from './bounces-search.ts';

type Item = Reply<'POST /v2/bounce-classification/metrics'>['items'][number];

/** More rules and receivers are not shown. */
const ITEMS_MAX = 1000;
const POLL_MS = 30_000;

export const bouncesQuery = ({ domain, days }: BouncesSearch) =>
  queryOptions({
    queryKey: ['bounces', domain, days],
    queryFn: ({ signal }) =>
      api.call(
        'POST /v2/bounce-classification/metrics',
        {
          body: {
            duration: `${days ?? 7}d`,
            dimensions: ['category', 'criticality', 'entity-name', 'group-id', 'severity'],
            ...(domain !== undefined && {
              filter: { AND: [{ attribute: 'domain.name', comparator: '=', values: [{ value: domain }] }] },
            }),
            pagination: { sort: 'classified_failures_count:desc', limit: ITEMS_MAX },
          },
        },
        { signal },
      ),
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });

interface Said {
  entity: string;
  bounces: number;
  delays: number;
  samples: string[];
}

export interface BounceClass {
  id: string;
  name: string;
  isCritical: boolean;
  explanation: string;
  advice: string;
  bounces: number;
  delays: number;
  /** By receiver, most first. */
  said: Said[];
}

const countOf = ({ severity, metrics }: Item, wanted: string): number =>
  severity === wanted ? metrics.classified_failures_count : 0;

/** Rules of one class and receiver become one row, as do their bounces and delays. */
function saidOf(items: readonly Item[]): Said[] {
  const groups = Map.groupBy(items, (item) => item['entity-name'] ?? '');
  return [...groups]
    .map(([entity, group]) => ({
      entity,
      bounces: group.reduce((sum, item) => sum + countOf(item, 'permanent'), 0),
      delays: group.reduce((sum, item) => sum + countOf(item, 'temporary'), 0),
      samples: [...new Set(group.flatMap((item) => item['sample-texts'] ?? []))].slice(0, 3),
    }))
    .sort((one, other) => other.bounces + other.delays - one.bounces - one.delays);
}

/** Classes: those that ask for attention first, then by how often they are. */
export function classesOf(items: readonly Item[]): BounceClass[] {
  const groups = Map.groupBy(items, ({ category = '' }) => category);
  return [...groups]
    .map(([id, group]) => {
      const [first] = group;
      const said = saidOf(group);
      return {
        id,
        name: first?.['category-name'] ?? id,
        isCritical: first?.criticality === 'critical',
        explanation: first?.explanation ?? '',
        advice: first?.advice ?? '',
        bounces: said.reduce((sum, { bounces }) => sum + bounces, 0),
        delays: said.reduce((sum, { delays }) => sum + delays, 0),
        said,
      };
    })
    .sort(
      (one, other) =>
        Number(other.isCritical) - Number(one.isCritical) || other.bounces + other.delays - one.bounces - one.delays,
    );
}
